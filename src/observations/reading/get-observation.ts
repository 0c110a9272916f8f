// One row with everything that is known around it: its relations, the rows it stands for, or those that stand for it.
import { CompactError } from "../../errors.ts";
import { COMPACTED_FROM, type Observation } from "../observation.ts";
import type { ObservationStore } from "../observation-store.ts";
import { type Graph, graphAround, type NeighbourRelation, neighbourRelations } from "./observation-graph.ts";
import { readableRow } from "./standing.ts";

export const DEEPEST = 5;

export interface GetRequest {
  readonly id: number;
  /** Also a soft-deleted row. */
  readonly includeCompacted?: boolean | undefined;
  /** Steps of the graph around it, 0 to 5; 0 by default, which gives the direct relations alone. */
  readonly depth?: number | undefined;
}

export interface ReadObservation {
  readonly observation: Observation;
  /** Both directions, ascending by id; `compacted_from` is told by the next two. */
  readonly relations: readonly NeighbourRelation[];
  /** The rows it stands for, in the order in which they were compacted. */
  readonly compactedFrom: readonly number[];
  /** Of a deleted row: those that stand for it, latest first. */
  readonly compactedInto: readonly number[];
  readonly graph: Graph;
}

/**
 * @throws InvalidInput for an id or a depth that is none; NotFound for an unknown row, and for a deleted one unless
 * `includeCompacted`, with a hint that names what it was compacted into.
 */
export async function getObservation(store: ObservationStore, request: GetRequest): Promise<ReadObservation> {
  const { id, includeCompacted = false, depth = 0 } = request;
  if (!Number.isInteger(depth) || depth < 0 || depth > DEEPEST) {
    throw new CompactError("InvalidInput", `'depth' must be a whole number from 0 to ${DEEPEST}, not ${depth}.`, {
      code: "INVALID_DEPTH",
      hint: "Leave it out for the direct relations alone.",
    });
  }
  return store.read(async (rows) => {
    const row = await readableRow(rows, id, { includeCompacted });
    const relations = await rows.relations([id]);
    return {
      ...row,
      relations: await neighbourRelations(rows, id, relations),
      compactedFrom: relations
        .filter(({ type, from_id }) => type === COMPACTED_FROM && from_id === id)
        .map(({ to_id }) => to_id),
      graph: await graphAround(rows, id, depth),
    };
  });
}
