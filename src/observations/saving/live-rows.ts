// The rows that a call may change: those that exist and are live. Every id at fault is named.
import { CompactError } from "../../errors.ts";
import type { Observation } from "../observation.ts";
import type { ObservationReader } from "../observation-store.ts";

/** In the order of the ids. Throws `InvalidInput` for what is no id, `NotFound` for unknown, `Conflict` for deleted ones. */
export async function liveRows(rows: ObservationReader, ids: readonly number[]): Promise<readonly Observation[]> {
  const found = await existingRows(rows, ids);
  const deleted = found.filter((row) => row.deleted_at !== null).map((row) => row.id);
  if (deleted.length === 0) return found;
  throw new CompactError("Conflict", `Nothing was changed: ${named(deleted)} deleted.`, {
    code: "DELETED_OBSERVATION",
    hint: "Bring it back with mem_restore first, or use a live observation.",
    data: { deleted },
  });
}

/** Deleted ones too. Throws `InvalidInput` for what is no id, `NotFound` for unknown ones. */
export async function existingRows(rows: ObservationReader, ids: readonly number[]): Promise<readonly Observation[]> {
  for (const id of ids) checkId("id", id);
  const found = await rows.observations(ids);
  const known = new Set(found.map((row) => row.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return found;
  throw new CompactError("NotFound", `Nothing was changed: ${named(unknown)} not in the store.`, {
    code: "UNKNOWN_OBSERVATION",
    hint: "Look the id up with mem_search or mem_context.",
    data: { unknown },
  });
}

/** Throws `InvalidInput` for anything but a whole number above zero. */
export function checkId(name: string, id: number): void {
  if (Number.isSafeInteger(id) && id > 0) return;
  throw new CompactError("InvalidInput", `'${name}' must be a whole number above 0, not ${id}.`, {
    code: "INVALID_ID",
    hint: "Send an id as mem_search and mem_save give it.",
  });
}

function named(ids: readonly number[]): string {
  return ids.length === 1 ? `observation ${ids[0]} is` : `observations ${ids.join(", ")} are`;
}
