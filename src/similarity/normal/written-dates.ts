// Dates as `2026-03-01`, in whatever language the month is named; without a year `--03-01`. What could be another
// day in another country (1/3/2026), and a month that is also a word, are left as they are.

const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    "january jan januar enero janvier janeiro",
    "february feb februar febrero février fevereiro",
    "march mar märz marzo mars março",
    "april apr abril avril",
    "may mai mayo maio",
    "june jun juni junio juin junho",
    "july jul juli julio juillet julho",
    "august aug agosto août",
    "september sep sept septiembre septembre setembro",
    "october oct oktober okt octubre octobre outubro",
    "november nov noviembre novembre novembro",
    "december dec dezember dez diciembre décembre dezembro",
  ].flatMap((names, at) => names.split(" ").map((name) => [name, at + 1] as const)),
);
const AMBIGUOUS = new Set(["may", "march", "mar", "mai", "mars", "sep", "dec", "jan", "marzo", "mayo"]);
const HAS_DIGIT = /\d/;
const JOINS = new Set(["of", "de"]);

export function joinDates(tokens: readonly string[]): readonly string[] {
  if (!tokens.some((token) => HAS_DIGIT.test(token))) return tokens;
  const joined: string[] = [];
  let at = 0;
  while (at < tokens.length) {
    const found = writtenDate(tokens, at);
    joined.push(found?.date ?? reordered(tokens[at] ?? ""));
    at += found?.length ?? 1;
  }
  return joined;
}

function writtenDate(tokens: readonly string[], at: number): { date: string; length: number } | undefined {
  // Most words are neither, and are seen to be so at once.
  if (!HAS_DIGIT.test(tokens[at] ?? "") && !MONTHS.has(tokens[at] ?? "")) return undefined;
  const isDayFirst = dayOf(tokens[at]) !== undefined;
  const monthAt = isDayFirst ? at + 1 + (JOINS.has(tokens[at + 1] ?? "") ? 1 : 0) : at;
  const name = tokens[monthAt] ?? "";
  const month = MONTHS.get(name);
  const day = isDayFirst ? dayOf(tokens[at]) : dayOf(tokens[at + 1]);
  if (month === undefined || day === undefined) return undefined;
  const behind = isDayFirst ? monthAt + 1 : at + 2;
  const yearAt = behind + (JOINS.has(tokens[behind] ?? "") && yearOf(tokens[behind + 1]) ? 1 : 0);
  const year = yearOf(tokens[yearAt]);
  if (year === undefined && AMBIGUOUS.has(name)) return undefined;
  const rest = `${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  return year === undefined
    ? { date: `--${rest}`, length: behind - at }
    : { date: `${year}-${rest}`, length: yearAt + 1 - at };
}

function dayOf(token = ""): number | undefined {
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(token) ?? [];
  const day = Number(digits);
  return day >= 1 && day <= 31 ? day : undefined;
}

function yearOf(token = ""): string | undefined {
  return /^(?:19|20|21)\d\d$/.test(token) ? token : undefined;
}

/** Year first with other signs, and the day first with dots, which is read in one way everywhere. */
function reordered(token: string): string {
  const [, year, month, day] = /^(\d{4})[/.](\d{2})[/.](\d{2})$/.exec(token) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}`;
  const [, first = "", second = "", last] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(token) ?? [];
  return last === undefined ? token : `${last}-${second.padStart(2, "0")}-${first.padStart(2, "0")}`;
}
