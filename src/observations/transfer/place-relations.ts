// Puts the relations of a file into the store, once the rows have their ids. A relation to itself is refused, as it is of
// an agent; what a row stands for, also where a restore here has ended that.
import { pushTo } from "../../text/words.ts";
import { COMPACTED_FROM, type Observation } from "../observation.ts";
import type { ObservationReader, ObservationWriter } from "../observation-store.ts";
import { FIRST_ID, pagesAfter } from "../pages.ts";
import { normalizedHash } from "../saving/stored-text.ts";
import { addRow, claim, findIdentity, type ImportState, type PlacedRow } from "./import-state.ts";
import {
  type ImportedEnd,
  type ImportedObservation,
  type ImportedRelation,
  joinFacts,
  KNOWLEDGE_GRAPH,
} from "./imported-rows.ts";
import { LONGEST_CONTENT, TOO_LONG, timeOf } from "./table-rows.ts";

interface PlacedRelation {
  readonly relation: ImportedRelation;
  readonly from: PlacedRow;
  readonly to: PlacedRow;
}

interface Refusal {
  /** The file contradicts itself; else the store has moved on. */
  readonly isForged: boolean;
  readonly reason: string;
}

/** `entities` where the file is a graph: it may relate what the store has from an earlier one. */
export async function placeRelations(
  writer: ObservationWriter,
  state: ImportState,
  relations: readonly ImportedRelation[],
  entities: EntityIndex | undefined,
): Promise<void> {
  const placed: PlacedRelation[] = [];
  for (const relation of relations) {
    const from = await placedEnd(writer, state, relation.from, entities);
    const to = await placedEnd(writer, state, relation.to, entities);
    if (from === undefined || to === undefined)
      state.log.skip("a relation to a row that is neither in the file nor in the store", relation.position);
    else if (from.id === to.id) state.log.skip("a relation of a row to itself", relation.position);
    else placed.push({ relation, from, to });
  }
  const refused = await refusals(writer, placed);
  for (const one of placed) {
    const refusal = refused.get(one);
    if (refusal === undefined) await addRelation(writer, state, one);
    else if (refusal.isForged) state.log.skip(refusal.reason, one.relation.position);
    else state.log.note(refusal.reason, one.relation.position);
  }
}

async function addRelation(writer: ObservationWriter, state: ImportState, { relation, from, to }: PlacedRelation) {
  const { type, note, created_at } = relation;
  const row = { from_id: from.id, to_id: to.id, type, note, created_at: created_at ?? state.now };
  if ((await writer.addRelation(row)) !== undefined) state.counts.relations += 1;
}

/** Those that must not be written, without those that are there already: of them there is nothing to say. */
async function refusals(
  reader: ObservationReader,
  placed: readonly PlacedRelation[],
): Promise<ReadonlyMap<PlacedRelation, Refusal>> {
  const refused = new Map<PlacedRelation, Refusal>();
  const compacted = placed.filter(({ relation }) => relation.type === COMPACTED_FROM);
  if (compacted.length === 0) return refused;
  const ids = new Set(compacted.flatMap(({ from, to }) => [from.id, to.id]));
  const rows = new Map((await reader.observations([...ids])).map((row) => [row.id, row]));
  for (const one of compacted) {
    const refusal = refusalOf(one, rows);
    if (refusal !== undefined) refused.set(one, refusal);
  }
  const targets = new Set([...refused.keys()].map(({ to }) => to.id));
  const known = new Set<string>();
  for (const { type, from_id, to_id } of targets.size === 0 ? [] : await reader.relations([...targets]))
    if (type === COMPACTED_FROM) known.add(`${from_id} ${to_id}`);
  for (const one of refused.keys()) if (known.has(`${one.from.id} ${one.to.id}`)) refused.delete(one);
  return refused;
}

