// Takes one observation out of the live memory, or removes it for good where that is asked for.
import { CompactError } from "../../errors.ts";
import { COMPACTED_FROM, storedTime } from "../observation.ts";
import type { ObservationStore, ObservationWriter } from "../observation-store.ts";
import { existingRows } from "./live-rows.ts";

export interface DeleteObservationRequest {
  readonly id: number;
  /** True: the row and its relations cannot be brought back. A row that is soft-deleted already may be removed so. */
  readonly isHard?: boolean | undefined;
}

export interface DeletedObservation {
  readonly id: number;
  readonly isHard: boolean;
  /** Compacted rows it stood for: their link to it is gone after a hard delete, they can still be restored by id. */
  readonly stoodFor: readonly number[];
}

/** A soft delete sets `deleted_at` alone. @throws NotFound for an unknown id, Conflict for one deleted already. */
export async function deleteObservation(
  store: ObservationStore,
  { id, isHard = false }: DeleteObservationRequest,
  { now }: { readonly now: number },
): Promise<DeletedObservation> {
  return store.write(async (rows) => {
    const [row] = await existingRows(rows, [id]);
    if (!isHard && row?.deleted_at !== null) throw deletedAlready(id);
    const stoodFor = await standsFor(rows, id);
    if (isHard) await rows.removeObservation(id);
    else await rows.changeObservations([id], { deleted_at: storedTime(now) });
    return { id, isHard, stoodFor };
  });
}

async function standsFor(rows: ObservationWriter, id: number): Promise<readonly number[]> {
  const relations = await rows.relations([id]);
  return relations.filter(({ type, from_id }) => type === COMPACTED_FROM && from_id === id).map(({ to_id }) => to_id);
}

function deletedAlready(id: number): CompactError {
  return new CompactError("Conflict", `Nothing was changed: observation ${id} is deleted already.`, {
    code: "DELETED_OBSERVATION",
    hint: "mem_restore brings it back; hard_delete: true removes it for good.",
    data: { deleted: [id] },
  });
}
