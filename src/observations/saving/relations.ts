// Relations between live observations: which may be written, and that what compaction wrote stays with compaction.
import { CompactError } from "../../errors.ts";
import { COMPACTED_FROM, type Relation, storedTime } from "../observation.ts";
import type { ObservationReader, ObservationStore, ObservationWriter } from "../observation-store.ts";
import { checkId, liveRows } from "./named-rows.ts";
import { optionalText, requiredText } from "./stored-text.ts";

export interface RelateRequest {
  readonly fromId: number;
  readonly toId: number;
  /** Free text: `relates_to`, `implements`, `depends_on`, `caused_by`, `supersedes`, `part_of`, ... */
  readonly type: string;
  readonly note?: string | undefined;
  /** The same relation the other way too: both or none. */
  readonly isBidirectional?: boolean | undefined;
}

/**
 * The relations written, one or two.
 * @throws InvalidInput for a relation to itself, a blank type, or the type that only compaction writes; NotFound and
 * Conflict for unknown and deleted ends; Conflict where the relation exists.
 */
export async function relate(
  store: ObservationStore,
  request: RelateRequest,
  { now }: { readonly now: number },
): Promise<readonly Relation[]> {
  const { fromId, toId, isBidirectional = false } = request;
  const type = requiredText("relation_type", request.type);
  const note = optionalText("note", request.note);
  return store.write(async (rows) => {
    const there = await addRelation(rows, { from_id: fromId, to_id: toId, type, note, created_at: storedTime(now) });
    if (!isBidirectional) return [there];
    const { id: _, ...columns } = there;
    return [there, await addRelation(rows, { ...columns, from_id: toId, to_id: fromId })];
  });
}

/** The relation that was removed. @throws NotFound for an unknown id, Conflict for one that compaction wrote. */
export async function unrelate(store: ObservationStore, { id }: { readonly id: number }): Promise<Relation> {
  checkId("id", id);
  return store.write(async (rows) => {
    const relation = await rows.relation(id);
    if (relation === undefined) {
      throw new CompactError("NotFound", `Nothing was changed: relation ${id} is not in the store.`, {
        code: "UNKNOWN_RELATION",
        hint: "An observation is read with its relations and their ids.",
      });
    }
    const { type, from_id } = relation;
    if (type === COMPACTED_FROM) {
      const message = `Nothing was changed: relation ${id} says what observation ${from_id} stands for.`;
      throw new CompactError("Conflict", message, {
        code: "RESERVED_RELATION",
        hint: "Restore what that summary stands for instead.",
        data: { summary_id: from_id },
      });
    }
    await rows.removeRelation(id);
    return relation;
  });
}

/** One relation inside the caller's transaction; nothing is written where it throws. */
export async function addRelation(rows: ObservationWriter, relation: Omit<Relation, "id">): Promise<Relation> {
  const { from_id, to_id, type } = relation;
  checkId("from_id", from_id);
  checkId("to_id", to_id);
  if (from_id === to_id) {
    throw new CompactError("InvalidInput", `Nothing was changed: observation ${from_id} cannot be related to itself.`, {
      code: "SELF_RELATION",
      hint: "Send two different ids.",
    });
  }
  if (type === COMPACTED_FROM) {
    const message = `Nothing was changed: relations '${COMPACTED_FROM}' are written by compactions alone.`;
    const hint = "Choose another type: supersedes, part_of, ...";
    throw new CompactError("InvalidInput", message, { code: "RESERVED_RELATION", hint });
  }
  await liveRows(rows, [from_id, to_id]);
  const id = await rows.addRelation(relation);
  if (id === undefined) throw await existsAlready(rows, relation);
  return { id, ...relation };
}

async function existsAlready(rows: ObservationReader, { from_id, to_id, type }: Omit<Relation, "id">) {
  const known = (await rows.relations([from_id])).find(
    (relation) => relation.from_id === from_id && relation.to_id === to_id && relation.type === type,
  );
  const id = known === undefined ? "" : ` as relation ${known.id}`;
  return new CompactError("Conflict", `Nothing was changed: #${from_id} → #${to_id} of that type exists${id}.`, {
    code: "RELATION_EXISTS",
    hint: "Nothing more is needed, or remove that relation first to write it anew.",
    data: { from_id, to_id, relation_id: known?.id },
  });
}
