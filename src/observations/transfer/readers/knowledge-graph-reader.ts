// Reads the memory file of a knowledge-graph server: entities with their facts, and relations by name. One entity is one
// observation with a list; forks that date each fact, or name the kind of a line `_type`, are read alike.
import type { JsonObject } from "../../../formats/json-shape.ts";
import { asArray, isObject } from "../../../formats/json-shape.ts";
import { DEFAULT_SESSION } from "../../observation.ts";
import { normalizedHash, withoutPrivate } from "../../saving/normal-form.ts";
import { factList } from "../fact-list.ts";
import { createImportLog, type ImportLog } from "../import-log.ts";
import {
  type ImportedObservation,
  type ImportedRelation,
  type ImportedRows,
  KNOWLEDGE_GRAPH,
} from "../imported-rows.ts";
import { filledText, own, ownText, textOf, timeOf, typedFields } from "./fields.ts";
import type { PlacedValue, ReadText, RowReader } from "./row-reader.ts";
import { dropOthers, LONGEST_CONTENT, TOO_LONG } from "./table-rows.ts";

const CREATED = ["createdAt", "created_at", "timestamp", "_savedAt"];
const UPDATED = ["updatedAt", "updated_at", "lastModified", "_savedAt"];
const ENTITY = new Set(["name", "entityType", "observations", "type", "_type", ...CREATED, ...UPDATED]);
const RELATION = new Set(["from", "to", "relationType", "type", "_type", ...CREATED]);
const FACT = new Set(["text", "content", "timestamp", "createdAt"]);

export const knowledgeGraphReader: RowReader = {
  name: "knowledge-graph",
  title: "knowledge graph",
  matches: (text) => itemsOf(text).some(({ value }) => isEntity(value) || isRelation(value)),
  read: readKnowledgeGraph,
};

function readKnowledgeGraph(text: ReadText): ImportedRows {
  const log = createImportLog();
  const observations: ImportedObservation[] = [];
  const relations: ImportedRelation[] = [];
  for (const { reason, position } of text.faults) log.skip(reason, position);
  for (const { value, position } of itemsOf(text)) {
    if (isEntity(value)) {
      const entity = entityRow(value, position, log);
      if (entity !== undefined) observations.push(entity);
    } else if (isRelation(value)) relations.push(relationBetween(value, position, log));
    else log.skip("neither an entity nor a relation", position);
  }
  return { format: knowledgeGraphReader.name, sessions: [], observations, prompts: [], relations, ...log.read() };
}

/** Lines, or one object `{entities, relations}`. */
function itemsOf({ values, isObject: isOne }: ReadText): readonly PlacedValue[] {
  const file = values[0]?.value as JsonObject;
  if (!isOne || !Array.isArray(own(file, "entities"))) return values;
  return ["entities", "relations"].flatMap((table) =>
    asArray(own(file, table)).map((value, index) => ({ value, position: `${table}[${index}]` })),
  );
}

function isEntity(value: unknown): value is JsonObject {
  return isObject(value) && filledText(value, ["name"]) !== undefined && Array.isArray(own(value, "observations"));
}

function isRelation(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  return ["from", "to", "relationType"].every((field) => filledText(value, [field]) !== undefined);
}

function entityRow(item: JsonObject, position: string, log: ImportLog): ImportedObservation | undefined {
  const { facts, times } = readFacts(asArray(own(item, "observations")), position, log);
  const content = factList(facts);
  if (content.length > LONGEST_CONTENT) {
    log.skip(TOO_LONG, position);
    return undefined;
  }
  dropOthers(item, ENTITY, log);
  const created = times[0] ?? firstTime(item, CREATED);
  const title = ownText(item, "name") ?? "";
  const hash = normalizedHash(content);
  return {
    position,
    hash,
    key: title,
    id: undefined,
    kind: "entity",
    row: {
      session_id: DEFAULT_SESSION,
      type: typedFields(item, position, log).filled(["entityType"]) ?? "entity",
      title,
      content,
      tool_name: KNOWLEDGE_GRAPH,
      project: null,
      scope: "project",
      topic_key: null,
      namespace: null,
      normalized_hash: hash,
      revision_count: 1,
      duplicate_count: 1,
      last_seen_at: null,
      created_at: created,
      updated_at: times.at(-1) ?? firstTime(item, UPDATED) ?? created,
      deleted_at: null,
    },
  };
}

function readFacts(items: readonly unknown[], position: string, log: ImportLog) {
  const facts: string[] = [];
  const times: string[] = [];
  for (const item of items) {
    const fact = isObject(item) ? (ownText(item, "text") ?? ownText(item, "content")) : textOf(item);
    if (fact === undefined || fact.trim() === "") log.note("a fact without text is left out", position);
    else facts.push(/<private>/iu.test(fact) ? withoutPrivate(fact) : fact);
    if (!isObject(item)) continue;
    const time = timeOf(own(item, "timestamp") ?? own(item, "createdAt"));
    if (time !== undefined) times.push(time);
    for (const field of Object.keys(item)) if (!FACT.has(field)) log.drop(`observations[].${field}`);
  }
  return { facts, times: times.sort() };
}

function relationBetween(item: JsonObject, position: string, log: ImportLog): ImportedRelation {
  dropOthers(item, RELATION, log);
  return {
    position,
    from: { key: ownText(item, "from") ?? "" },
    to: { key: ownText(item, "to") ?? "" },
    type: ownText(item, "relationType") ?? "",
    note: null,
    created_at: firstTime(item, CREATED),
  };
}

function firstTime(item: JsonObject, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const time = timeOf(own(item, field));
    if (time !== undefined) return time;
  }
  return undefined;
}
