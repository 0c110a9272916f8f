// Reads whatever else keeps memories as objects with a text: JSON Lines and JSON arrays of unknown products. Fields are
// recognized by their usual names; nothing is guessed from values.
import type { JsonObject } from "../../../formats/json-shape.ts";
import { asArray, isObject } from "../../../formats/json-shape.ts";
import { cutAt } from "../../../text/cut.ts";
import { DEFAULT_SESSION } from "../../observation.ts";
import { normalizedHash, normalScope, normalTopicKey, withoutPrivate } from "../../saving/normal-form.ts";
import { createImportLog, type ImportLog } from "../import-log.ts";
import type { ImportedObservation, ImportedRows } from "../imported-rows.ts";
import { counterOf, filledText, idOf, keyOf, own, textOf, timeOf } from "./fields.ts";
import type { ReadText, RowReader } from "./row-reader.ts";
import { dropOthers, LONGEST_CONTENT, TOO_LONG } from "./table-rows.ts";

const CONTENT = ["content", "text", "memory", "note", "body"];
const CREATED = ["createdAt", "created_at", "timestamp"];
const UPDATED = ["updatedAt", "updated_at"];
const DELETED = ["deletedAt", "deleted_at"];
const SESSION = ["session_id", "sessionId"];
const TOPIC = ["topic_key", "topicKey"];
const KNOWN = new Set([
  ...["id", "title", "type", "project", "scope", "namespace", "tags", "tool_name", "revision_count", "duplicate_count"],
  ...[...CREATED, ...UPDATED, ...DELETED, ...SESSION, ...TOPIC],
]);
const LONGEST_TITLE = 80;
const MOST_TAGS = 20;
const LONGEST_TAG = 40;

export const plainReader: RowReader = {
  name: "plain",
  title: "list of objects with a text",
  matches: ({ values }) => values.some(({ value }) => isObject(value) && filledText(value, CONTENT) !== undefined),
  read: readPlain,
};

function readPlain({ values, faults }: ReadText): ImportedRows {
  const log = createImportLog();
  for (const { reason, position } of faults) log.skip(reason, position);
  const observations = values.flatMap(({ value, position }) => plainRow(value, position, log) ?? []);
  return { format: plainReader.name, sessions: [], observations, prompts: [], relations: [], ...log.read() };
}

function plainRow(item: unknown, position: string, log: ImportLog): ImportedObservation | undefined {
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
  const id = own(item, "id");
  if (idOf(id) === undefined && keyOf(id) !== undefined) log.drop("id (not a number that the store can keep)");
  const hash = normalizedHash(content);
  return {
    position,
    key: keyOf(id),
    id: idOf(id),
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
  if (created === undefined)
    log.note("no time of creation that can be read: the time of the import is taken", position);
  return {
    session_id: filledText(item, SESSION) ?? DEFAULT_SESSION,
    type: filledText(item, ["type"]) ?? "manual",
    title: (filledText(item, ["title"]) ?? firstLine(content)) + tagsOf(item, log),
    content,
    tool_name: filledText(item, ["tool_name"]) ?? null,
    project: filledText(item, ["project"]) ?? null,
    scope: normalScope(filledText(item, ["scope"])),
    topic_key: normalTopicKey(filledText(item, TOPIC)) ?? null,
    namespace: filledText(item, ["namespace"]) ?? null,
    normalized_hash: hash,
    revision_count: counterOf(own(item, "revision_count")),
    duplicate_count: counterOf(own(item, "duplicate_count")),
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
function tagsOf(item: JsonObject, log: ImportLog): string {
  const written = own(item, "tags");
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
