// Decides between the file's and the store's state of one row: the later one stays. Nothing is taken from a state that is
// as old as the store's.
import { COMPACTED_FROM, type Observation } from "../../observation.ts";
import type { ObservationWriter } from "../../observation-store.ts";
import type { ImportedObservation, UndatedObservation } from "../imported-rows.ts";
import { timeOf } from "../readers/fields.ts";
import { claim, type ImportState } from "./import-state.ts";

const SAID = ["type", "title", "content", "tool_name", "project", "scope", "topic_key", "namespace"] as const;

/** Gives the row as it stands afterwards. */
export async function settleRow(
  writer: ObservationWriter,
  state: ImportState,
  imported: ImportedObservation,
  found: Observation,
): Promise<Observation> {
  claim(state, imported, found.id);
  const { row } = imported;
  const age = row.updated_at === undefined ? 0 : compareAge(row, row.updated_at, found);
  if (age > 0 && row.updated_at !== undefined) {
    const changes = changesTo(found, imported, row.updated_at);
    await writer.changeObservations([found.id], changes);
    if (found.deleted_at !== null && changes.deleted_at === null) await releaseRow(writer, found.id);
    state.counts.updated += 1;
    return { ...found, ...changes };
  }
  if (age < 0) state.counts.kept_newer += 1;
  else state.counts.unchanged += 1;
  if (age === 0 && !saysTheSame(row, found))
    state.log.note("the store's row differs, but is as new: it is left as it is", imported.position);
  return found;
}

/** Nothing stands for a row that is live again. */
async function releaseRow(writer: ObservationWriter, id: number): Promise<void> {
  for (const relation of await writer.relations([id]))
    if (relation.type === COMPACTED_FROM && relation.to_id === id) await writer.removeRelation(relation.id);
}

/** Above 0 where the file's state is the later one. */
function compareAge(row: UndatedObservation, updatedAt: string, found: Observation): number {
  const stored = timeOf(found.updated_at);
  if (stored === undefined || updatedAt > stored) return 1;
  return updatedAt < stored ? -1 : row.revision_count - found.revision_count;
}

function saysTheSame(row: UndatedObservation, found: Observation): boolean {
  return (
    SAID.every((field) => row[field] === found[field]) && (row.deleted_at === null) === (found.deleted_at === null)
  );
}

function changesTo(found: Observation, { row, hash }: ImportedObservation, updatedAt: string): Partial<Observation> {
  const { id: _id, session_id: _session, created_at: _created, ...before } = found;
  const said = Object.fromEntries(SAID.map((field) => [field, row[field]]));
  return {
    ...before,
    ...said,
    normalized_hash: hash,
    revision_count: row.revision_count,
    duplicate_count: Math.max(row.duplicate_count, found.duplicate_count),
    last_seen_at: row.last_seen_at ?? found.last_seen_at,
    updated_at: updatedAt,
    deleted_at: deletionOf(found, row, updatedAt),
  };
}

/** What was deleted here after the file's state was written stays deleted. */
function deletionOf(found: Observation, row: UndatedObservation, updatedAt: string): string | null {
  if (row.deleted_at !== null) return row.deleted_at ?? updatedAt;
  const here = found.deleted_at === null ? undefined : timeOf(found.deleted_at);
  return here !== undefined && here >= updatedAt ? found.deleted_at : null;
}
