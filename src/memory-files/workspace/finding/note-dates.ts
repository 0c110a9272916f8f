// Which day a note is of, by its name. Only days that exist.
import { readTime } from "../../../time.ts";

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
