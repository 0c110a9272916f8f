// Words by which people say that something is no longer as they said it, and words that say nothing of what a sentence
// is about. What a change is of is decided beside this file, by the words that both sentences share.

/** From when on: "as of today", "ab heute", "a partir de ahora". */
const SINCE =
  "now|nowadays|from (?:now|today|here|tomorrow) on|as of|since (?:today|yesterday|now|this|last|then|monday|the)|starting|effective|going forward|for now on|jetzt|nun|ab (?:heute|jetzt|sofort|morgen|montag)|seit (?:heute|gestern|dem|der)|künftig|ahora|a partir d[eo]|desde (?:hoy|ayer|ahora|hoje|ontem)|en adelante|agora|doravante|désormais|maintenant|dorénavant|à partir d|depuis (?:hier|ce)";
/** Taken back or thought over: "actually", "scratch that", "doch", "al final". */
const REVERSED =
  "actually|instead|after all|scratch|forget|correction|correcting|mistake|mistaken|mistyped|typo|misspoke|wrong|was off|i was off|outdated|obsolete|oops|sorry|turns out|turned out|no longer|not anymore|any ?more|on second thought|thinking about it|rather|new home|change of plans?|changed (?:my|our) mind|let['’]s (?:try|go with|make|use|say)|make (?:that|it|the)|heads[- ]up|fyi|update|doch|stattdessen|nicht mehr|vergiss|korrektur|falsch|irrtum|lieber|planänderung|en lugar|en vez|mejor|al final|finalmente|olvida\\p{L}{0,3}|me equivoqué|corrección|ya no|ojo|cambio de planes?|cambi[óoae]\\p{L}{0,3}|em vez|na verdade|afinal|melhor|esquece\\p{L}{0,2}|errei|correção|já não|mudança|mud(?:ou|ei|amos|a)|plutôt|finalement|en fait|oublie[sz]?|au lieu|me suis tromp\\p{L}{1,3}|correction|ne .{1,40} plus|changement";
/** Moved in time, place or amount. */
const MOVED =
  "mov(?:ed?|es|ing)|slip(?:ped|s)?|push(?:ed|es)?|postponed?|delayed|rescheduled?|brought forward|bump(?:ed|s)?|rais(?:ed?|ing)|lower(?:ed|ing)?|increas(?:ed?|ing)|decreas(?:ed?|ing)|reduc(?:ed?|ing)|extend(?:ed|ing)?|shorten(?:ed)?|cut (?:to|down)|doubled|halved|tripled|dropped? to|go(?:es)? (?:up|down) to|went (?:up|down) to|up to|down to|chang(?:ed?|es|ing)|switch(?:ed|ing)?|swapp?ed?|replac(?:ed?|es)|renamed?|migrated?|relocated|updated?|verschoben|verlegt|geändert|erhöh\\p{L}{1,3}|gesenkt|senken|umgezogen|angehoben|sub(?:e|ió|imos|ir|iu)|baj(?:a|ó|amos|ar)|aplaz\\p{L}{1,4}|retras\\p{L}{1,4}|adelant\\p{L}{1,4}|aument\\p{L}{1,5}|reduc\\p{L}{1,4}|adi(?:ad[oa]|ou|amos)|passou|pass(?:e|é|ée)s?|repouss\\p{L}{1,4}|report[ée]e?s?|avanc[ée]e?s?|déplac\\p{L}{1,4}|augment\\p{L}{1,4}|baiss\\p{L}{1,4}|remplac\\p{L}{1,4}";
/** What was said does not do. */
const WANTING =
  "too (?:slow|fast|often|rarely|few|many|low|high|short|long|small|big|tight|much|little|early|late)|not enough|isn['’]t enough|zu (?:langsam|schnell|oft|selten|wenig|viele?|kurz|lang|klein|groß|hoch|niedrig|knapp|früh|spät)|reicht .{0,20}nicht|demasiad[oa]s?|muy poc[oa]s?|no (?:basta|alcanza)|insuficiente|poucos?|trop (?:lent|vite|souvent|peu|court|long|petit|bas|haut|juste)|ne suffit pas";
