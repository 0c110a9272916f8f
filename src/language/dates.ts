// Days and months as people write them, by their value, in the languages of the list: `2031-04-17`, `17.4.2031`,
// `April 17th, 2031`, `17 de abril` and `4月17日` are one day. Two numbers that could both be the month (3/2/2031) are not read.
import { isoTime, readTime } from "../time.ts";

/** January first: English, German, Spanish, Portuguese, French, Italian, Russian, and their short forms. */
const MONTHS = [
  "january jan januar enero ene janeiro janvier gennaio gen января январь янв",
  "february feb februar febrero fevereiro fev février fév febbraio февраля февраль фев",
  "march mar märz mrz marzo março mars марта март мар",
  "april apr abril abr avril avr aprile апреля апрель апр",
  "may mai mayo maio maggio mag мая май",
  "june jun juni junio junho juin giugno giu июня июнь июн",
  "july jul juli julio julho juillet juil luglio lug июля июль июл",
  "august aug agosto ago août aoû aout августа август авг",
  "september sept sep septiembre setembro set septembre settembre сентября сентябрь сен",
  "october oct oktober okt octubre outubro out octobre ottobre ott октября октябрь окт",
  "november nov noviembre novembro novembre ноября ноябрь ноя",
  "december dec dezember dez diciembre dic dezembro décembre déc dicembre декабря декабрь дек",
].map((names) => names.split(" "));
const BY_NAME = new Map(MONTHS.flatMap((names, at) => names.map((name) => [name, at + 1] as const)));
/** Words of their own as well, or names. */
const DOUBTFUL = new Set("may march mar mai mars sep set dec jan gen out ago marzo mayo mag".split(" "));

