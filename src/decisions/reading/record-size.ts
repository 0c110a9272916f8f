// How large a record may be, in every log alike: what one log holds another one can be given. The folder reads files of
// 2.5 MB, and this much fits into one in any script.
import { CompactError } from "../../errors.ts";
import type { RawDecision } from "../decision.ts";

/** UTF-16 code units of the record as JSON. */
export const LONGEST_RECORD = 800_000;

/** @throws InvalidInput (`RECORD_TOO_LARGE`) for a record that is larger than a log takes. */
export function checkSize(record: RawDecision): void {
  const size = sizeOf(record);
  if (size > LONGEST_RECORD) throw tooLarge(size);
}

/**
 * A record that is too large already, as a file may be, can still be reviewed and marked.
 * @throws as `checkSize`.
 */
export function checkChangedSize(before: RawDecision, changes: RawDecision, after: RawDecision): void {
  checkSize(sizeOf(before) > LONGEST_RECORD ? changes : after);
}

function sizeOf(record: RawDecision): number {
  try {
    return JSON.stringify(record)?.length ?? 0;
  } catch {
    // What is no JSON is refused as such.
    return 0;
  }
}

function tooLarge(size: number): CompactError {
  const [has, most] = [size, LONGEST_RECORD].map((units) => units.toLocaleString("en-US"));
  return new CompactError(
    "InvalidInput",
    `Nothing was changed: the record has ${has} characters; the most is ${most}.`,
    {
      code: "RECORD_TOO_LARGE",
      hint: "Keep what was decided and why, and put the rest in a file that the record names.",
      data: { size, most: LONGEST_RECORD },
    },
  );
}