const WIDE =
  "改|换|換|调整|調整|推迟|延期|提前|提高|降到|还是|還是|其实|其實|说错|說錯|不对|不是|不再|不够|太少|太多|太短|应该是|應該是|现在|現在|从今|以后都|更新为|変わ|変更|やっぱり|やはり|訂正|間違|ではなく|今後|これから|今日から|延期|前倒し|足りな|増や|減ら|移り|移動";

export const SAYS_CHANGED = new RegExp(
  `(?<![\\p{L}])(?:${SINCE}|${REVERSED}|${MOVED}|${WANTING})(?![\\p{L}])|${WIDE}`,
  "iu",
);

/** Tells of a deed: enough for the assistant to change what a person said. */
export const SAYS_MOVED = new RegExp(`(?<![\\p{L}])(?:${MOVED})(?![\\p{L}])|改|换|調整|调整|推迟|延期|变更|変更`, "iu");

/** Demands that a value must not become one, guesses, questions put as statements, conditions. */
export const SAYS_NO_CHANGE =
  /(?<!\p{L})(?:do not|don['’]t|never|must not|mustn['’]t|can['’]t be|nie(?:mals)?|nunca|jamais|ne \p{L}{2,14} pas|não (?:mude|altere|ponha|coloque)|no (?:pongas|cambies|subas|bajes)|what if|maybe|perhaps|might|could we|should we|would it|not sure|vielleicht|quizás?|tal vez|talvez|peut-être)(?!\p{L})|^(?:if|when|once|suppose|falls|wenn|si|se|caso|quando|cuando|如果|假如|もし)(?!\p{L})|不要|不能|别|禁止|切勿|也许|可能|かもしれ|しないで|(?:吗|呢|か)[。？]?$/iu;

/** Kinds of setting: two of different kinds are different things, however alike the rest is. Equal ones share a number. */
const KIND_WORDS: readonly string[] = [
  "port puerto porta 端口 ポート",
  "timeout",
  "delay verzögerung retraso atraso délai",
  "interval intervall intervalo intervalle",
  "limit limits límite limite cap maximum max obergrenze 上限 限制",
  "minimum min mindestens mínimo",
  "date datum fecha data",
  "version versión versão",
  "host server servidor serveur address adresse dirección endereço url endpoint",
  "size größe tamaño tamanho taille 大小",
  "count number anzahl número nombre",
  "rate quota kontingent cuota",
  "price preis precio preço prix cost kosten costo custo",
  "budget presupuesto orçamento",
  "deadline frist fecha-límite prazo échéance",
  "retention aufbewahrung",
  "window fenster ventana janela fenêtre",
  "margin threshold schwelle umbral limiar seuil",
  "ttl expiry expiration ablauf",
  "backoff pause",
];
/** Words of which one excludes the other. */
const CONTRASTS: readonly string[] = [
  "staging production prod test testing dev development local preview canary sandbox",
  "frontend backend",
  "upload uploads download downloads",
  "read write",
  "reader readers writer writers",
  "input output",
  "soft hard",
  "first second third last",
  "primary secondary replica standby",
  "client clients server servers",
  "source target",
  "request requests response responses",
  "start begin end finish",
  "hourly daily nightly weekly monthly yearly",
  "internal external",
  "public private",
  "inbound outbound incoming outgoing ingress egress",
  "old new",
  "min max minimum maximum",
  "connect idle",
  "free paid premium",
  "web api worker workers",
  "mobile desktop",
  "alpha beta",
  "red green blue",
];

const numbered = (groups: readonly string[]) =>
  new Map(groups.flatMap((group, at) => group.split(" ").map((word) => [word, at] as const)));
const KINDS = numbered(KIND_WORDS);
const SIDES = numbered(CONTRASTS);

/** The kind of setting that a word names; undefined for a word that names none. */
export function kindOf(word: string): number | undefined {
  return KINDS.get(word);
}

/** The pair of opposites that a word belongs to. */
export function contrastOf(word: string): number | undefined {
  return SIDES.get(word);
}

/** Verbs and fillers of sentences that give something a value, besides the words that any sentence holds. */
const EMPTY = new Set(
  `about above across accepts afraid again agreed almost along already also am among another anybody anyone anyway apply around asked at away back because been being believe below best
  better between both bring by call called came checked come comes confirmed correct could currently day days decided did does doing done down during each either else end enough even every everybody everyone exactly expect
  far few find fine fix for found from full fully gave gets give given gives go goes going gone good got had happen has have having he her here hers him his how however i'd i'll i'm i've idea if important in into
  it's itself just keeps kept know known later least left less let like listen listens little live lives long longer look looks lot lots made mainly make makes many matter maybe me mean means meant meet might mind mine more morning most move
  much must near need needed needs next nobody note nothing often okay once only onto or other others ought our ours out over own people per please point possible probably put quite reach reached read ready really recently remain remains right run runs
  said same saw say says scheduled see seems seen sent set settle settled shall she should show since sit sits sized so some somebody someone something soon stand stands start starts begin begins still such sure take takes taken talk talks team tell than thank thanks that's their theirs them then
  there's they thing things think this those though thought through till time today together told tomorrow tonight too took toward try trying turn turns under unless until up upon usually very via want wants was way we well went were what what's when where whether which while who why will wish with within without won't would yes yesterday yet you your
  per legal they're we're everything holds hold stays stay waits wait expires expire works work worked ends ended points serves sends gets allows allowed gives needs wants uses keeps takes talks says answers lasts last fails failed fail
  aber alle als am an auch auf aus bei beim bis bitte da damit dann darf dass dein dem den denn der des deshalb dich die dies diese dieser doch dort du durch ein eine einem einen einer er erst es euch für fährt gibt gilt gelten hat haben hält ich ihm ihn ihr im in ist ja jede jeden kann kein keine könnt läuft laufen lauscht liegt man mehr mein mich mir mit mögen muss nach nein noch nun nur ob oder ohne reicht raus rein schon sehr sein seit sich sie sind so soll sollen sollte sondern steht stehen über um und uns unser unter viel vom von vor war waren warum was weil wenn werden wie wir wird wieder wo wohl wurde zu zum zur zwischen startet beginnt endet dauert wartet hört
  algo alguien ante antes así aún aunque bien cada casi como con contra cual cuando cuanto dado debe deben decir del desde donde dos él ella ellos entonces era eran eres es esa ese eso esta está están este esto estos fue fueron gracias ha haber hace hacer han hasta hay hemos igual ir les lo más me mi mientras mis mucho muy nada nadie ni nos nosotros nuestro nuestra otra otro pero poco por porque pues que qué quien sabe sean según ser si sí siempre sin sino sobre solo son su sus tal también tan tanto te tener tiene tienen todo todos tras tu tus usad usa usar ustedes va vamos van veces ver vez vosotros y ya yo empieza termina vence espera dura
  alguém ao aos aquele até bem cada coisa contra das de dela dele deles depois deve devem disse dos ela ele eles em então era essa esse esta este estou eu fazer foi foram há isso isto já lá lhe mais mas me mesmo meu minha muito na nada nas nem no nos nós nossa nosso num numa onde ou outra outro para pela pelo por porque pra quais qual quando quanto que quem são se seja sem ser será seu seus sim sob sobre só sua suas também tão tem têm tenho ter teu toda todos tudo vai vamos vez vocês vos fica ficam ficou começa termina vence espera dura
  ainsi alors après assez au aucun aussi autre aux avant avec avoir bien car ce cela ces cet cette ceux chaque chez ci comme comment dans de depuis des dès deux dire dit donc dont du elle elles en encore entre est et été être eu fait faire faut fois font garde gardent il ils je jour juste la là le les leur leurs lors lui mais me mes moi moins mon ne ni nos notre nous on ont ou où par parce pas peu peut plus pour pourquoi quand que quel quelle qui quoi sa sans se sera seront ses si soit son sont sous sur ta te tes toi ton tous tout toute très trop tu un une vers voici voilà vos votre vous y commence finit fixé fixée expire dure attend`.split(
    /\s+/u,
  ),
);

export function isEmptyWord(word: string): boolean {
  return EMPTY.has(word);
}
