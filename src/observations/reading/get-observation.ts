// One row with everything that is known around it: its relations, the rows it stands for, or those that stand for it.
import { CompactError } from "../../errors.ts";
import { COMPACTED_FROM, type Observation, type Relation } from "../observation.ts";
import type { ObservationReader, ObservationStore } from "../observation-store.ts";
import { compactedIds, readableRow, successorsOf } from "./row-view.ts";

export const DEEPEST = 5;

interface GetRequest {
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
 * @throws InvalidInput for an invalid id or depth; NotFound for an unknown row, and for a deleted one unless
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
      compactedFrom: compactedIds(relations, id),
      graph: await graphAround(rows, id, depth),
    };
  });
}

// The rows around a row: its relations in both directions, and what is reached over them within some steps. Deleted rows
// are named and go no further, and nothing of their text is told.

/** Beyond these a graph is no longer something to read. */
const MOST_NODES = 200;

export interface Neighbour {
  readonly id: number;
  readonly isDeleted: boolean;
  /** Null for a deleted row, as the title. */
  readonly type: string | null;
  readonly title: string | null;
  /** Of a deleted row: the rows that stand for it, latest first. */
  readonly compactedInto: readonly number[];
}

export interface NeighbourRelation {
  readonly relation: Relation;
  /** `to`: leads from the row to the neighbour. */
  readonly direction: "to" | "from";
  readonly neighbour: Neighbour;
}

export interface GraphNode extends Neighbour {
  /** Steps from the row. */
  readonly depth: number;
  /** The relation over which it was reached first. */
  readonly via: Relation;
}

interface Graph {
  /** Nearest first. */
  readonly nodes: readonly GraphNode[];
  /** There are more than are given. */
  readonly isBounded: boolean;
}

/** All relations of a row but `compacted_from`, ascending by id. */
async function neighbourRelations(
  rows: ObservationReader,
  id: number,
  relations: readonly Relation[],
): Promise<readonly NeighbourRelation[]> {
  const shown = relations.filter(({ type }) => type !== COMPACTED_FROM);
  const neighbours = await neighboursOf(rows, [...new Set(shown.map((relation) => otherEnd(relation, id)))]);
  return shown.flatMap((relation) => {
    const neighbour = neighbours.get(otherEnd(relation, id));
    if (neighbour === undefined) return [];
    return [{ relation, direction: relation.from_id === id ? ("to" as const) : ("from" as const), neighbour }];
  });
}

/** Live rows are walked through breadth first, over every relation but `compacted_from`. */
async function graphAround(rows: ObservationReader, id: number, depth: number): Promise<Graph> {
  const seen = new Set([id]);
  const nodes: GraphNode[] = [];
  let frontier: readonly number[] = [id];
  for (let step = 1; step <= depth && frontier.length > 0; step++) {
    const reached = newEnds(await rows.relations(frontier), new Set(frontier), seen);
    const neighbours = await neighboursOf(rows, [...reached.keys()]);
    for (const [reachedId, via] of reached) {
      const neighbour = neighbours.get(reachedId);
      if (neighbour === undefined) continue;
      if (nodes.length === MOST_NODES) return { nodes, isBounded: true };
      nodes.push({ ...neighbour, depth: step, via });
    }
    frontier = nodes.filter((node) => node.depth === step && !node.isDeleted).map((node) => node.id);
  }
  return { nodes, isBounded: false };
}

/** Ends not seen before, with the relation that leads there. */
function newEnds(
  relations: readonly Relation[],
  frontier: ReadonlySet<number>,
  seen: Set<number>,
): ReadonlyMap<number, Relation> {
  const reached = new Map<number, Relation>();
  for (const relation of relations) {
    if (relation.type === COMPACTED_FROM) continue;
    const end = frontier.has(relation.from_id) ? relation.to_id : relation.from_id;
    if (seen.has(end)) continue;
    seen.add(end);
    reached.set(end, relation);
  }
  return reached;
}

async function neighboursOf(rows: ObservationReader, ids: readonly number[]): Promise<ReadonlyMap<number, Neighbour>> {
  const found = await rows.observations(ids);
  const successors = await successorsOf(rows, found);
  const neighbours = found.map(({ id, type, title, deleted_at }): Neighbour => {
    const isDeleted = deleted_at !== null;
    const text = isDeleted ? { type: null, title: null } : { type, title };
    return { id, isDeleted, ...text, compactedInto: successors.get(id) ?? [] };
  });
  return new Map(neighbours.map((neighbour) => [neighbour.id, neighbour]));
}

function otherEnd({ from_id, to_id }: Relation, id: number): number {
  return from_id === id ? to_id : from_id;
}
