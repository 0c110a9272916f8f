// Changes the fields of one live observation that are given, and no other.
import { CompactError } from "../../errors.ts";
import { type Observation, storedTime } from "../observation.ts";
import type { ObservationReader, ObservationStore } from "../observation-store.ts";
import { compactedIds } from "../reading/row-view.ts";
import { existingRows, liveRows } from "./named-rows.ts";
import { exactName, normalizedHash, normalScope, requiredText, topicKeyOf } from "./stored-text.ts";

/** An absent field stays. */
export interface UpdateObservationRequest {
  readonly id: number;
  readonly title?: string | undefined;
  readonly content?: string | undefined;
  readonly type?: string | undefined;
  /** Blank: of no project. */
  readonly project?: string | undefined;
  readonly scope?: string | undefined;
  /** Blank: of no topic. */
  readonly topicKey?: string | undefined;
}

type Changes = Partial<Omit<Observation, "id">>;

/**
 * The row as it is then.
 * @throws NotFound and Conflict for an unknown and a deleted id; InvalidInput where nothing was given to change, or a
 * field that must not be blank is; Conflict where another live row has the topic already.
 */
export async function updateObservation(
  store: ObservationStore,
  request: UpdateObservationRequest,
  { now }: { readonly now: number },
): Promise<Observation> {
  const changes = changesOf(request);
  if (Object.keys(changes).length === 0) throw nothingGiven();
  return store.write(async (rows) => {
    const [row] = (await liveRows(rows, [request.id])) as [Observation];
    const columns = { ...changes, revision_count: row.revision_count + 1, updated_at: storedTime(now) };
    const updated: Observation = { ...row, ...columns };
    await refuseTakenTopic(rows, row, updated);
    await rows.changeObservations([row.id], columns);
    return updated;
  });
}

function changesOf({ title, content, type, project, scope, topicKey }: UpdateObservationRequest): Changes {
  const stored = content === undefined ? undefined : requiredText("content", content);
  return {
    ...(title === undefined ? {} : { title: requiredText("title", title) }),
    ...(stored === undefined ? {} : { content: stored, normalized_hash: normalizedHash(stored) }),
    ...(type === undefined ? {} : { type: requiredText("type", type) }),
    ...(project === undefined ? {} : { project: exactName("project", project) }),
    ...(scope === undefined ? {} : { scope: normalScope(requiredText("scope", scope)) }),
    ...(topicKey === undefined ? {} : { topic_key: topicKeyOf(topicKey) }),
  };
}

/** At most one live row a topic: the next save of it would not know which to replace. */
async function refuseTakenTopic(rows: ObservationReader, row: Observation, updated: Observation): Promise<void> {
  const { topic_key, project, scope, namespace } = updated;
  const isSamePlace = topic_key === row.topic_key && project === row.project && scope === row.scope;
  if (topic_key === null || isSamePlace) return;
  const other = await rows.ofTopic(topic_key, project, scope, namespace);
  if (other === undefined || other.id === row.id) return;
  throw new CompactError("Conflict", `Nothing was changed: observation ${other.id} has that topic_key already.`, {
    code: "TOPIC_TAKEN",
    hint: `Update observation ${other.id}, or choose another topic_key.`,
    data: { id: row.id, other: other.id },
  });
}

function nothingGiven(): CompactError {
  return new CompactError("InvalidInput", "Nothing was given to change.", {
    code: "NO_CHANGES",
    hint: "Send at least one of title, content, type, project, scope, topic_key.",
  });
}

// Takes one observation out of the live memory, or removes it for good where that is asked for.

interface DeleteObservationRequest {
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
    const stoodFor = compactedIds(await rows.relations([id]), id);
    if (isHard) await rows.removeObservation(id);
    else await rows.changeObservations([id], { deleted_at: storedTime(now) });
    return { id, isHard, stoodFor };
  });
}

function deletedAlready(id: number): CompactError {
  return new CompactError("Conflict", `Nothing was changed: observation ${id} is deleted already.`, {
    code: "DELETED_OBSERVATION",
    hint: "Restore it, or delete it for good.",
    data: { deleted: [id] },
  });
}
