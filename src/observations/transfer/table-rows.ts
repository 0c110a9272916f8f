// Reads objects named as the columns of the reference schema are: the rows of its exports and of ours.
import { isObject, type JsonObject } from "../../text/json-values.ts";
import { toWellFormed } from "../../text/well-formed.ts";
import { readTime } from "../../time.ts";
import { COLUMNS, DEFAULT_SESSION, storedTime } from "../observation.ts";
import { normalizedHash, normalScope, normalTopicKey } from "../saving/stored-text.ts";
import type {
  ImportedEnd,
  ImportedObservation,
  ImportedPrompt,
  ImportedRelation,
  ImportedSession,
  ImportLog,
} from "./imported-rows.ts";

/** A longer text is refused by the store, too. */
export const LONGEST_CONTENT = 1_000_000;
export const TOO_LONG = "content over 1,000,000 UTF-16 units";
const NO_CONTENT = "no content";

/** Where the words of an observation stand: other products' exports have the same tables with another column. */
const CONTENT = ["content", "narrative", "text"];

export function sessionRow(item: unknown, position: string, log: ImportLog): ImportedSession | undefined {
  const id = isObject(item) ? ownText(item, "id") : undefined;
  if (!isObject(item) || id === undefined || id === "") {
    log.skip("a session without an id", position);
    return undefined;
  }
  dropOthers(item, columnsOf("sessions"), log);
  const { text } = typedFields(item, position, log);
  return {
    position,
    row: {
      id,
      project: text("project") ?? "",
      directory: text("directory") ?? "",
      started_at: timeOf(own(item, "started_at")),
      ended_at: optionalTime(item, "ended_at", position, log),
      summary: text("summary") ?? null,
    },
  };
}

export function observationRow(item: unknown, position: string, log: ImportLog): ImportedObservation | undefined {
  const field = isObject(item) ? CONTENT.find((name) => filledText(item, [name]) !== undefined) : undefined;
  const content = isObject(item) ? ownText(item, field ?? "content") : undefined;
  if (!isObject(item) || content === undefined || content.length > LONGEST_CONTENT) {
    log.skip(content === undefined ? NO_CONTENT : TOO_LONG, position);
    return undefined;
  }
  dropOthers(item, columnsOf("observations", field ?? ""), log);
  const { text, counter } = typedFields(item, position, log);
  const created = timeOf(own(item, "created_at"));
  const hash = normalizedHash(content);
  return {
    position,
    hash,
    key: keyOf(own(item, "id")),
    id: keptId(item, position, log),
    kind: "row",
    row: {
      session_id: text("session_id") || DEFAULT_SESSION,
      type: text("type") ?? "manual",
      title: text("title") ?? "",
      content,
      tool_name: text("tool_name") ?? null,
      project: text("project") ?? null,
      scope: normalScope(text("scope")),
      topic_key: normalTopicKey(text("topic_key")) ?? null,
      namespace: text("namespace") ?? null,
      normalized_hash: own(item, "normalized_hash") === null ? null : hash,
      revision_count: counter("revision_count"),
      duplicate_count: counter("duplicate_count"),
      last_seen_at: optionalTime(item, "last_seen_at", position, log),
      created_at: created,
      updated_at: optionalTime(item, "updated_at", position, log) ?? created,
      deleted_at: deletion(item, position, log),
    },
  };
}

export function promptRow(item: unknown, position: string, log: ImportLog): ImportedPrompt | undefined {
  const content = isObject(item) ? ownText(item, "content") : undefined;
  if (!isObject(item) || content === undefined || content.length > LONGEST_CONTENT) {
    log.skip(content === undefined ? NO_CONTENT : TOO_LONG, position);
    return undefined;
  }
  dropOthers(item, columnsOf("prompts"), log);
  const { text } = typedFields(item, position, log);
  return {
    position,
    id: keptId(item, position, log),
    row: {
      session_id: text("session_id") || DEFAULT_SESSION,
      content,
      project: text("project") ?? null,
      namespace: text("namespace") ?? null,
      created_at: timeOf(own(item, "created_at")),
    },
  };
}

export function relationRow(item: unknown, position: string, log: ImportLog): ImportedRelation | undefined {
  const from = isObject(item) ? relationEnd(item, "from") : undefined;
  const to = isObject(item) ? relationEnd(item, "to") : undefined;
  if (!isObject(item) || from === undefined || to === undefined) {
    log.skip("a relation without its two ends", position);
    return undefined;
  }
  dropOthers(item, columnsOf("relations", "from", "to"), log);
  const { text } = typedFields(item, position, log);
  return {
    position,
    from,
    to,
    type: text("type") || "relates_to",
    note: text("note") ?? null,
    created_at: timeOf(own(item, "created_at")),
  };
}

