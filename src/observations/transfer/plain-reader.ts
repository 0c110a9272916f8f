// Reads whatever else keeps memories as objects with a text: JSON Lines and JSON arrays of unknown products. Fields are
// recognized by their usual names; nothing is guessed from values.
import { asArray, isObject, type JsonObject } from "../../text/json-values.ts";
import { cutAt } from "../../text/quote.ts";
import { DEFAULT_SESSION } from "../observation.ts";
import { normalizedHash, normalScope, normalTopicKey, withoutPrivate } from "../saving/stored-text.ts";
import {
  createImportLog,
  type ImportedObservation,
  type ImportedRows,
  type ImportLog,
  type ReadText,
  type RowReader,
} from "./imported-rows.ts";
import {
  dropOthers,
  filledText,
  keptId,
  keyOf,
  LONGEST_CONTENT,
  noteWrongType,
  own,
  TOO_LONG,
  textOf,
  timeOf,
  typedFields,
} from "./table-rows.ts";

const CONTENT = ["content", "text", "memory", "note", "body", "narrative", "fact"];
/** Under these names products wrap the list that they export. */
const WRAPPERS = [
  ...["memories", "results", "items", "entries", "documents", "notes", "facts", "records", "data"],
  // Of Zep's graphs and Letta's agents.
  ...["edges", "episodes", "passages", "archival_memory", "blocks", "core_memory"],
];
const CREATED = ["createdAt", "created_at", "timestamp"];
const UPDATED = ["updatedAt", "updated_at"];
/** A fact of Zep's that holds no more is not live. */
const DELETED = ["deletedAt", "deleted_at", "expired_at", "invalid_at"];
const SESSION = ["session_id", "sessionId", "thread_id", "run_id"];
/** Whose memory it is, where products keep those of several; what there is stands behind each other. */
const OWNERS = [["user_id", "userId"], ["agent_id", "agentId"], ["group_id", "groupId"], ["app_id"]];
const TOPIC = ["topic_key", "topicKey"];
const KNOWN = new Set([
  ...["id", "title", "type", "project", "scope", "namespace", "tags", "tool_name", "revision_count", "duplicate_count"],
  ...[...CREATED, ...UPDATED, ...DELETED, ...SESSION, ...TOPIC, ...OWNERS.flat(), "categories"],
]);
const LONGEST_TITLE = 80;
const MOST_TAGS = 20;
const LONGEST_TAG = 40;

export const plainReader: RowReader = {
  name: "plain",
  title: "list of objects with a text",
  matches: (text) => {
    const { values } = unwrapped(text);
    return values.some(({ value }) => isObject(value) && hasText(value)) || areTexts(values);
  },
  read: readPlain,
};

/** The list inside of the one object that wraps it; the text itself where there is none. */
function unwrapped(text: ReadText): ReadText {
  const file = text.values[0]?.value;
  if (!text.isObject || !isObject(file) || hasText(file)) return text;
  for (const name of WRAPPERS) {
    const list = own(file, name);
    if (isObject(list)) {
      const inner = unwrapped({ ...text, values: [{ value: list, position: name }] });
      if (!inner.isObject) return inner;
    }
    if (!Array.isArray(list) || list.length === 0) continue;
    const values = list.map((value: unknown, index) => ({ value, position: `${name}[${index}]` }));
    if (areTexts(values) || values.some(({ value }) => isObject(value) && hasText(value)))
      return { values, isObject: false, faults: text.faults };
  }
  return text;
}

function hasText(item: JsonObject): boolean {
  return filledText(item, CONTENT) !== undefined || isBlock(item);
}

/** A list of nothing but texts. */
function areTexts(values: ReadText["values"]): boolean {
  return values.length > 0 && values.every(({ value }) => typeof value === "string" && value.trim() !== "");
}

function readPlain(text: ReadText): ImportedRows {
  const { values, faults } = unwrapped(text);
  const log = createImportLog();
  for (const { reason, position } of faults) log.skip(reason, position);
  const observations = values.flatMap(({ value, position }) => plainRow(value, position, log) ?? []);
  return { format: plainReader.name, sessions: [], observations, prompts: [], relations: [], ...log.read() };
}