const NAME = `(${[...BY_NAME.keys()].sort((a, b) => b.length - a.length).join("|")})`;
const DAY = "(\\d{1,2})(?:st|nd|rd|th|\\.|º|er)?";
const NAMED = new RegExp(
  `(?<![\\p{L}\\d])(?:${DAY}[ -](?:de |of )?${NAME}(?!\\p{L})|${NAME}\\.?[ -]${DAY}(?![\\p{L}\\d:]))\\.?(?:(?:,? |-)(?:del? |of )?(\\d{4})(?!\\d))?`,
  "giu",
);
const YEAR_FIRST = /(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/gu;
const YEAR_LAST = /(?<![\d.])(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/gu;
const CHARACTERS = /(?<!\d)(?:(\d{4}) ?[年년] ?)?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日号일]/gu;

export interface WrittenDay {
  readonly text: string;
  readonly index: number;
  readonly year: string | undefined;
  readonly month: number;
  readonly day: number;
  /** Without a year, of a month that is a word of its own as well. */
  readonly isDoubtful: boolean;
}

/** In the order of the text. */
export function findDays(text: string): readonly WrittenDay[] {
  if (!/\d/.test(text)) return [];
  const found: WrittenDay[] = [];
  const add = (match: RegExpExecArray, year: string | undefined, month: number, day: string | undefined, name = "") => {
    const isDay = month >= 1 && month <= 12 && Number(day) >= 1 && Number(day) <= 31;
    const isDoubtful = year === undefined && DOUBTFUL.has(name);
    if (isDay) found.push({ text: match[0], index: match.index, year, month, day: Number(day), isDoubtful });
  };
  for (const match of text.matchAll(YEAR_FIRST)) add(match, match[1], Number(match[3]), match[4]);
  for (const match of text.matchAll(CHARACTERS)) add(match, match[1], Number(match[2]), match[3]);
  for (const match of text.matchAll(YEAR_LAST)) {
    const [, first, mark, second, year] = match;
    // Between dots the day stands first; elsewhere only where the other number can be no month.
    if (mark === "." || Number(first) > 12 || first === second) add(match, year, Number(second), first);
    else if (Number(second) > 12) add(match, year, Number(first), second);
  }
  for (const match of text.matchAll(NAMED)) {
    const name = (match[2] ?? match[3] ?? "").toLowerCase();
    add(match, match[5], BY_NAME.get(name) ?? 0, match[1] ?? match[4], name);
  }
  return found.sort((a, b) => a.index - b.index);
}

/** As `2031-02-03`; undefined for a day without a year, and for one that does not exist. */
export function isoDay({ year, month, day }: WrittenDay): string | undefined {
  const date = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  return year === undefined || readTime(date) === undefined ? undefined : date;
}

/** Real days with their year, in order, each with its place. */
export function findDates(text: string): readonly { readonly date: string; readonly at: number }[] {
  return findDays(text).flatMap((day) => {
    const date = isoDay(day);
    return date === undefined ? [] : [{ date, at: day.index }];
  });
}

/** The same number for the same day of any year. */
export function dayOfYear({ month, day }: WrittenDay): number {
  return month * 31 + day;
}

/** The text with something else in the place of its days. */
export function replaceDays(text: string, by: (day: WrittenDay) => string): string {
  let [replaced, at] = ["", 0];
  for (const day of findDays(text)) {
    if (day.index < at) continue;
    replaced += text.slice(at, day.index) + by(day);
    at = day.index + day.text.length;
  }
  return replaced + text.slice(at);
}

// Days that a text names less exactly than by day, by their last: months, quarters, halves, years. For what is still due;
// rather too late a day than too early a one.

const YEAR = "((?:20|21)\\d{2})(?!\\d)";
/** Two numbers may both be the month: the later one is taken. */
const PERIODS: readonly (readonly [form: RegExp, year: number, months: number])[] = [
  [new RegExp(`(?<!\\d)(?:(\\d{1,2})[./-])?(\\d{1,2})[./-]${YEAR}`, "gu"), 3, 1],
  [new RegExp(`(?<!\\d)${YEAR}(?:[-/.](\\d{1,2})(?![-/.]?\\d)| ?[年년] ?(\\d{1,2}) ?[月월])`, "gu"), 1, 1],
  [new RegExp(`(?<![\\p{L}\\d])[QT]([1-4])[ /,'-]{0,3}${YEAR}`, "giu"), 2, 3],
  [/(?<!\d)((?:20|21)\d{2})[ /-]?Q([1-4])(?!\d)/giu, 1, 3],
  [new RegExp(`(?<![\\p{L}\\d])H([12])[ /,'-]{0,3}${YEAR}`, "giu"), 2, 6],
  [
    new RegExp(
      `(?<!\\p{L})${NAME}\\p{L}{0,3}[.,]{0,2}[ \\t](?:del? )?(?:\\d{1,2}(?:st|nd|rd|th|\\.)?,?[ \\t])?${YEAR}`,
      "giu",
    ),
    2,
    1,
  ],
];
/** A number that follows so closely on the year of today is a year. */
const YEARS_AHEAD = 15;

/** The latest of them, as `2031-02-03`; undefined where there is none. */
export function latestPeriodEnd(text: string, now: number): string | undefined {
  if (!/\d/.test(text)) return undefined;
  let latest: string | undefined;
  const add = (year: string | undefined, month: number): void => {
    if (!(month >= 1 && month <= 12)) return;
    const end = isoTime(Date.UTC(Number(year), month, 0)).slice(0, "2031-02-03".length);
    if (latest === undefined || end > latest) latest = end;
  };
  for (const [form, year, months] of PERIODS) {
    for (const found of text.matchAll(form)) {
      for (const [at, part = ""] of found.entries())
        if (at > 0 && at !== year) add(found[year], BY_NAME.get(part.toLowerCase()) ?? Number(part) * months);
    }
  }
  const today = new Date(now).getUTCFullYear();
  for (const [, year] of text.matchAll(/(?<![\d.])((?:20|21)\d{2})(?!\d)/gu)) {
    const ahead = Number(year) - today;
    if (ahead > 0 && ahead <= YEARS_AHEAD) add(year, 12);
  }
  return latest;
}
