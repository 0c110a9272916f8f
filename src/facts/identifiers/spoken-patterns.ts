// Forms that say something only in what a person or the assistant says: flags, versions, hosts, variables, dates,
// quantities, names of code. Searched after addresses and paths have been taken out of the text.
import type { IdentifierPattern } from "./identifier.ts";

const FLAG = /(?<![\w-])--[A-Za-z][A-Za-z0-9]{0,30}(?:-[A-Za-z0-9]{1,30}){0,8}(?![\w-])/g;

const VERSIONED =
  "node(?:\\.?js)?|python|java|jdk|go|golang|ruby|php|postgres(?:ql)?|mysql|mariadb|sqlite|redis|kafka|kubernetes|k8s|helm|docker|ubuntu|debian|alpine|fedora|macos|ios|android|typescript|react|vue|angular|svelte|next(?:\\.js)?|django|rails|laravel|spring(?: boot)?|rust|npm|pnpm|yarn|terraform|chrome|firefox|elasticsearch|mongodb|\\.net|dotnet|swift|kotlin|scala|gradle|maven|cuda|torch|pytorch|tensorflow|numpy|pandas|vite|webpack|eslint|openssl|nginx";
const NAMED_VERSION = new RegExp(
  `(?<![\\w.-])(?:${VERSIONED})[ @]v?\\d{1,4}(?:\\.(?:\\d{1,5}|x)){0,3}(?![\\w%-]|\\.\\d)`,
  "gi",
);
const V_VERSION = /(?<![\w.-])v\d{1,4}(?:\.\d{1,6}){1,3}(?:-[A-Za-z][\w.]{0,30})?(?:\+[\w.]{1,30})?(?!\w)/g;
const PLAIN_VERSION = /(?<![\w.-])\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[A-Za-z][\w.]{0,30})?(?:\+[\w.]{1,30})?(?![\w-]|\.\d)/g;
const SUFFIXED_VERSION = /(?<![\w.-])\d{1,4}\.\d{1,4}-(?:rc|alpha|beta|next|dev|snapshot)[\w.]{0,20}/gi;

const IP =
  /(?<![\w.])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?::\d{2,5}|\/\d{1,2})?(?![\w.]\d|\d)/g;
const LOCAL_PORT = /(?<![\w.-])localhost:\d{2,5}(?!\d)/g;
const TOP_DOMAINS =
  "com|org|net|io|dev|app|ai|co|cloud|internal|local|lan|corp|intra|example|test|invalid|edu|gov|mil|int|info|biz|tech|online|site|xyz|eu|de|fr|es|it|nl|pt|br|jp|cn|kr|in|uk|ch|at|pl|se|no|fi|dk|us|ca|au|nz|mx|ru|tr|za";
const DOMAIN = new RegExp(
  `(?<![\\w.@/-])[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\\.[A-Za-z0-9-]{1,63}){0,6}\\.(?:${TOP_DOMAINS})(?::\\d{2,5})?(?![\\w(/-]|\\.\\w)`,
  "g",
);
/** `db:5432`: one word with the port of a well-known server, or a dotted or numbered host with any port. */
const NAMED_PORT = /(?<![\w.:/-])[a-z][a-z0-9.-]{1,80}:\d{2,5}(?![\w:.]\w|\w)/g;
const SERVER_PORTS = new Set(
  "22 80 443 1433 1521 2181 2379 3000 3306 4000 4317 4318 5000 5432 5672 6379 6443 7000 7687 8000 8080 8081 8090 8200 8443 8500 8888 9000 9090 9092 9200 9300 9443 11211 15672 27017 50051".split(
    " ",
  ),
);
const NO_HOST =
  /^(?:port|line|timeout|limit|size|count|width|height|step|status|code|error|exit|at|page|row|col|column|id|pid|year|total|max|min)\b/;