/** The id alone, or with what else is known of the row, as our lines write it. */
function relationEnd(item: JsonObject, name: "from" | "to"): ImportedEnd | undefined {
  const key = keyOf(own(item, `${name}_id`));
  const end = own(item, name);
  if (key === undefined) return undefined;
  const hash = isObject(end) ? ownText(end, "normalized_hash") : undefined;
  if (!isObject(end) || hash === undefined) return { key };
  return {
    key,
    // Lines say it of the first end only, and only where it is deleted.
    deleted_at: name === "to" ? undefined : isUnset(own(end, "deleted_at")) ? null : timeOf(own(end, "deleted_at")),
    identity: {
      id: idOf(own(item, `${name}_id`)),
      session_id: ownText(end, "session_id") ?? DEFAULT_SESSION,
      created_at: timeOf(own(end, "created_at")),
      normalized_hash: hash,
      type: ownText(end, "type") ?? "",
      title: ownText(end, "title") ?? "",
      project: ownText(end, "project") ?? null,
      scope: normalScope(ownText(end, "scope")),
      namespace: ownText(end, "namespace") ?? null,
    },
  };
}

function optionalTime(item: JsonObject, field: string, position: string, log: ImportLog): string | null {
  const written = own(item, field);
  if (isUnset(written)) return null;
  const time = timeOf(written);
  if (time === undefined) log.note(`${field} cannot be read as a time`, position);
  return time ?? null;
}

/** Undefined for a row that is deleted at an unknown time: it stays deleted. */
function deletion(item: JsonObject, position: string, log: ImportLog): string | null | undefined {
  return isUnset(own(item, "deleted_at")) ? null : (optionalTime(item, "deleted_at", position, log) ?? undefined);
}

export function dropOthers(item: JsonObject, known: ReadonlySet<string>, log: ImportLog): void {
  for (const field of Object.keys(item)) if (!known.has(field) && !isUnset(item[field])) log.drop(field);
}

function columnsOf(table: keyof typeof COLUMNS, ...more: readonly string[]): ReadonlySet<string> {
  return new Set([...Object.keys(COLUMNS[table]), ...more]);
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

// Reads single fields of unknown objects into column values: texts mended, times in the store's shape, numbers in
// their range. What is not what it should be is absent; `typedFields` says so, the others leave that to the caller.

/** The store counts on from its highest id, so a file's id must leave it room below the last exact integer. */
const HIGHEST_ID = 2 ** 48;
const MOST_COUNTED = 2 ** 31 - 1;

/** A text, mended where it holds half a character. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? toWellFormed(value) : undefined;
}

/** The first of the fields that is a text with more than white space in it. */
export function filledText(item: JsonObject, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const text = ownText(item, field);
    if (text !== undefined && text.trim() !== "") return text;
  }
  return undefined;
}

/** A field of the object's own, without `__proto__` and what every object inherits. */
export function own(item: JsonObject, field: string): unknown {
  return Object.hasOwn(item, field) ? item[field] : undefined;
}

export function ownText(item: JsonObject, field: string): string | undefined {
  return textOf(own(item, field));
}

/** Fields of one object; one that is there, but of another type, is noted by name and read as absent. */
interface TypedFields {
  text(field: string): string | undefined;
  /** The first that is a text with more than white space in it. */
  filled(fields: readonly string[]): string | undefined;
  /** At least 1. */
  counter(field: string): number;
}

export function typedFields(item: JsonObject, position: string, log: ImportLog): TypedFields {
  const check = (field: string, type: "string" | "number") => {
    const written = own(item, field);
    if (written !== undefined && written !== null && typeof written !== type) noteWrongType(field, position, log);
    return written;
  };
  return {
    text: (field) => textOf(check(field, "string")),
    filled(fields) {
      for (const field of fields) {
        const text = textOf(check(field, "string"));
        if (text !== undefined && text.trim() !== "") return text;
      }
      return undefined;
    },
    counter: (field) => counterOf(check(field, "number")),
  };
}

export function noteWrongType(field: string, position: string, log: ImportLog): void {
  log.note(`field of a wrong type: ${field}`, position);
}

/** The id that the store can keep. What else stands there only names the row inside of the file, which is said. */
export function keptId(item: JsonObject, position: string, log: ImportLog): number | undefined {
  const written = own(item, "id");
  const id = idOf(written);
  if (id !== undefined || written === undefined || written === null || written === "") return id;
  if (keyOf(written) === undefined) noteWrongType("id", position, log);
  else log.drop("id (not a number that the store can keep)");
  return undefined;
}

/** A whole number from 1, also in digits, that the store can keep as an id. */
function idOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 && number <= HIGHEST_ID
    ? number
    : undefined;
}

/** What relations may call a row by. */
export function keyOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A counter of the reference: at least 1. */
export function counterOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1 ? Math.min(value, MOST_COUNTED) : 1;
}

/** `YYYY-MM-DD HH:MM:SS`, or undefined where the time is missing or unreadable. */
export function timeOf(value: unknown): string | undefined {
  const at = readTime(value);
  return at === undefined || at < FIRST || at > LAST ? undefined : storedTime(at);
}

/** What years of four digits can say, offsets taken off. */
const FIRST = Date.UTC(100, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
