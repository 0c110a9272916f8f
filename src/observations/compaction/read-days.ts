// Reads an age in days, as requests of a compaction give it. Parts of a day are ages, too; an invalid age is refused by its name.
import { CompactError } from "../../errors.ts";

/** A hundred years: more is a slip of the keyboard. */
const MOST_DAYS = 36_500;

export function readDays(value: unknown): number {
  const days = typeof value === "string" && /^\s*\d{1,6}(\.\d{1,6})?\s*$/.test(value) ? Number(value) : value;
  if (typeof days === "number" && days > 0 && days <= MOST_DAYS) return days;
  const isTooLarge = typeof days === "number" && days > MOST_DAYS;
  throw new CompactError(
    "InvalidInput",
    isTooLarge
      ? `'older_than_days' must be at most ${MOST_DAYS}.`
      : "'older_than_days' is required and must be a number > 0.",
    { code: "INVALID_DAYS", hint: "Send the age in days as a number, e.g. older_than_days: 30." },
  );
}
