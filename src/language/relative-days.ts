// Words that mean a time by its distance from the day of writing, by language, as data. In a note its date tells which day
// that was; the same sentence anywhere else means another day. Errs on one side: a weekday that comes every week is taken
// for one as well.

interface RelativeWords {
  /** Whole phrases. */
  readonly phrases: string;
  /** What comes before a number of units (`in two weeks`) or behind it (`two weeks ago`). */
  readonly before?: string;
  readonly behind?: string;
  readonly numbers?: string;
  readonly units?: string;
}

/** Patterns without unbounded repeats; a blank stands for one blank. */
const RELATIVE_WORDS: readonly RelativeWords[] = [
  {
    phrases: `todays?|yesterday|tomorrow|tmrw|2morrow|tonight|ago|now|nowadays|soon|recently|currently|lately|presently|later|earlier
      |so far|right now|just now|at the moment|(?:this|that|last|next|past|previous|coming|upcoming|following|these) (?:few |couple of )?(?:night|morning|afternoon|evening|noon|day|week|weekend|month|quarter|q|year|sprint|session|time|release|hour|spring|summer|fall|autumn|winter|mon|tue|wed|thu|fri|sat|sun)s?
      |next ?week|(?:the )?(?:other day|day (?:before|after)|weekend)|eod|eow|eom|eoy|end of (?:the )?(?:day|week|month|quarter|year)|mid-?(?:week|month|year)
      |(?:at|around|by|until|since|before|after) (?:noon|midnight|\\d{1,2}(?::\\d\\d)? ?[ap]\\.?m\\.?)|the \\d{1,2}(?:st|nd|rd|th)|from now|as of now|fortnight|within the (?:hour|day|week|month)
      |(?:mon|tues|wednes|thurs|fri|satur|sun)days?`,
    before:
      "in|in the (?:next|last|past)|over the (?:next|last|past)|the (?:next|last|past)|within|for the (?:next|last|past)",
    behind: "ago|later|earlier|from|from now|before|after|back|hence",
    numbers: "an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|some|few|a few|several|a couple of",
    units: "minutes?|hours?|days?|weeks?|months?|quarters?|years?|sprints?|h|d|w",
  },
  {
    phrases: `heut(?:e|ige[rnms]?|zutage)|gestern|gestrige[rnms]?|morgen|vorgestern|übermorgen|jetzt|derzeit|zurzeit|momentan|aktuell|kürzlich|neulich|demnächst|bald|vorhin|nachher|seit kurzem|gerade|eben|inzwischen|bisher
      |(?:über|vor)?(?:letzt|nächst|dies|vorig|vergangen|kommend)e[rnms]? (?:woche|wochenende|monat|jahr|nacht|sprint|quartal|tage?|abend)|am wochenende|ende (?:der woche|des monats|des jahres)
      |(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabends?`,
    before: "in|vor|seit|binnen|innerhalb von",
    behind: "später|zuvor|danach|her",
    numbers: "eine[rnms]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|ein paar|einigen?|wenigen?|mehreren",
    units: "minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?",
  },
  {
    phrases: `hoy|ayer|mañana|anteayer|anoche|ahora|actualmente|recientemente|últimamente|pronto|luego|hasta ahora
      |(?:est[ea]|próxim[oa]|pasad[oa]|últim[oa]) (?:semana|mes|año|noche|tarde|fin de semana|trimestre)|(?:semana|mes|año) (?:pasad[oa]|próxim[oa]|que viene)|que viene|fin de mes
      |lunes|martes|miércoles|miercoles|jueves|viernes|sábado|sabado|domingo`,
    before: "hace|en|dentro de|desde hace",
    behind: "después|antes|atrás|más tarde",
    numbers: "una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|unos|unas|pocos|pocas|varios|varias",
    units: "minutos?|horas?|días?|semanas?|mes|meses|años?",
  },
  {
    phrases: `hoje|ontem|amanhã|amanha|anteontem|agora|atualmente|recentemente|ultimamente|em breve
      |(?:est[ea]|próxim[oa]|passad[oa]|últim[oa]) (?:semana|mês|ano|manhã|tarde|noite|fim de semana|segunda|terça|quarta|quinta|sexta)|(?:semana|mês|ano) (?:passad[oa]|próxim[oa]|que vem)|que vem
      |(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?`,
    before: "há|em|dentro de|daqui a",
    behind: "depois|antes|atrás|mais tarde",
    numbers: "uma?|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|uns|umas|poucos|poucas|alguns|algumas",
    units: "minutos?|horas?|dias?|semanas?|mês|meses|anos?",
  },
  {
    phrases: `aujourd['’]hui|hier|demain|avant-hier|après-demain|maintenant|actuellement|récemment|bientôt|désormais|dernièrement|tout à l['’]heure|en ce moment
      |ce(?:t|tte)? (?:matin|soir|mois|semaine|année|nuit|après-midi|week-end|trimestre)|(?:semaine|mois|année|an|trimestre|nuit) (?:dernière|derniere|dernier|prochaine?|passée?)|fin du mois
      |lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche`,
    before: "il y a|dans|depuis|d['’]ici",
    behind: "plus tard|après|avant|auparavant",
    numbers: "une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|quelques|plusieurs",
    units: "minutes?|heures?|jours?|semaines?|mois|ans?|années?",
  },
  {
    phrases:
      "oggi|ieri|domani|stasera|adesso|lunedì|martedì|mercoledì|giovedì|venerdì|сегодня|вчера|завтра|сейчас|bugün|dün|yarın|şimdi",
  },
];

