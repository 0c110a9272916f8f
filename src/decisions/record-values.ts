// Values of records: read by key, as canonical JSON, copied, within the size that every log can hold.
import { CompactError } from "../errors.ts";
import type { RawDecision } from "./decision.ts";

// Values by key, as forgiving as is safe: what is not of the kind is as if it were absent.

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A key without a value says no more than a key that is not there. */
export function isSilent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Trimmed; undefined for what is blank or no text. */
export function text(value: unknown): string | undefined {
  const trimmed = typeof value === "string" ? value.trim() : "";
  return trimmed === "" ? undefined : trimmed;
}

export function textOrNumber(value: unknown): string | undefined {
  return typeof value === "number" && Number.isFinite(value) ? String(value) : text(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** From 0 to 1, also where it is written as text. */
export function share(value: unknown): number | undefined {
  const given = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof given === "number" && given >= 0 && given <= 1 ? given : undefined;
}

// JSON that is the same for values that are the same, whatever the order of their keys.

/** Values that JSON has no form for are written as it writes them: dates as text, undefined as nothing. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, item: unknown) => {
      if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
      return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? "null"
  );
}

// A record as a store gives it back: nobody changes it from outside afterwards, and every store holds the same of it.

/** As JSON has it. @throws InvalidInput. */
export function copiedRecord(raw: RawDecision): RawDecision {
  try {
    return JSON.parse(JSON.stringify(raw));
  } catch (cause) {
    throw new CompactError("InvalidInput", "Nothing was changed: the record holds a value that JSON has no form for.", {
      code: "UNREADABLE_RECORD",
      hint: "Give texts, numbers, true, false, null, lists and maps, without cycles.",
      cause,
    });
  }
}

// How large a record may be, in every log alike: what one log holds another one can be given. The folder reads files of
// 2.5 MB, and this much fits into one in any script.

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

// Ids that nobody chose.

/** 8 lower-case hex digits, as the decisions of the reference have. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