function refusalOf({ from, to }: PlacedRelation, rows: ReadonlyMap<number, Observation>): Refusal | undefined {
  const stored = { from: rows.get(from.id), to: rows.get(to.id) };
  if (to.deleted_at === null)
    return { isForged: true, reason: `a relation ${COMPACTED_FROM} to a row that is live in the file` };
  if (stored.to === undefined || stored.to.deleted_at === null)
    return { isForged: false, reason: `a relation ${COMPACTED_FROM} to a row that is live here is not imported` };
  // A summary that a restore retired stands for nothing. One that came deleted, perhaps with an earlier part of the same
  // export, and rows that are deleted since then, are as the file has them.
  const isAsInFile = stored.from?.deleted_at === null || (isDeletedAs(from, stored.from) && isDeletedAs(to, stored.to));
  if (isAsInFile) return undefined;
  return { isForged: false, reason: `a relation ${COMPACTED_FROM} of a row that was deleted here is not imported` };
}

function isDeletedAs({ deleted_at }: PlacedRow, stored: Observation | undefined): boolean {
  return deleted_at === undefined || (deleted_at !== null && deleted_at === timeOf(stored?.deleted_at));
}

async function placedEnd(
  reader: ObservationReader,
  state: ImportState,
  { key, identity, deleted_at }: ImportedEnd,
  entities: EntityIndex | undefined,
): Promise<PlacedRow | undefined> {
  const known = state.keyed.get(key);
  if (known !== undefined) return known;
  const named = entities?.get(key);
  const id =
    identity === undefined
      ? (named?.find(({ isLive }) => isLive) ?? named?.[0])?.id
      : await findIdentity(reader, identity);
  return id === undefined ? undefined : { id, deleted_at };
}

// Puts the entities of a knowledge graph into the store. An entity is known by name and type; facts that the store's row
// lacks are added to it, facts that it has more stay.

interface KnownEntity {
  readonly id: number;
  readonly type: string;
  readonly isLive: boolean;
}

/** Entities of the store by name. */
export type EntityIndex = Map<string, KnownEntity[]>;

/** Reads every row once: there is no index by tool name, and only graphs need one. */
export async function readEntityIndex(reader: ObservationReader): Promise<EntityIndex> {
  const index: EntityIndex = new Map();
  for await (const page of pagesAfter((id, limit) => reader.observationsAfter(id, limit), FIRST_ID))
    for (const row of page) if (row.tool_name === KNOWLEDGE_GRAPH) addToIndex(index, row);
  return index;
}

export async function placeEntities(
  writer: ObservationWriter,
  state: ImportState,
  entities: readonly ImportedObservation[],
  index: EntityIndex,
): Promise<void> {
  for (const entity of entities) {
    const found = await findEntity(writer, entity, index);
    const isOld = found !== undefined && joinFacts(found.content, entity.row.content) === found.content;
    if (found !== undefined && (isOld || found.deleted_at === null)) await grow(writer, state, entity, found);
    else {
      // What was deleted stays deleted; what has been learned since is a row of its own.
      addToIndex(index, await addRow(writer, state, entity, undefined));
    }
  }
}

async function findEntity(reader: ObservationReader, { row }: ImportedObservation, index: EntityIndex) {
  const ofType = (index.get(row.title) ?? []).filter(({ type }) => type === row.type);
  const known = ofType.find(({ isLive }) => isLive) ?? ofType[0];
  return known === undefined ? undefined : (await reader.observations([known.id]))[0];
}

async function grow(
  writer: ObservationWriter,
  state: ImportState,
  entity: ImportedObservation,
  found: Observation,
): Promise<void> {
  claim(state, entity, found.id);
  const content = joinFacts(found.content, entity.row.content);
  if (content.length > LONGEST_CONTENT) return state.log.skip(TOO_LONG, entity.position);
  if (content === found.content) {
    if (content === entity.row.content) state.counts.unchanged += 1;
    else state.counts.kept_newer += 1;
    return;
  }
  const { updated_at } = entity.row;
  const isLater = updated_at !== undefined && updated_at > (timeOf(found.updated_at) ?? "");
  await writer.changeObservations([found.id], {
    content,
    normalized_hash: normalizedHash(content),
    revision_count: found.revision_count + 1,
    updated_at: isLater ? updated_at : state.now,
  });
  state.counts.updated += 1;
}

function addToIndex(index: EntityIndex, { id, type, title, deleted_at }: Observation): void {
  pushTo(index, title, { id, type, isLive: deleted_at === null });
}
