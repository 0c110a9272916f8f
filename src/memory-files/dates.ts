// Dates as people write them in notes, as `2031-02-03`. What may be another day elsewhere (3/2/2031) is no date.
import { DAY_MS, isoTime, readTime } from "../time.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH_NAME =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "((?:19|20|21)\\d{2})";
const DATE_FORMS = [
  /(?<!\d)(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)/gu,
  /(?<!\d)(?<year>\d{4}) ?年 ?(?<month>\d{1,2}) ?月 ?(?<day>\d{1,2}) ?日/gu,
  new RegExp(`(?<![\\p{L}\\d])${MONTH_NAME} ${DAY},? ${YEAR}(?!\\d)`, "giu"),
  new RegExp(`(?<![\\p{L}\\d])${DAY} ${MONTH_NAME},? ${YEAR}(?!\\d)`, "giu"),
] as const;

interface FoundDate {
  readonly date: string;
  /** Where it stands in the text, UTF-16 units. */
  readonly at: number;
}

/** Real days only, in no order. */
export function findDates(text: string): readonly FoundDate[] {
  if (!/\d/.test(text)) return [];
  return DATE_FORMS.flatMap((form, index) =>
    [...text.matchAll(form)].flatMap((match) => {
      const [, first = "", second = "", third = ""] = match;
      const { year, month, day } = match.groups ?? {};
      const date =
        index < 2
          ? dateOf(year, month, day)
          : index === 2
            ? dateOf(third, monthOfName(first), second)
            : dateOf(third, monthOfName(second), first);
      return date === undefined ? [] : [{ date, at: match.index }];
    }),
  );
}

function monthOfName(month: string): string {
  return String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1);
}

function dateOf(year = "", month = "", day = ""): string | undefined {
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return readTime(date) === undefined ? undefined : date;
}

/** The latest of them. */
export function latestOf(dates: readonly FoundDate[]): string | undefined {
  return dates.reduce<string | undefined>(
    (latest, { date }) => (latest === undefined || date > latest ? date : latest),
    undefined,
  );
}

// Days that a text names less exactly than by day, by their last: months, quarters, years to come. For what is still due;
// rather too late a day than too early a one.

/** First letters, in the languages in which months are looked for, January first. */
const MONTH_STEMS = [
  "jan|ene|gen|янв",
  "feb|fév|fev|фев",
  "mar|mär|mrz|мар",
  "apr|avr|abr|апр",
  "may|mai|mag|мая|май",
  "jun|juin|giu|июн",
  "jul|juil|lug|июл",
  "aug|aoû|aou|ago|авг",
  "sep|set|сен",
  "oct|okt|out|ott|окт",
  "nov|ноя",
  "dec|dez|déc|dic|дек",
].map((names) => names.split("|"));
const COMING_YEAR = "((?:20|21)\\d{2})(?!\\d)";
const MONTH_FORMS: readonly (readonly [form: RegExp, monthOf: (found: readonly string[]) => number, year: number])[] = [
  [new RegExp(`(?<!\\d)(\\d{1,2})[/.-]${COMING_YEAR}`, "gu"), ([, month]) => Number(month), 2],
  [
    new RegExp(`(?<!\\d)(\\d{1,2})([./-])(\\d{1,2})\\2${COMING_YEAR}`, "gu"),
    ([, a, , b]) => laterOf(Number(a), Number(b)),
    4,
  ],
  [/(?<!\d)((?:20|21)\d{2})[-/.](\d{1,2})(?![-/.]?\d)/gu, ([, , month]) => Number(month), 1],
  [/(?<!\d)((?:20|21)\d{2}) ?[年년] ?(\d{1,2}) ?[月월]/gu, ([, , month]) => Number(month), 1],
  [new RegExp(`(?<![\\p{L}\\d])[QT]([1-4])[ /,'-]{0,3}${COMING_YEAR}`, "giu"), ([, quarter]) => Number(quarter) * 3, 2],
  [/(?<!\d)((?:20|21)\d{2})[ /-]?Q([1-4])(?!\d)/giu, ([, , quarter]) => Number(quarter) * 3, 1],
  [new RegExp(`(?<![\\p{L}\\d])H([12])[ /,'-]{0,3}${COMING_YEAR}`, "giu"), ([, half]) => Number(half) * 6, 2],
  [
    new RegExp(`(?<!\\p{L})(\\p{L}{3,12})[.,]{0,2}[ \\t](?:del? )?${COMING_YEAR}`, "gu"),
    ([, name]) => monthOfStem(name),
    2,
  ],
  [
    new RegExp(`(?<!\\p{L})(\\p{L}{3,12})\\.?[ \\t]\\d{1,2}(?:st|nd|rd|th)?,?[ \\t]${COMING_YEAR}`, "gu"),
    ([, name]) => monthOfStem(name),
    2,
  ],
];
/** A number that follows so closely on the year of today is a year. */
const YEARS_AHEAD = 15;

