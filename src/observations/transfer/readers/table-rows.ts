// Reads objects named as the columns of the reference schema are: the rows of its exports and of ours.
import type { JsonObject } from "../../../formats/json-shape.ts";
import { isObject } from "../../../formats/json-shape.ts";
import { DEFAULT_SESSION, type Session } from "../../observation.ts";
import { normalizedHash, normalScope, normalTopicKey } from "../../saving/normal-form.ts";
import type { ImportLog } from "../import-log.ts";
import type { ImportedEnd, ImportedObservation, ImportedPrompt, ImportedRelation } from "../imported-rows.ts";
import { counterOf, idOf, keyOf, own, ownText, timeOf } from "./fields.ts";

/** A longer text is refused by the store, too. */
export const LONGEST_CONTENT = 1_000_000;
export const TOO_LONG = "content over 1,000,000 UTF-16 units";
const NO_CONTENT = "no content";
const NO_TIME = "no time of creation that can be read: the time of the import is taken";

const SESSION = new Set(["id", "project", "directory", "started_at", "ended_at", "summary"]);
const OBSERVATION = new Set([
  ...["id", "session_id", "type", "title", "content", "tool_name", "project", "scope", "topic_key", "namespace"],
  ...["normalized_hash", "revision_count", "duplicate_count", "last_seen_at", "created_at", "updated_at", "deleted_at"],
]);
const PROMPT = new Set(["id", "session_id", "content", "project", "namespace", "created_at"]);
const RELATION = new Set(["id", "from_id", "to_id", "type", "note", "created_at", "from", "to"]);

export function sessionRow(item: unknown, position: string, log: ImportLog): Session | undefined {
  const id = isObject(item) ? ownText(item, "id") : undefined;
  if (!isObject(item) || id === undefined || id === "") {
    log.skip("a session without an id", position);
    return undefined;
  }
  dropOthers(item, SESSION, log);
  const ended = optionalTime(item, "ended_at", position, log);
  const started = timeOf(own(item, "started_at"));
  if (started === undefined) log.note("no start of the session that can be read: its end or the import's", position);
  return {
    id,
    project: ownText(item, "project") ?? "",
    directory: ownText(item, "directory") ?? "",
    started_at: started ?? ended ?? "",
    ended_at: ended,
    summary: ownText(item, "summary") ?? null,
  };
}

export function observationRow(item: unknown, position: string, log: ImportLog): ImportedObservation | undefined {
  const content = isObject(item) ? ownText(item, "content") : undefined;
  if (!isObject(item) || content === undefined || content.length > LONGEST_CONTENT) {
    log.skip(content === undefined ? NO_CONTENT : TOO_LONG, position);
    return undefined;
  }
  dropOthers(item, OBSERVATION, log);
  const created = requiredTime(item, position, log);
  const hash = normalizedHash(content);
  return {
    position,
    hash,
    key: keyOf(own(item, "id")),
    id: idOf(own(item, "id")),
    kind: "row",
    row: {
      session_id: ownText(item, "session_id") || DEFAULT_SESSION,
      type: ownText(item, "type") ?? "manual",
      title: ownText(item, "title") ?? "",
      content,
      tool_name: ownText(item, "tool_name") ?? null,
      project: ownText(item, "project") ?? null,
      scope: normalScope(ownText(item, "scope")),
      topic_key: normalTopicKey(ownText(item, "topic_key")) ?? null,
      namespace: ownText(item, "namespace") ?? null,
      normalized_hash: own(item, "normalized_hash") === null ? null : hash,
      revision_count: counterOf(own(item, "revision_count")),
      duplicate_count: counterOf(own(item, "duplicate_count")),
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
  dropOthers(item, PROMPT, log);
  return {
    position,
    id: idOf(own(item, "id")),
    row: {
      session_id: ownText(item, "session_id") || DEFAULT_SESSION,
      content,
      project: ownText(item, "project") ?? null,
      namespace: ownText(item, "namespace") ?? null,
      created_at: requiredTime(item, position, log),
    },
  };
}

export function relationRow(item: unknown, position: string, log: ImportLog): ImportedRelation | undefined {
  const from = isObject(item) ? endOf(item, "from") : undefined;
  const to = isObject(item) ? endOf(item, "to") : undefined;
  if (!isObject(item) || from === undefined || to === undefined) {
    log.skip("a relation without its two ends", position);
    return undefined;
  }
  dropOthers(item, RELATION, log);
  return {
    position,
    from,
    to,
    type: ownText(item, "type") || "relates_to",
    note: ownText(item, "note") ?? null,
    created_at: timeOf(own(item, "created_at")),
  };
}

/** The id alone, or with what else is known of the row, as our lines write it. */
function endOf(item: JsonObject, name: "from" | "to"): ImportedEnd | undefined {
  const key = keyOf(own(item, `${name}_id`));
  const end = own(item, name);
  if (key === undefined) return undefined;
  const hash = isObject(end) ? ownText(end, "normalized_hash") : undefined;
  if (!isObject(end) || hash === undefined) return { key };
  return {
    key,
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

function requiredTime(item: JsonObject, position: string, log: ImportLog): string | undefined {
  const time = timeOf(own(item, "created_at"));
  if (time === undefined) log.note(NO_TIME, position);
  return time;
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

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
