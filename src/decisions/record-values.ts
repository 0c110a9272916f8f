// Values of records: read by key, as JSON, within the size that every log can contain; and why a log takes none.
import { CompactError } from "../errors.ts";
import { figure } from "../text/figures.ts";
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

/** Without the keys that say nothing: undefined, null, empty texts and lists. */
export function withoutSilent(record: RawDecision): RawDecision {
  const isEmpty = (value: unknown) => isSilent(value) || value === "" || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
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

// A record as every log alike takes it: JSON, and no longer than a log takes. The folder reads files of 2.5 MB, and this
// much fits into one in any script, so what one log contains another one can be given.

/** UTF-16 code units of the record as JSON. */
export const LONGEST_RECORD = 800_000;

/** @throws InvalidInput (`UNREADABLE_RECORD`, `RECORD_TOO_LARGE`). */
export function recordJson(raw: RawDecision): string {
  const json = toJson(raw);
  if (json.length > LONGEST_RECORD) throw tooLarge(json.length);
  return json;
}

/**
 * The record with its changes. One that is too large already, as a file may be, can still be reviewed and marked.
 * @throws as `recordJson`.
 */
export function changedRecordJson(before: RawDecision, changes: RawDecision): string {
  const after = { ...before, ...changes };
  if (toJson(before).length <= LONGEST_RECORD) return recordJson(after);
  recordJson(changes);
  return toJson(after);
}

function toJson(raw: RawDecision): string {
  try {
    return JSON.stringify(raw) ?? "null";
  } catch (cause) {
    throw unreadableRecord("It has a value that JSON has no form for.", cause);
  }
}

function tooLarge(size: number): CompactError {
  const [has, most] = [size, LONGEST_RECORD].map(figure);
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

// Why a log does not take a record or a change.

export const OTHER_ID = "A change may not give a record another id.";

export function unreadableRecord(why = "", cause?: unknown): CompactError {
  return new CompactError("InvalidInput", `Nothing was changed: the record could not be read back. ${why}`.trim(), {
    code: "UNREADABLE_RECORD",
    hint: "A record is a map of texts, numbers, lists and maps, with an id and a text under decision or summary.",
    ...(cause === undefined ? {} : { cause }),
  });
}

export function decisionExists(id: string): CompactError {
  return new CompactError("Conflict", `Nothing was changed: decision ${id.slice(0, 200)} exists already.`, {
    code: "DECISION_EXISTS",
    hint: "Take another id, or review the decision that has it.",
    data: { id },
  });
}

export function unknownDecision(id: string): CompactError {
  return new CompactError("NotFound", `Nothing was changed: decision ${id.slice(0, 200)} is not in the log.`, {
    code: "UNKNOWN_DECISION",
    hint: "List the decisions and take an id from there.",
    data: { id },
  });
}

// Ids that nobody chose.

/** 8 lower-case hex digits, as the decisions of the reference have. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
