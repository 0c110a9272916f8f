// The sentences in which values are said, as expressions: English, and the plainest cues of six more languages. Every
// quantifier is bounded, and a sentence is at most a few hundred characters long.
import { type Phrase, phrase } from "./phrase.ts";

const UNIT =
  "(?: ?(?:ms|[KMGT]i?B|kB|%|percent|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|rps|qps|tokens?|rows?|requests?|retries|attempts|replicas?|workers?|threads?|EUR|USD|GBP|€|euros?|dollars?|cents|Sekunden|Minuten|Stunden|Tage|segundos|minutos|horas|días|dias|secondes|minutes|heures|jours|s|m|h|d)(?![A-Za-z\\d])|(?:秒|分钟|小时|天|元|分|時間|日|円|件)?)";
const DATE =
  "(?:\\d{4}-\\d{2}-\\d{2}(?:(?:T|,? )\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?(?:Z|UTC|GMT|CES?T|[ECMP][SD]T|JST|[+-]\\d{2}:?\\d{2}))?)?)";
const QUOTED = "\"[^\"\\n]{1,80}\"|'[^'\\n]{1,80}'|`[^`\\n]{1,80}`|“[^”\\n]{1,80}”|«[^»\\n]{1,80}»";
const NUMBER = `[-+]?[$€£]?\\d[\\d,._]{0,20}(?![\\w/:@-])${UNIT}`;
const TOKEN = "[A-Za-z0-9_~/$@.][\\w./:@+$~%=-]{0,79}";
const VALUE = `(${QUOTED}|${DATE}|${NUMBER}|${TOKEN})`;
/** In front of an arrow, which joins steps of a way as often as two values. */
const OLD_NUMBER = `(?:${DATE}|${NUMBER}|[\\w.:/@-]{0,40}\\d[\\w.:/@-]{0,40})`;
const OLD = `(?:${QUOTED}|${DATE}|${NUMBER}|${TOKEN})`;
const WORD = "[\\p{L}\\p{N}_.`'’/-]{1,40}";
const KEY = `(${WORD}(?: ${WORD}){0,5}?)`;
const SHORT_KEY = `(${WORD}(?: ${WORD}){0,3}?)`;
const START = "(?<![\\p{L}\\p{N}_])";

const CHANGE =
  "set|sets|setting|(?:rais|lower|bump|increas|decreas|reduc|updat|configur|adjust|correct|switch|chang|mov|pinn?|dropp?|cut|doubl)(?:e[sd]?|s|ing)?|overrid(?:e|den|ing)";
const SPANISH_CHANGE =
  "pon(?:go|ga|ed|er)?|puse|pusimos|puso|pusiste|(?:cambi|ajust|configur|fij|establec|sub|baj|defin|mud|alter|aument|reduc|reduz|coloc|coloqu)[\\p{L}]{0,6}";
const HAN = "\\p{Script=Han}A-Za-z0-9_.-";
const KANA = "\\p{Script=Han}\\p{Script=Katakana}ーA-Za-z0-9_.-";
const WIDE_VALUE = `([-+]?[A-Za-z0-9$~/][\\w./:@+%-]{0,60}(?: ?(?:秒|分钟|小时|天|元|分|時間|日|円|件|ms|MB|GB))?|“[^”\\n]{1,60}”|「[^」\\n]{1,60}」)`;