function readNamedPort([match]: RegExpExecArray): string | undefined {
  const [host = "", port = ""] = match.split(":");
  if (NO_HOST.test(host) || host.endsWith(".")) return undefined;
  return SERVER_PORTS.has(port) || (/[.-]/.test(host) && Number(port) >= 80) ? match : undefined;
}

const VARIABLE = /(?<![\w$])\$\{?([A-Z_][A-Z0-9_]{1,60})\b/g;
const SCREAMING = /(?<![\w$.-])[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}(?![\w-])/g;

const ZONE = "(?: ?(?:Z|UTC|GMT|CES?T|BST|WES?T|EES?T|[ECMP][SD]T|JST|KST|IST|[+-]\\d{2}:?\\d{2})(?![A-Za-z]))";
const CLOCK = `\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?: ?[ap]\\.?m\\b)?${ZONE}?`;
const WEEKDAY =
  "(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?:segunda|ter[cç]a|quarta|quinta|sexta)-feira)";
const MONTH =
  "(?:Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|Mar(?:ch)?|März|Apr(?:il)?|May|Mai|June?|Juni|July?|Juli|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Okt(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|Dez(?:ember)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro)\\.?";
const DATES = [
  `(?:${WEEKDAY},? )?(?<!\\d|\\d[-.])\\d{4}-\\d{2}-\\d{2}(?:(?:T|,? )${CLOCK})?(?![\\d-])`,
  `(?:${WEEKDAY},? )?(?<![\\w.])\\d{1,2}(?:st|nd|rd|th|\\.|º)? (?:de )?${MONTH}(?:,? (?:de )?\\d{4})?(?:,? (?:at )?${CLOCK})?(?!\\w)`,
  `(?:${WEEKDAY},? )?(?<!\\w)${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?(?:,? (?:at )?${CLOCK})?(?![\\w.]\\d|\\w)`,
  "\\d{2,4}年\\d{1,2}月\\d{1,2}[日号]?(?: ?\\d{1,2}[:：时時]\\d{0,2})?",
  `(?:by|before|until|due|deadline:?|bis|antes del?|hasta el|avant|até|para) (?:(?:on|the|next|this|end of|EO) ?)?(?:${WEEKDAY}|tomorrow|tonight|noon|midnight|EOD|EOW|day|week|month|quarter|year|Q[1-4](?: \\d{4})?)(?:,? (?:at )?(?:${CLOCK}|\\d{1,2} ?[ap]m\\b))?(?!\\w)`,
  `(?<![\\w:.-])\\d{1,2}:\\d{2}(?::\\d{2})?${ZONE}`,
];
const DATE = new RegExp(DATES.join("|"), "gi");

const UNIT =
  "ms|µs|us|ns|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|[KMGTP]i?B|kB|bytes?|bits?|[KMG]bps|[kMG]?Hz|%|percent|rps|qps|tps|(?:req(?:uest)?s?|messages?|rows?|events?)\\/(?:s|sec|second|min|minute|h|hour)|tokens?|rows?|users?|records?|requests?|retries|attempts|replicas?|pods?|nodes?|workers?|threads?|shards?|partitions?|connections?|items?|invoices?|orders?|customers?|tickets?|seats?|EUR|USD|GBP|CHF|JPY|BRL|CNY|euros?|dollars?|cents?|€|km|kg|px|vCPUs?|cores?|Stunden|Tage|Minuten|Sekunden|Wochen|días|horas?|minutos?|segundos?|semanas?|jours?|heures?|secondes?|semaines?|dias|Verbindungen|Zeilen|Anfragen|Versuche|Replikate|conexiones|peticiones|filas|intentos|réplicas|connexions|requêtes|lignes|tentatives|conexões|linhas|pedidos|tentativas|分钟|小时|秒|天|个月|元|時間|分|秒間|日間|円|件";
const QUANTITY = new RegExp(`(?<![\\w.,:/$€£#-])\\d[\\d,._]{0,20}[kKM]? ?-?(?:${UNIT})(?![A-Za-z0-9/])`, "g");
const MONEY = /(?<![\w$€£¥])(?:US)?[$€£¥] ?\d[\d,.]{0,20}(?:\d|[kKM])?(?![\w])/g;
const KEYED_NUMBER = /(?<![\w.-])[A-Za-z_][\w.-]{1,60}=-?\d[\w.]{0,20}(?![\w(=])/g;

const CALL = /(?<![\w$.])[A-Za-z_$][\w$]{1,60}(?:(?:\.|::)[\w$]{1,60}){0,5}\(\)/g;
const BACKTICKED = /`([A-Za-z_$][\w$.:#<>-]{2,60})`/g;
const BRANCH = /(?<![\w./-])(?:feature|feat|fix|bugfix|hotfix|release|chore|refactor|spike)\/[\w.-]{2,80}\w/g;
const KIND =
  "table|branch|column|function|class|method|module|component|service|queue|topic|bucket|database|index|schema|endpoint|tag|field|package|crate|namespace|cluster|pipeline|job|view|collection|Tabelle|Spalte|Funktion|tabla|columna|rama|funci[oó]n|fonction|branche|tabela|coluna|fun[cç][aã]o";
const NAMED_AFTER = new RegExp(`\\b(?:${KIND}) ["'“«]?([A-Za-z_][\\w./-]{2,60})(?![\\w(])`, "g");
const NAMED_BEFORE = new RegExp(`(?<![\\w./-])([A-Za-z_][\\w./-]{2,60})["'”»]? (?:${KIND})\\b`, "g");
const MARKED_KIND = new RegExp(`\\b(?:${KIND}) \`([\\w.-]{2,60})\`|\`([\\w.-]{2,60})\` (?:${KIND})\\b`, "g");
/** A word of the language is no name: names have a mark inside. */
const isCodeName = (name: string) =>
  /[a-z][A-Z]|[A-Za-z][_\d]|_[A-Za-z]|\w[./]\w/.test(name) && /[A-Za-z0-9]$/.test(name);

const readName = (match: RegExpExecArray) => {
  const name = (match[1] ?? "").replace(/[.-]{1,5}$/, "");
  return isCodeName(name) ? name : undefined;
};

const readBackticked = (match: RegExpExecArray) => {
  const name = (match[1] ?? "").replace(/[.:-]{1,5}$/, "");
  return isCodeName(name) || /^[a-z]\w*-\w/.test(name) ? name : undefined;
};

export const SPOKEN_PATTERNS: readonly IdentifierPattern[] = [
  { form: "flag", expression: FLAG, needs: "--" },
  { form: "date", expression: DATE, read: ([match]) => (/\d|[a-z]{3}/i.test(match) ? match.trim() : undefined) },
  { form: "host", expression: IP, needs: "." },
  { form: "host", expression: LOCAL_PORT, needs: "localhost" },
  { form: "host", expression: DOMAIN, needs: "." },
  { form: "host", expression: NAMED_PORT, needs: ":", read: readNamedPort },
  { form: "version", expression: NAMED_VERSION },
  { form: "version", expression: V_VERSION },
  { form: "version", expression: PLAIN_VERSION, needs: "." },
  { form: "version", expression: SUFFIXED_VERSION, needs: "-" },
  { form: "variable", expression: VARIABLE, needs: "$", read: (match) => match[1] },
  { form: "variable", expression: SCREAMING, needs: "_" },
  { form: "quantity", expression: KEYED_NUMBER, needs: "=" },
  { form: "quantity", expression: QUANTITY },
  { form: "quantity", expression: MONEY },
  { form: "code", expression: CALL, needs: "()" },
  { form: "code", expression: BACKTICKED, needs: "`", read: readBackticked },
  { form: "code", expression: MARKED_KIND, needs: "`", read: (match) => match[1] ?? match[2] },
  { form: "code", expression: BRANCH, needs: "/" },
  { form: "code", expression: NAMED_AFTER, read: readName },
  { form: "code", expression: NAMED_BEFORE, read: readName },
];
