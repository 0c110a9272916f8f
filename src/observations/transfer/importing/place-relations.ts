// Puts the relations of a file into the store, once the rows have their ids.
import type { ObservationWriter } from "../../observation-store.ts";
import type { ImportedEnd, ImportedRelation } from "../imported-rows.ts";
import type { ImportState } from "./import-state.ts";
import { findIdentity } from "./match-rows.ts";
import type { EntityIndex } from "./place-entities.ts";

/** `entities` where the file is a graph: it may relate what the store has from an earlier one. */
export async function placeRelations(
  writer: ObservationWriter,
  state: ImportState,
  relations: readonly ImportedRelation[],
  entities: EntityIndex | undefined,
): Promise<void> {
  for (const { position, from, to, type, note, created_at } of relations) {
    const from_id = await idOfEnd(writer, state, from, entities);
    const to_id = await idOfEnd(writer, state, to, entities);
    if (from_id === undefined || to_id === undefined) {
      state.log.skip("a relation to a row that is neither in the file nor in the store", position);
      continue;
    }
    const row = { from_id, to_id, type, note, created_at: created_at ?? state.now };
    if ((await writer.addRelation(row)) !== undefined) state.counts.relations += 1;
  }
}

async function idOfEnd(
  writer: ObservationWriter,
  state: ImportState,
  { key, identity }: ImportedEnd,
  entities: EntityIndex | undefined,
): Promise<number | undefined> {
  const known = state.ids.get(key);
  if (known !== undefined) return known;
  if (identity !== undefined) return findIdentity(writer, identity);
  const named = entities?.get(key);
  return (named?.find(({ isLive }) => isLive) ?? named?.[0])?.id;
}
