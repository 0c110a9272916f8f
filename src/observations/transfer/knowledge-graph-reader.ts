// Reads the memory file of a knowledge-graph server: entities with their facts, and relations by name. One entity is one
// observation with a list; forks that date each fact, or name the kind of a line `_type`, are read alike.
import { asArray, isObject, type JsonObject } from "../../text/json-values.ts";
import { DEFAULT_SESSION } from "../observation.ts";
import { normalizedHash, withoutPrivate } from "../saving/stored-text.ts";
import {
  createImportLog,
  factList,
  type ImportedObservation,
  type ImportedRelation,
  type ImportedRows,
  type ImportLog,
  KNOWLEDGE_GRAPH,
  type PlacedValue,
  type ReadText,
  type RowReader,
} from "./imported-rows.ts";
import {
  dropOthers,
  filledText,
  LONGEST_CONTENT,
  own,
  ownText,
  TOO_LONG,
  textOf,
  timeOf,
  typedFields,
} from "./table-rows.ts";

const CREATED = ["createdAt", "created_at", "timestamp", "_savedAt"];
const UPDATED = ["updatedAt", "updated_at", "lastModified", "_savedAt"];
const ENTITY_TYPE = ["entityType", "entity_type"];
const ENTITY = new Set(["name", ...ENTITY_TYPE, "observations", "type", "_type", ...CREATED, ...UPDATED]);
const FROM = ["from", "from_entity", "fromEntity", "source"];
const TO = ["to", "to_entity", "toEntity", "target"];
const RELATION_TYPE = ["relationType", "relation_type", "relation"];
const ENDS = [FROM, TO, RELATION_TYPE];
const RELATION = new Set([...ENDS.flat(), "type", "_type", ...CREATED]);
const FACT_TEXT = ["text", "content", "observation", "fact"];
const FACT_TIME = ["timestamp", "createdAt", "created_at"];
const FACT = new Set([...FACT_TEXT, ...FACT_TIME]);

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

/** Lines, or one object `{entities, relations}`, in some forks inside of another, or with the entities by name. */
function itemsOf({ values, isObject: isOne }: ReadText): readonly PlacedValue[] {
  const file = values[0]?.value;
  if (!isOne || !isObject(file)) return values;
  const graph = [file, ...["graph", "knowledge_graph", "memory", "data"].map((name) => own(file, name))].find(
    hasEntities,
  );
  if (graph === undefined) return values;
  return ["entities", "relations"].flatMap((table) =>
    listOf(own(graph, table)).map(([value, key]) => ({ value, position: `${table}[${key}]` })),
  );
}

function hasEntities(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const entities = own(value, "entities");
  return Array.isArray(entities) || listOf(entities).some(([item]) => isEntity(item));
}

/** Items with what names their place; an entity that is kept by its name may leave it out. */
function listOf(table: unknown): readonly (readonly [item: unknown, key: string | number])[] {
  if (!isObject(table)) return asArray(table).map((item, index) => [item, index]);
  return Object.entries(table).map(([name, item]) => [isObject(item) ? { name, ...item } : item, name]);
}

function isEntity(value: unknown): value is JsonObject {
  return isObject(value) && filledText(value, ["name"]) !== undefined && Array.isArray(own(value, "observations"));
}

function isRelation(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  return ENDS.every((names) => filledText(value, names) !== undefined);
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
      type: typedFields(item, position, log).filled(ENTITY_TYPE) ?? "entity",
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
    const fact = isObject(item) ? filledText(item, FACT_TEXT) : textOf(item);
    if (fact === undefined || fact.trim() === "") log.note("a fact without text is left out", position);
    else facts.push(/<private>/iu.test(fact) ? withoutPrivate(fact) : fact);
    if (!isObject(item)) continue;
    const time = firstTime(item, FACT_TIME);
    if (time !== undefined) times.push(time);
    for (const field of Object.keys(item)) if (!FACT.has(field)) log.drop(`observations[].${field}`);
  }
  return { facts, times: times.sort() };
}

function relationBetween(item: JsonObject, position: string, log: ImportLog): ImportedRelation {
  dropOthers(item, RELATION, log);
  return {
    position,
    from: { key: filledText(item, FROM) ?? "" },
    to: { key: filledText(item, TO) ?? "" },
    type: filledText(item, RELATION_TYPE) ?? "",
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