const NUMBER = "\\d{1,5}";
const RELATIVE_PATTERNS: readonly RegExp[] = RELATIVE_WORDS.map(
  (words) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${readWords(words)})(?![\\p{L}\\p{N}])`, "iu"),
);
/** Only as it is written at the beginning of a name: `mon` is a French word. */
const SHORT_DAYS = /(?<![\p{L}\p{N}])(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)(?![\p{L}\p{N}])/u;

/** Without blanks between words, so that no word begins or ends anywhere. */
const RELATIVE_CJK: readonly RegExp[] = [
  // Chinese
  /[今昨明前后後次翌当當即][天日晚早晨夜朝年儿兒]|去年|刚|剛|目前|当前|當前|现在|現在|眼下|如今|至今|迄今|最近|近期|近日|日前|不久|将来|將來|稍后|稍後|马上|馬上|之前|以前|早上|晚上|上午|下午|中午|[本这這上下][个個]?(?:周|週|月|季|星期|礼拜|禮拜|年)|[上下]半年|[年月週周][底初末]|[这這前过過][几幾些][天日]/u,
  /(?:周|週|星期|礼拜|禮拜)[一二三四五六日天末]/u,
  /[\d一二两兩三四五六七八九十半几幾数數]{1,6} ?(?:天|日|周|週|[个個]月|月|年|[个個]?小[时時]|分[钟鐘]|[个個]?星期|週間|[かヶカ]月|時間)[之以]?[后後前内內]/u,
  // Japanese
  /きょう|きのう|あした|あさって|おととい|さっき|今朝|今夜|今晩|一昨[日年]|本[日年]|昨年|来[年週月]|再来|[先今来][週月]|先[日ほ]|先ほど|週末|[月火水木金土日]曜|いま|近日|現時点/u,
  // Korean
  /오늘|어제|내일|모레|그저께|그제|지금|현재|최근|작년|내년|올해|금주|방금|곧|(?:지난|이번|다음) ?(?:주|달|해|분기)|[월화수목금토일]요일|\d{1,4} ?(?:일|주|개월|달|년|시간) ?(?:후|뒤|전)/u,
];

export function hasRelativeDate(text: string): boolean {
  const said = text.normalize("NFC").replace(/\s+/gu, " ");
  return SHORT_DAYS.test(said) || [...RELATIVE_PATTERNS, ...RELATIVE_CJK].some((pattern) => pattern.test(said));
}

function readWords({ phrases, before, behind, numbers, units }: RelativeWords): string {
  const parts = [phrases.replace(/\s*\n\s*/gu, "")];
  const counted = `(?:${NUMBER}|${numbers}) ?(?:${units})`;
  if (before !== undefined) parts.push(`(?:${before}) ${counted}`);
  if (behind !== undefined) parts.push(`${counted} (?:${behind})`);
  return parts.join("|");
}
