// Puts the observations of a file into the store in three passes over all of them: first those that the store has under
// their ids, then those whose ids are free, at last those that need new ones. A new id is above every id of the file
// then, so none of them takes the id of another row of it.
import type { Observation } from "../../observation.ts";
import type { ObservationWriter } from "../../observation-store.ts";
import type { ImportedObservation } from "../imported-rows.ts";
import { equalRows, takeEqual } from "./equal-rows.ts";
import { addRow, type ImportState } from "./import-state.ts";
import { findTopic, isSameRow } from "./match-rows.ts";
import { settleRow } from "./settle-row.ts";

type Rows = readonly ImportedObservation[];

export async function settleKnown(writer: ObservationWriter, state: ImportState, rows: Rows): Promise<void> {
  const byId = await rowsById(writer, rows);
  for (const imported of rows) await settleById(writer, state, imported, byId);
}

export async function addWithFreeIds(writer: ObservationWriter, state: ImportState, rows: Rows): Promise<void> {
  const waiting = rows.filter((imported) => imported.id !== undefined && !state.placed.has(imported));
  const byId = await rowsById(writer, waiting);
  for (const imported of waiting) {
    // A file may hold the same row twice: the first one is there by now.
    const isKnown = await settleById(writer, state, imported, byId);
    if (isKnown || imported.id === undefined || byId.has(imported.id)) continue;
    const placed = await settleOrAdd(writer, state, imported, imported.id);
    byId.set(placed.id, placed);
  }
}

export async function addWithNewIds(writer: ObservationWriter, state: ImportState, rows: Rows): Promise<void> {
  for (const imported of rows) {
    if (!state.placed.has(imported)) await settleOrAdd(writer, state, imported, undefined);
  }
}

async function settleById(
  writer: ObservationWriter,
  state: ImportState,
  imported: ImportedObservation,
  byId: Map<number, Observation>,
): Promise<boolean> {
  const found = imported.id === undefined ? undefined : byId.get(imported.id);
  if (found === undefined || !isSameRow(found, imported)) return false;
  byId.set(found.id, await settleRow(writer, state, imported, found));
  return true;
}

async function settleOrAdd(
  writer: ObservationWriter,
  state: ImportState,
  imported: ImportedObservation,
  id: number | undefined,
): Promise<Observation> {
  const equal = await equalRows(writer, state, imported);
  const found = takeEqual(equal, state, imported) ?? (await findTopic(writer, state, imported));
  if (found !== undefined) return settleRow(writer, state, imported, found);
  equal.added += 1;
  return addRow(writer, state, imported, id);
}

async function rowsById(writer: ObservationWriter, rows: Rows): Promise<Map<number, Observation>> {
  const found = await writer.observations(rows.flatMap(({ id }) => id ?? []));
  return new Map(found.map((row) => [row.id, row]));
}