/** The latest of them, as `2031-02-03`; undefined where there is none. */
export function latestMonthEnd(text: string, now: number): string | undefined {
  if (!/\d/.test(text)) return undefined;
  let latest: string | undefined;
  const add = (year: number, month: number): void => {
    if (!(month >= 1 && month <= 12)) return;
    const end = isoTime(Date.UTC(year, month, 0)).slice(0, "2031-02-03".length);
    if (latest === undefined || end > latest) latest = end;
  };
  for (const [form, monthOf, year] of MONTH_FORMS) {
    for (const found of text.matchAll(form)) add(Number(found[year]), monthOf(found));
  }
  const today = new Date(now).getUTCFullYear();
  for (const [, year] of text.matchAll(/(?<![\d.])((?:20|21)\d{2})(?!\d)/gu)) {
    const ahead = Number(year) - today;
    if (ahead > 0 && ahead <= YEARS_AHEAD) add(Number(year), 12);
  }
  return latest;
}

/** Of a day and a month in an order that nobody tells. */
function laterOf(a: number, b: number): number {
  return Math.max(...[a, b].filter((month) => month <= 12), 0);
}

function monthOfStem(name = ""): number {
  const lower = name.toLowerCase();
  return MONTH_STEMS.findIndex((names) => names.some((each) => lower.startsWith(each))) + 1;
}

// Words that mean a time by its distance from the day of writing. In a note its date tells which day that was; the same
// sentence anywhere else means another day. Errs on one side: a weekday that comes every week is taken for one as well.

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

// A day in the ways in which titles write it.

const MONTH_NAMES: readonly string[] = [
  "january february march april may june july august september october november december",
  "jan feb mar apr may jun jul aug sep oct nov dec",
  "januar februar märz april mai juni juli august september oktober november dezember",
];
const TIME = /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)(?: ?(?:am|pm|utc|gmt|z))?(?![\p{L}\p{N}])/gu;

/** `text` in lower case, without the day and times of a day. */
export function withoutDate(text: string, date: string | undefined): string {
  if (date === undefined) return text;
  return formsOf(date)
    .reduce((rest, form) => rest.replaceAll(form, " "), text)
    .replace(TIME, " ");
}

function formsOf(date: string): readonly string[] {
  const [year = "", month = "", day = ""] = date.split("-");
  const [shortMonth, shortDay] = [String(Number(month)), String(Number(day))];
  const names = MONTH_NAMES.map((all) => all.split(" ")[Number(month) - 1] ?? month);
  return [
    date,
    `${year}/${month}/${day}`,
    `${year}.${month}.${day}`,
    `${year}${month}${day}`,
    `${year}年${month}月${day}日`,
    `${year}年${shortMonth}月${shortDay}日`,
    ...names.flatMap((name) =>
      [shortDay, day, ordinal(shortDay)].flatMap((of) => [
        `${name} ${of}, ${year}`,
        `${name} ${of} ${year}`,
        `${of} ${name} ${year}`,
        `${of}. ${name} ${year}`,
      ]),
    ),
  ];
}

function ordinal(day: string): string {
  if (/^1[123]$/.test(day)) return `${day}th`;
  return `${day}${{ 1: "st", 2: "nd", 3: "rd" }[Number(day) % 10] ?? "th"}`;
}

// Which day a note is of, by its name. Only days that exist.

const DAILY = /^(\d{4}-\d{2}-\d{2})(?:-[^/]{1,250})?\.md$/;
const DATE = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;

/** Of `YYYY-MM-DD.md` and `YYYY-MM-DD-slug.md`, without a folder. */
export function dateOfDaily(name: string): string | undefined {
  const date = DAILY.exec(name)?.[1];
  return isReal(date) ? date : undefined;
}

/** The first real one in the name of a file of another layout, or in that of the nearest folder that has one. */
export function firstDate(file: string): string | undefined {
  const names = file.split("/").reverse();
  return names.flatMap((name) => name.match(DATE) ?? []).find(isReal);
}

function isReal(date: string | undefined): date is string {
  return date !== undefined && readTime(date) !== undefined;
}

// Whether a note is still being written. Nobody says in which time zone its author lives, so a day counts as today for
// as long as it is today anywhere.

/** The last zone in which a day ends is twelve hours behind UTC. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** The date (`2031-02-03`) is today or later somewhere on Earth. A note without a date never is. */
export function isInUse(date: string | undefined, now: number): boolean {
  return date !== undefined && date >= isoTime(now - LAST_ZONE_MS).slice(0, "2031-02-03".length);
}

// Whether the notes of a month may become a digest: not before it has been over for a while.

/** Until then its notes are still looked up by their days. */
const REST_DAYS = 30;

/** `month` as `2031-02`; it ended that many days ago, or before. */
export function isOver(month: string, now: number): boolean {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const end = new Date(0).setUTCFullYear(year, number, 1);
  return now - end >= REST_DAYS * DAY_MS;
}
