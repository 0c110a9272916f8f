// Dates as people write them in notes, as `2031-02-03`. What may be another day elsewhere (3/2/2031) is no date.
import { readTime } from "../../../time.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const NAME =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "((?:19|20|21)\\d{2})";
const FORMS = [
  /(?<!\d)(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)/gu,
  /(?<!\d)(?<year>\d{4}) ?年 ?(?<month>\d{1,2}) ?月 ?(?<day>\d{1,2}) ?日/gu,
  new RegExp(`(?<![\\p{L}\\d])${NAME} ${DAY},? ${YEAR}(?!\\d)`, "giu"),
  new RegExp(`(?<![\\p{L}\\d])${DAY} ${NAME},? ${YEAR}(?!\\d)`, "giu"),
] as const;

export interface FoundDate {
  readonly date: string;
  /** Where it stands in the text, UTF-16 units. */
  readonly at: number;
}

/** Real days only, in no order. */
export function findDates(text: string): readonly FoundDate[] {
  if (!/\d/.test(text)) return [];
  return FORMS.flatMap((form, index) =>
    [...text.matchAll(form)].flatMap((match) => {
      const [, first = "", second = "", third = ""] = match;
      const { year, month, day } = match.groups ?? {};
      const date =
        index < 2
          ? dateOf(year, month, day)
          : index === 2
            ? dateOf(third, named(first), second)
            : dateOf(third, named(second), first);
      return date === undefined ? [] : [{ date, at: match.index }];
    }),
  );
}

function named(month: string): string {
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