export const PHRASES: readonly Phrase[] = [
  phrase(
    " is | are | be | becomes | at | equals | to ",
    `${START}(?:the|our|your|my|its) ${KEY} (?:is set to|is now|is|are|must be|should be|has to be|needs to be|will be|becomes|stays at|equals|defaults to|changed to|moved to|went (?:up|down) to)(?: now| currently| actually| always| still| exactly)? ${VALUE}`,
  ),
  phrase(
    "set |Set |sets |setting |Setting ",
    `${START}(?:set|sets|setting) (?!up )${SHORT_KEY} (?:from ${OLD} )?(?:to|=) ${VALUE}`,
    { isPlain: true },
  ),
  phrase(" from ", `${START}(?:${CHANGE}) ${SHORT_KEY} from ${OLD} to ${VALUE}`),
  phrase(" to ", `${START}(?:${CHANGE}) ${SHORT_KEY} to ${VALUE}`, { isNumeric: true }),
  phrase(" from ", `${START}${SHORT_KEY}:? from ${OLD} to ${VALUE}`, { isNumeric: true }),
  phrase("->|→|=>|➜|⇒", `${START}${SHORT_KEY}[:=]? ?(?:from )?${OLD_NUMBER} ?(?:->|→|=>|➜|⇒) ?${VALUE}`, {
    isNumeric: true,
  }),
  phrase("set to ", `${START}${SHORT_KEY} (?:was |were |is |being )?set to ${VALUE}`),
  phrase(
    "port |Port ",
    `${START}(?:use[sd]?|using|runs? on|running on|listen(?:s|ing)? on|on|to) (port) (\\d{2,5})(?![\\d.])`,
  ),
  phrase(
    "use |Use ",
    `${START}use ${VALUE} (?:as|for) (?:the |our )?${SHORT_KEY}(?= ?[.,;:!)]|$| (?:and|in|from|because|so|on)\\b)`,
    { isReversed: true },
  ),
  phrase(" of ", `${START}(?:a|an|the) ${SHORT_KEY} of (${NUMBER})`),
  phrase(
    " is | are | be ",
    `${START}((?=[\\w.]{0,40}(?:[a-z][A-Z]|_))[A-Za-z_][\\w.]{2,40}|\`[^\`\\n]{2,40}\`) (?:is|are|must be|should be|needs to be|has to be) (?:now )?${VALUE}`,
    { isNumeric: true, flags: "gu" },
  ),
  phrase(
    " now | be | to ",
    `${START}([A-Za-z_][\\w.-]{2,40}) (?:is now|must be|should be|has to be|needs to be|back to|down to|up to) (${NUMBER})`,
  ),
  phrase(
    "nce |oon as |ntil |hen ",
    `${START}(?:once|as soon as|until|when) (?:the |our )?${SHORT_KEY} (?:was|were|is|are) ${VALUE}`,
  ),
  phrase(
    "`",
    "`([^`\\n]{2,40})` (on|off|enabled|disabled|true|false|an|aus|aktiviert|deaktiviert|encendid[oa]|apagad[oa]|activad[oa]|desactivad[oa]|activée?|désactivée?|ligad[oa]|desligad[oa])(?![\\p{L}\\p{N}])",
    { isPlain: true },
  ),
  phrase("`", "(关掉|关闭|禁用|打开|启用|开启) ?`([^`\\n]{2,40})`", { isPlain: true, isReversed: true }),
  phrase(
    " at | to ",
    `${START}(?:keep|hold|leave|cap|limit|fix) (?!got |was |is |has |to )${SHORT_KEY} (?:at|to) (?:most )?${VALUE}`,
    {
      isNumeric: true,
    },
  ),
  phrase("ake ", `${START}make ${SHORT_KEY} (${NUMBER})`),
  phrase(
    "ed to |cut to ",
    `${START}${SHORT_KEY} (?:gets |got |was |were |is |has been |have been |been )?(?:raised|lowered|changed|bumped|increased|reduced|decreased|cut|moved) (?:from ${OLD} )?to ${VALUE}`,
    { isNumeric: true },
  ),
  phrase(
    " for | as ",
    `${START}(?:settled on|settle on|go with|going with|went with|decided on|agreed on|ended up (?:with|at|on)|landed on|picked|chose|use) ${VALUE} (?:for|as) (?:the |our )?${SHORT_KEY}(?= ?[.,;:!)]|$)`,
    { isReversed: true },
  ),
  phrase(
    "xactly |t least |t most |more than |p to ",
    `${START}((?:exactly|at least|at most|(?:no|not) more than|up to) ${NUMBER}) (?:of )?([a-z]{3,30})`,
    { isReversed: true },
  ),
  phrase("go with |going with ", `${START}(?:go|going) with (${NUMBER}) ([a-z]{3,30})`, { isReversed: true }),
  // The key is whatever had the old value.
  phrase("instead of |rather than ", `${START}${VALUE} ((?:instead of|rather than) ${OLD_NUMBER})`, {
    isReversed: true,
  }),
  phrase(", not ", `${START}(?:is|it['’]s|to|now|use) ${VALUE},? (not ${OLD_NUMBER})`, { isReversed: true }),
  // Where something is: said of what is written, served, kept there.
  phrase(
    " at | on | to | in | under | from ",
    `${START}(?:the|our|its|all|these|those) ${SHORT_KEY} (?:(?:is|are|was|were|get|gets|will be|has been|have been)(?: now| always| all)? (?:written|stored|saved|kept|sent|published|uploaded|served|hosted|located|available|deployed|received|exposed|found|copied|archived|exported|pushed|mounted|reachable)|(?:now )?(?:lives?|sits?|stands?|resides?|runs?|listens?|stays?|ends up|goes|go)) (?:to|in|at|on|under|from|below) ${VALUE}`,
  ),
  phrase(
    " need| ended up | turns | wants | takes | requires ",
    `${START}(?:the |our )?${SHORT_KEY} (?:turned out to (?:need|be|require)|turns out to (?:need|be|require)|ended up (?:at|being|as)|has to go (?:up |down )?to|needs|wants|requires) (?:at least )?${VALUE}`,
    { isNumeric: true },
  ),
  phrase(
    "oved to |located to |grated to |ferred to |poned to |duled to |tended to |named to |ushed to |ward to ",
    `${START}(?:the |our )?${SHORT_KEY} (?:is |was |were |has been |have been |got |being )?(?:moved|relocated|migrated|transferred|postponed|rescheduled|extended|renamed|pushed(?: back)?|brought forward) (?:from ${OLD} )?to ${VALUE}`,
    { isNumeric: true },
  ),
  phrase("make that |make it ", `${START}make (?:that|it) (?:the )?${SHORT_KEY} (${NUMBER})`),
  phrase(
    "seed |size |level |limit |depth |timeout |temperature |port |revision |build |concurrency |tag ",
    `${START}(?:with|using|on|at|under|by|to|for) (?:a |an |the )?((?:[a-z]{2,20} )?(?:seed|size|level|limit|depth|timeout|temperature|port|revision|build|concurrency|tag)) (?:of )?(${NUMBER})`,
    { isNumeric: true },
  ),
  phrase(
    "we |We |I ",
    `${START}(?:we|i) (?:now )?(?:run|use|have|need|keep|want|operate|allow|expect|plan for) (${NUMBER}) ([a-z]{4,24})(?=[.,;!]|$| (?:in|for|at|on|per|now|today)\\b)`,
    {
      isReversed: true,
      isUsers: true,
    },
  ),
  phrase(", not ", `${START}(${NUMBER}) ([a-z]{4,24}), not ${OLD_NUMBER}`, { isReversed: true, isUsers: true }),
  // Spanish, Portuguese
  phrase(
    " ser ",
    `${START}(?:el|la|los|las|o|a|os|as|nuestr[oa]|noss[oa]) ${SHORT_KEY} (?:pas[óo]u? a ser|pasa a ser|passa a ser|ha pasado a ser|vai passar a ser)(?: de)? ${VALUE}`,
  ),
  phrase(
    " a | al | hasta | para ",
    `${START}(?:el|la|los|las|o|a|os|as) ${SHORT_KEY} (?:se (?:movió|aplazó|cambió|retrasó|adelantó|trasladó)|cambió|foi (?:movid[oa]|adiad[oa]|alterad[oa]|mudad[oa])|mudou|passou) (?:a|al|hasta|para)(?: el| o)? ${VALUE}`,
    { isNumeric: true },
  ),
  phrase(
    " en | em | dans | sur ",
    `${START}(?:el|la|los|las|o|a|os|as|le|les) ${SHORT_KEY} (?:se (?:guardan?|escriben?|almacenan?|publican?)|están? guardad[oa]s?|(?:é|são) (?:gravad|guardad|salv|armazenad|publicad)[oa]s?|(?:est|sont) (?:écrits?|écrites?|stockée?s?|enregistrée?s?|publiée?s?)) (?:en|em|dans|sur) ${VALUE}`,
  ),
  phrase(
    " es | son | é | são | está | queda | fica | debe | deve | debería | deveria | vence | termina | tiene | tem ",
    `${START}(?:el|la|los|las|nuestr[oa]|o|os|as|a|noss[oa]) ${SHORT_KEY} (?:ahora |agora |ya )?(?:es|son|é|são|está en|está em|queda en|fica em|debe ser|deve ser|debería ser|deveria ser|vence el|vence em|termina el|é dia|tiene que ser|tem que ser)(?: ahora| agora)? ${VALUE}`,
  ),
  phrase(
    " a | en | para | como | em ",
    `${START}(?:${SPANISH_CHANGE}) ${SHORT_KEY} (?:de ${OLD_NUMBER} )?(?:a|en|para|como|em) ${VALUE}`,
    { isNumeric: true },
  ),
  phrase(
    "cuando |cuanto |quando |assim que ",
    `${START}(?:cuando|en cuanto|quando|assim que) (?:el|la|o|a) ${SHORT_KEY} (?:fue|era|es|foi|estuvo en|ficou em) ${VALUE}`,
  ),
  // German
  phrase(
    " ist | sind | lautet | beträgt | muss | soll | sollte | bleibt | endet | beginnt ",
    `${START}(?:der|die|das|unser[e]?) ${SHORT_KEY} (?:ist|sind|lautet|beträgt|muss|soll|sollte|bleibt|endet|beginnt)(?: jetzt| nun| bei| auf| am)? ${VALUE}`,
  ),
  phrase(
    " auf | zu ",
    `${START}(?:setz[et]?|setzen|stell[e]?|änder[e]?|erhöh[e]?|senk[e]?|ändere|habe) ${SHORT_KEY} (?:von ${OLD_NUMBER} )?(?:auf|zu) ${VALUE}`,
    { isNumeric: true },
  ),
  phrase(
    " auf ",
    `${START}(?:der|die|das|den|unsere?n?) ${SHORT_KEY} (?:von ${OLD_NUMBER} )?auf ${VALUE} (?=gesetzt|gestellt|geändert|erhöht|gesenkt|gebracht|angehoben|reduziert)`,
  ),
  phrase(
    " auf ",
    `${START}(?:der|die|das|unsere?) ${SHORT_KEY} (?:wurden?|wird|werden|ist) (?:von ${OLD_NUMBER} )?auf ${VALUE} (?:verschoben|geändert|gesetzt|gestellt|erhöht|gesenkt|umgezogen|verlegt|vorgezogen)`,
  ),
  phrase(
    " nach | in | auf | unter ",
    `${START}(?:der|die|das|unsere?) ${SHORT_KEY} (?:wird|werden|liegt|liegen|läuft|laufen|lauscht)(?: [\\p{L}]{2,12})? (?:nach|in|auf|unter) ${VALUE}`,
  ),
  phrase(" von ", `${START}${SHORT_KEY} von ${OLD} auf ${VALUE}`),
  phrase("sobald |Sobald ", `${START}sobald (?:der|die|das) ${SHORT_KEY} ${VALUE} (?=war|ist)`),
  phrase("ort ", `${START}(?:ab jetzt|ab sofort|nehmen|nutzen|auf|en el|no|na|sur le) (port) (\\d{2,5})(?![\\d.])`),
  // French
  phrase(
    " passe",
    `${START}(?:le |la |l['’])${SHORT_KEY} (?:passe|passent|est passée?) (?:de ${OLD_NUMBER} )?à ${VALUE}`,
  ),
  phrase(
    " est | sont | vaut | doit | passe ",
    `${START}(?:le |la |les |notre |l['’])${SHORT_KEY} (?:est|sont|vaut|doit être|passe à)(?: maintenant| désormais)? ${VALUE}`,
  ),
  phrase(
    " à | sur | en ",
    `${START}(?:mets|mettez|mettre|mis|(?:chang|pass|règl|régl|fix|augment|configur|baiss)[\\p{L}]{0,4}) ${SHORT_KEY} (?:de ${OLD_NUMBER} )?(?:à|sur|en) ${VALUE}`,
    { isNumeric: true },
  ),
  phrase("fait passer ", `${START}fait passer (?:le |la |les |l['’])?${SHORT_KEY} (?:de ${OLD_NUMBER} )?à ${VALUE}`),
  // Chinese, Japanese
  phrase(
    "把|将|將",
    `(?:把|将|將) ?([${HAN}]{1,24}?) ?(?:从[^，。\\n]{1,40}?)?(?:设为|设置为|設為|设成|改为|改成|改到|改為|调成|换成|调到|调整为|提高到|降到|降低到)了? ?${WIDE_VALUE}`,
  ),
  phrase(
    "是|为|為|改|设|等于|用|调成|换成|调到|到 |到",
    `(?<![${HAN}])([${HAN}]{1,24}?) ?(?:从[^，。\\n]{1,40}?)?(?:现在|現在|已经|已)?(?:是|为|為|设为|设置为|改为|改成|改到|调成|调到|换成|换到|推迟到|延期到|提前到|迁移到|搬到|提高到|降到|用|应为|必须是|等于)了? ?${WIDE_VALUE}`,
  ),
  phrase(
    "は",
    `(?<![${KANA}])([${KANA}]{1,24}) ?は(?:今は|現在|必ず)? ?${WIDE_VALUE}(?=です|だ|で(?!は|も)|に(?:設定|変更|なり|し)(?!な|しな)|である|。|、|\\s|$)`,
  ),
  phrase(
    "を",
    `(?<![${KANA}])([${KANA}]{1,24}) ?を(?:[^、。\\n]{1,40}?から)? ?${WIDE_VALUE} ?に(?=設定(?!しな)|変更(?!しな)|上げ|下げ|し(?!な)|増や|減ら)`,
  ),
];

/** Keys whose value is a word or a few: "the owner is Priya Raman", "the default branch is main". */
export const WORDED = new RegExp(
  `${START}(?:the|our) ((?:[\\p{L}-]{1,30} ){0,3}?(?:branch|database|region|environment|owner|reviewer|approver|host|username|bucket|queue|language|framework|encoding|time ?zone|currency|theme|mode|level|strategy|deadline|contact|account|cluster|namespace|tenant|customer|release|codename|license|format|package manager|test runner|runner)) (?:is|will be|must be|is now)(?: now| called| set to)? ([^\\s.,;:!?()]{1,40}(?: [^\\s.,;:!?()]{1,30}){0,5})(?=[.,;:!?()]|$)`,
  "giu",
);
