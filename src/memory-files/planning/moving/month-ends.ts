// Days that a text names less exactly than by day, by their last: months, quarters, years to come. For what is still due;
// rather too late a day than too early a one.
import { isoTime } from "../../../time.ts";

/** First letters, in the languages in which months are looked for, January first. */
const MONTHS = [
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
const YEAR = "((?:20|21)\\d{2})(?!\\d)";
const FORMS: readonly (readonly [form: RegExp, monthOf: (found: readonly string[]) => number, year: number])[] = [
  [new RegExp(`(?<!\\d)(\\d{1,2})[/.-]${YEAR}`, "gu"), ([, month]) => Number(month), 2],
  [new RegExp(`(?<!\\d)(\\d{1,2})([./-])(\\d{1,2})\\2${YEAR}`, "gu"), ([, a, , b]) => laterOf(Number(a), Number(b)), 4],
  [/(?<!\d)((?:20|21)\d{2})[-/.](\d{1,2})(?![-/.]?\d)/gu, ([, , month]) => Number(month), 1],
  [/(?<!\d)((?:20|21)\d{2}) ?[年년] ?(\d{1,2}) ?[月월]/gu, ([, , month]) => Number(month), 1],
  [new RegExp(`(?<![\\p{L}\\d])[QT]([1-4])[ /,'-]{0,3}${YEAR}`, "giu"), ([, quarter]) => Number(quarter) * 3, 2],
  [/(?<!\d)((?:20|21)\d{2})[ /-]?Q([1-4])(?!\d)/giu, ([, , quarter]) => Number(quarter) * 3, 1],
  [new RegExp(`(?<![\\p{L}\\d])H([12])[ /,'-]{0,3}${YEAR}`, "giu"), ([, half]) => Number(half) * 6, 2],
  [new RegExp(`(?<!\\p{L})(\\p{L}{3,12})[.,]{0,2}[ \\t](?:del? )?${YEAR}`, "gu"), ([, name]) => named(name), 2],
  [
    new RegExp(`(?<!\\p{L})(\\p{L}{3,12})\\.?[ \\t]\\d{1,2}(?:st|nd|rd|th)?,?[ \\t]${YEAR}`, "gu"),
    ([, name]) => named(name),
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
  for (const [form, monthOf, year] of FORMS) {
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

function named(name = ""): number {
  const lower = name.toLowerCase();
  return MONTHS.findIndex((names) => names.some((each) => lower.startsWith(each))) + 1;
}
