// What follows the content of a single row, entry by entry: what it was compacted from, its relations, the graph.
import * as z from "zod";
import type { ReadObservation } from "../../../observations/reading/get-observation.ts";
import type { GraphNode, Neighbour, NeighbourRelation } from "../../../observations/reading/observation-graph.ts";
import { snippetOf } from "../../../observations/reading/snippet.ts";
import { standingMark } from "../../../observations/reading/standing.ts";
import { nameOf } from "./row-text.ts";

export type ListEntry =
  | { readonly list: "compacted_from"; readonly id: number }
  | { readonly list: "relations"; readonly entry: NeighbourRelation }
  | { readonly list: "graph"; readonly entry: GraphNode };

const neighbourOutput = {
  id: z.int().describe("The other observation"),
  title: z.string().nullable().describe("Null for one that is deleted"),
  observation_type: z.string().nullable(),
  deleted: z.boolean(),
  compacted_into: z.array(z.int()).describe("Of a compacted one: what stands for it, latest first"),
};

export const listsOutput = {
  compacted_from: z.array(z.int()).optional().describe("What this observation stands for, in order"),
  relations: z
    .array(
      z.object({
        relation_id: z.int(),
        direction: z.enum(["to", "from"]).describe("to: leads from this observation to the other"),
        type: z.string(),
        note: z.string().nullable(),
        ...neighbourOutput,
      }),
    )
    .optional(),
  graph: z
    .array(
      z.object({
        depth: z.int(),
        via: z.object({ from_id: z.int(), to_id: z.int(), type: z.string() }),
        ...neighbourOutput,
      }),
    )
    .optional()
    .describe("What is reached over relations within depth steps, nearest first"),
};

export function listEntries({ compactedFrom, relations, graph }: ReadObservation): readonly ListEntry[] {
  return [
    ...compactedFrom.map((id) => ({ list: "compacted_from" as const, id })),
    ...relations.map((entry) => ({ list: "relations" as const, entry })),
    ...graph.nodes.map((entry) => ({ list: "graph" as const, entry })),
  ];
}

const HEADINGS = { compacted_from: "## Compacted From", relations: "## Relations", graph: "## Graph Context" };

export function listsText(entries: readonly ListEntry[]): string {
  let text = "";
  let last: ListEntry["list"] | undefined;
  for (const entry of entries) {
    if (entry.list !== last) text += `\n\n${HEADINGS[entry.list]}\n\n`;
    else text += entry.list === "compacted_from" ? ", " : "\n";
    text += entryText(entry);
    last = entry.list;
  }
  return text;
}

/** Only the lists that have entries on this page. */
export function listsStructured(entries: readonly ListEntry[]): z.infer<z.ZodObject<typeof listsOutput>> {
  const ids = entries.flatMap((entry) => (entry.list === "compacted_from" ? [entry.id] : []));
  const relations = entries.flatMap((entry) => (entry.list === "relations" ? [relationRecord(entry.entry)] : []));
  const graph = entries.flatMap((entry) => (entry.list === "graph" ? [nodeRecord(entry.entry)] : []));
  return {
    ...(ids.length === 0 ? {} : { compacted_from: ids }),
    ...(relations.length === 0 ? {} : { relations }),
    ...(graph.length === 0 ? {} : { graph }),
  };
}

function entryText(entry: ListEntry): string {
  if (entry.list === "compacted_from") return `#${entry.id}`;
  if (entry.list === "relations") {
    const { relation, direction, neighbour } = entry.entry;
    const note = relation.note === null || relation.note === "" ? "" : ` — ${snippetOf(relation.note)}`;
    const arrow = direction === "to" ? "→" : "←";
    return `- ${arrow} #${neighbour.id} (${nameOf(relation.type)})${named(neighbour)}${note}`;
  }
  const { id, depth, via } = entry.entry;
  return `- #${id}${named(entry.entry)} — depth ${depth}, #${via.from_id} → #${via.to_id} (${nameOf(via.type)})`;
}

/** A deleted neighbour is named by what became of it alone. */
function named({ isDeleted, type, title, compactedInto }: Neighbour): string {
  if (isDeleted) return ` ${standingMark(true, compactedInto)}`;
  return ` [${nameOf(type ?? "")}] ${snippetOf(title ?? "")}`;
}

function relationRecord({ relation, direction, neighbour }: NeighbourRelation) {
  return {
    relation_id: relation.id,
    direction,
    type: nameOf(relation.type),
    note: relation.note === null ? null : snippetOf(relation.note),
    ...neighbourRecord(neighbour),
  };
}

function nodeRecord(node: GraphNode) {
  const { from_id, to_id, type } = node.via;
  return { depth: node.depth, via: { from_id, to_id, type: nameOf(type) }, ...neighbourRecord(node) };
}

function neighbourRecord({ id, isDeleted, type, title, compactedInto }: Neighbour) {
  return {
    id,
    title: title === null ? null : snippetOf(title),
    observation_type: type === null ? null : nameOf(type),
    deleted: isDeleted,
    compacted_into: compactedInto.slice(0, 5),
  };
}
