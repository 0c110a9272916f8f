// A day as people write it, as `YYYY-MM-DD`. Two numbers that could both be the month are left alone: a wrong date would
// age a record that is young.

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] as const;
const YEAR_FIRST = /(?<!\d)(\d{4})(?:[-/.]|年\s?)(\d{1,2})(?:[-/.]|月\s?)(\d{1,2})(?!\d)/;
const YEAR_LAST = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/;
const DAY_MONTH = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?\.?\s{1,3}(?:of\s)?([A-Z][a-z]{2,8})\.?,?\s{1,3}(\d{4})(?!\d)/i;
const MONTH_DAY = /\b([A-Z][a-z]{2,8})\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,3}(\d{4})(?!\d)/i;

/** The first day in the text; undefined without one. */
export function readDay(text: string): string | undefined {
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return toDay(year, Number(month), Number(day));
  const [, left, mark, right, late] = YEAR_LAST.exec(text) ?? [];
  if (late !== undefined) return dayAndMonth(Number(left), Number(right), mark === ".", late);
  const [, day1, name1, year1] = DAY_MONTH.exec(text) ?? [];
  if (year1 !== undefined) return toDay(year1, monthOf(name1), Number(day1));
  const [, name2, day2, year2] = MONTH_DAY.exec(text) ?? [];
  return year2 === undefined ? undefined : toDay(year2, monthOf(name2), Number(day2));
}

/** Between dots the day stands first; elsewhere only where the other number can be no month. */
function dayAndMonth(left: number, right: number, isDotted: boolean, year: string): string | undefined {
  if (isDotted || left > 12 || left === right) return toDay(year, right, left);
  return right > 12 ? toDay(year, left, right) : undefined;
}

function monthOf(name = ""): number {
  return MONTHS.findIndex((month) => name.toLowerCase().startsWith(month)) + 1;
}

function toDay(year: string, month: number, day: number): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
