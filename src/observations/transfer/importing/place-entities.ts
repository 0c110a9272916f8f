// Puts the entities of a knowledge graph into the store. An entity is known by name and type; facts that the store's row
// lacks are added to it, facts that it has more stay.
import type { Observation } from "../../observation.ts";
import type { ObservationReader, ObservationWriter } from "../../observation-store.ts";
import { normalizedHash } from "../../saving/normal-form.ts";
import { joinFacts } from "../fact-list.ts";
import { type ImportedObservation, KNOWLEDGE_GRAPH } from "../imported-rows.ts";
import { timeOf } from "../readers/fields.ts";
import { LONGEST_CONTENT, TOO_LONG } from "../readers/table-rows.ts";
import { addRow, claim, type ImportState } from "./import-state.ts";

const PAGE = 1000;

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
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await reader.observationsAfter(after, PAGE);
    for (const row of page) if (row.tool_name === KNOWLEDGE_GRAPH) addToIndex(index, row);
    const last = page.at(-1);
    if (last === undefined) return index;
    after = last.id;
  }
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

function addToIndex(index: EntityIndex, row: Pick<Observation, "id" | "type" | "title" | "deleted_at">): void {
  const ofName = index.get(row.title) ?? [];
  ofName.push({ id: row.id, type: row.type, isLive: row.deleted_at === null });
  index.set(row.title, ofName);
}
