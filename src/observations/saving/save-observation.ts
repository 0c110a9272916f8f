// Saves one observation, whole, and relates it to others in the same transaction.
import { CompactError } from "../../errors.ts";
import { DEFAULT_SESSION, type Observation, type Relation, storedTime } from "../observation.ts";
import type { ObservationStore, ObservationWriter } from "../observation-store.ts";
import { normalScope, normalTopicKey } from "./normal-form.ts";
import { addRelation } from "./relations.ts";
import { exactName, namespaceIn, optionalText, requiredText } from "./stored-text.ts";
import { type SaveOutcome, writeObservation } from "./write-observation.ts";

export interface SaveObservationRequest {
  readonly title: string;
  readonly content: string;
  /** Default `manual`. */
  readonly type?: string | undefined;
  /** Default `manual-save`; added when there is none of this id. */
  readonly sessionId?: string | undefined;
  readonly project?: string | undefined;
  /** Default `project`. */
  readonly scope?: string | undefined;
  /** Saving again under the same key, project, scope and namespace replaces the text. */
  readonly topicKey?: string | undefined;
  readonly namespace?: string | undefined;
  readonly toolName?: string | undefined;
  /** Observations it relates to, by `relates_to`. One that cannot be related is reported; the save stands. */
  readonly relateTo?: readonly number[] | undefined;
}

export interface SavedObservation {
  readonly observation: Observation;
  readonly outcome: SaveOutcome;
  readonly relations: readonly Relation[];
  /** The reason reads after the id: "is deleted". */
  readonly refusedRelations: readonly { readonly id: number; readonly reason: string }[];
}

/** @throws InvalidInput for a blank or too long text, and for a namespace where the database has none. */
export async function saveObservation(
  store: ObservationStore,
  request: SaveObservationRequest,
  { now }: { readonly now: number },
): Promise<SavedObservation> {
  const columns = {
    session_id: exactName("session_id", request.sessionId) ?? DEFAULT_SESSION,
    type: optionalText("type", request.type) ?? "manual",
    title: requiredText("title", request.title),
    content: requiredText("content", request.content),
    tool_name: exactName("tool_name", request.toolName),
    project: exactName("project", request.project),
    scope: normalScope(request.scope),
    topic_key: normalTopicKey(exactName("topic_key", request.topicKey) ?? undefined) ?? null,
  };
  return store.write(async (rows) => {
    const namespace = namespaceIn(rows, request.namespace);
    const { id, outcome } = await writeObservation(rows, { ...columns, namespace }, { now });
    const related = await relateToAll(rows, id, request.relateTo ?? [], now);
    return { observation: await rowOf(rows, id), outcome, ...related };
  });
}

async function relateToAll(rows: ObservationWriter, from: number, targets: readonly number[], now: number) {
  const relations: Relation[] = [];
  const refusedRelations: { id: number; reason: string }[] = [];
  for (const id of new Set(targets)) {
    const relation = { from_id: from, to_id: id, type: "relates_to", note: null, created_at: storedTime(now) };
    try {
      relations.push(await addRelation(rows, relation));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusedRelations.push({ id, reason: REASONS[error.code] ?? error.code });
    }
  }
  return { relations, refusedRelations };
}

const REASONS: Readonly<Record<string, string>> = {
  INVALID_ID: "is no id",
  SELF_RELATION: "is the observation itself",
  UNKNOWN_OBSERVATION: "is not in the store",
  DELETED_OBSERVATION: "is deleted",
  RELATION_EXISTS: "is related already",
};

/** What `addRelation` found wrong with the id, not what failed in the store. */
function isRefusal(error: unknown): error is CompactError {
  return CompactError.isInstance(error) && error.kind !== "StoreFailed";
}

async function rowOf(rows: ObservationWriter, id: number): Promise<Observation> {
  const [row] = await rows.observations([id]);
  if (row !== undefined) return row;
  throw new CompactError("StoreFailed", `observation ${id} was written and is not there`, {
    hint: "Check the database for triggers that remove rows.",
  });
}
