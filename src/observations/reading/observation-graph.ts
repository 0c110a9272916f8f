// The rows around a row: its relations in both directions, and what is reached over them within some steps. Deleted rows
// are named and go no further, and nothing of their text is told.
import { COMPACTED_FROM, type Observation, type Relation } from "../observation.ts";
import type { ObservationReader } from "../observation-store.ts";
import { type Successors, successorsOf } from "./standing.ts";

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

export interface Graph {
  /** Nearest first. */
  readonly nodes: readonly GraphNode[];
  /** There are more than are given. */
  readonly isBounded: boolean;
}

/** All relations of a row but `compacted_from`, ascending by id. */
export async function neighbourRelations(
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
export async function graphAround(rows: ObservationReader, id: number, depth: number): Promise<Graph> {
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
  return new Map(found.map((row) => [row.id, neighbourOf(row, successors)]));
}

function neighbourOf(row: Observation, successors: Successors): Neighbour {
  const isDeleted = row.deleted_at !== null;
  return {
    id: row.id,
    isDeleted,
    type: isDeleted ? null : row.type,
    title: isDeleted ? null : row.title,
    compactedInto: successors.get(row.id) ?? [],
  };
}

function otherEnd({ from_id, to_id }: Relation, id: number): number {
  return from_id === id ? to_id : from_id;
}