/** A block of Letta's core memory says under a label what it holds. */
function withoutLabel(item: unknown): unknown {
  if (!isObject(item) || filledText(item, CONTENT) !== undefined || !isBlock(item)) return item;
  const { label, value, ...rest } = item;
  return { title: label, content: value, ...rest };
}

function isBlock(item: JsonObject): boolean {
  return filledText(item, ["label"]) !== undefined && filledText(item, ["value"]) !== undefined;
}

function plainRow(given: unknown, position: string, log: ImportLog): ImportedObservation | undefined {
  const item = typeof given === "string" ? { content: given } : withoutLabel(given);
  const field = isObject(item) ? CONTENT.find((name) => filledText(item, [name]) !== undefined) : undefined;
  if (!isObject(item) || field === undefined) {
    log.skip("no text", position);
    return undefined;
  }
  const written = textOf(own(item, field)) ?? "";
  const content = /<private>/iu.test(written) ? withoutPrivate(written) : written;
  if (content.length > LONGEST_CONTENT) {
    log.skip(TOO_LONG, position);
    return undefined;
  }
  dropOthers(item, new Set([...KNOWN, field]), log);
  const hash = normalizedHash(content);
  return {
    position,
    key: keyOf(own(item, "id")),
    id: keptId(item, position, log),
    hash,
    kind: "row",
    row: columns(item, { content, hash }, position, log),
  };
}

function columns(
  item: JsonObject,
  { content, hash }: { readonly content: string; readonly hash: string },
  position: string,
  log: ImportLog,
): ImportedObservation["row"] {
  const created = timeAmong(item, CREATED, position, log);
  const { filled, counter } = typedFields(item, position, log);
  return {
    session_id: filled(SESSION) ?? DEFAULT_SESSION,
    type: filled(["type"]) ?? "manual",
    title: (filled(["title"]) ?? firstLine(content)) + tagsOf(item, position, log),
    content,
    tool_name: filled(["tool_name"]) ?? null,
    project: filled(["project"]) ?? null,
    scope: normalScope(filled(["scope"])),
    topic_key: normalTopicKey(filled(TOPIC)) ?? null,
    namespace: filled(["namespace"]) ?? (OWNERS.flatMap((names) => filled(names) ?? []).join("/") || null),
    normalized_hash: hash,
    revision_count: counter("revision_count"),
    duplicate_count: counter("duplicate_count"),
    last_seen_at: null,
    created_at: created,
    updated_at: timeAmong(item, UPDATED, position, log) ?? created,
    deleted_at: isDeleted(item) ? timeAmong(item, DELETED, position, log) : null,
  };
}

function firstLine(content: string): string {
  // Only the beginning is looked at: a content can be one line of a megabyte.
  const line =
    content
      .trimStart()
      .slice(0, LONGEST_TITLE * 4)
      .split(/[\r\n]/u, 1)[0] ?? "";
  const short = cutAt(line.trim(), LONGEST_TITLE);
  return short.length < line.trim().length ? `${short}…` : short;
}

/** Tags have no column; behind the title they can be searched for, and the content stays as it is. */
function tagsOf(item: JsonObject, position: string, log: ImportLog): string {
  const written = own(item, "tags") ?? own(item, "categories");
  const isTyped = Array.isArray(written)
    ? written.every((tag) => typeof tag === "string")
    : typeof written === "string";
  if (!isTyped && written !== undefined && written !== null) noteWrongType("tags", position, log);
  const tags = (typeof written === "string" ? written.split(",", MOST_TAGS) : asArray(written))
    .map((tag) => (textOf(tag) ?? "").trim())
    .filter((tag) => tag !== "");
  const kept = tags.slice(0, MOST_TAGS).filter((tag) => tag.length <= LONGEST_TAG);
  if (kept.length < tags.length) log.drop("tags (too many or too long)");
  return kept.length === 0 ? "" : ` [${kept.join(", ")}]`;
}

function isDeleted(item: JsonObject): boolean {
  return DELETED.some(
    (field) => own(item, field) !== undefined && own(item, field) !== null && own(item, field) !== "",
  );
}

function timeAmong(item: JsonObject, fields: readonly string[], position: string, log: ImportLog): string | undefined {
  for (const field of fields) {
    const written = own(item, field);
    const time = timeOf(written);
    if (time !== undefined) return time;
    if (written !== undefined && written !== null) log.note(`${field} cannot be read as a time`, position);
  }
  return undefined;
}
