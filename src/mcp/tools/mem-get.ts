// The tool `mem_get`: one row whole. What an answer has no room for comes with the next page: first the content, piece
// by piece, then what is known around the row.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import type { Observation } from "../../observations/observation.ts";
import {
  DEEPEST,
  type GraphNode,
  getObservation,
  type Neighbour,
  type NeighbourRelation,
  type ReadObservation,
} from "../../observations/reading/get-observation.ts";
import { snippetOf, statusMark } from "../../observations/reading/row-view.ts";
import { readIds } from "../../observations/saving/named-rows.ts";
import { type AnswerLimit, answerLimit, largestWithin, tooSmall } from "../answer.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { cursorFooter, isPieceStart, pieceFrom } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import { getMany, manyOutput } from "./get-many.ts";
import { bounded, nameOf, quoted, titleOf } from "./row-view.ts";

/** The columns of a row: the key of the answer, the title in its text, and whether it may be null. */
const COLUMNS = [
  ["title", "Title"],
  ["type", "Type"],
  ["scope", "Scope"],
  ["project", "Project"],
  ["namespace", "Namespace"],
  ["topic_key", "Topic Key"],
  ["tool_name", "Tool"],
  ["session_id", "Session"],
  ["created_at", "Created"],
  ["updated_at", "Updated"],
  ["revision_count", "Revisions"],
  ["duplicate_count", "Duplicates"],
  ["deleted_at", "Deleted"],
] as const;

const rowFieldsOutput = {
  id: z.int(),
  type: z.string().optional().describe("This and the other columns stand on the first page alone"),
  title: z.string().optional().describe("At most 300 characters"),
  scope: z.string().optional(),
  project: z.string().nullable().optional(),
  namespace: z.string().nullable().optional(),
  topic_key: z.string().nullable().optional(),
  tool_name: z.string().nullable().optional(),
  session_id: z.string().optional(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  last_seen_at: z.string().nullable().optional(),
  revision_count: z.int().optional(),
  duplicate_count: z.int().optional(),
  deleted_at: z.string().nullable().optional(),
  compacted_from_total: z.int().optional().describe("Number of observations that this one stands for"),
  compacted_into: z.array(z.int()).optional().describe("Of a compacted one: what stands for it, latest first"),
};

const MOST_SUCCESSORS = 5;

function headerText(read: ReadObservation, isFirst: boolean): string {
  const { observation: row, compactedFrom, compactedInto } = read;
  const mark = statusMark(row.deleted_at !== null, compactedInto);
  const heading = `# Observation #${row.id}${mark === "" ? "" : ` ${mark}`}`;
  if (!isFirst) return `${heading} (continued)`;
  const lines = COLUMNS.flatMap(([key, title]) => {
    const value = row[key];
    if (value === null || value === "") return [];
    return [`**${title}**: ${key === "title" ? titleOf({ observation: row }) : nameOf(String(value))}`];
  });
  if (compactedInto.length > 0) lines.push(`**Compacted Into**: ${idList(compactedInto)}`);
  if (compactedFrom.length > 0) lines.push(`**Compacted From**: ${compactedFrom.length} observations`);
  return `${heading}\n\n${lines.join("\n")}`;
}

function rowFields(read: ReadObservation, isFirst: boolean): z.infer<z.ZodObject<typeof rowFieldsOutput>> {
  const { observation: row, compactedFrom, compactedInto } = read;
  if (!isFirst) return { id: row.id };
  const columns = ["last_seen_at" as const, ...COLUMNS.map(([key]) => key)].map((key) => {
    const value = row[key];
    return [key, typeof value === "string" ? bounded(value) : value];
  });
  return {
    id: row.id,
    ...Object.fromEntries(columns),
    ...(compactedFrom.length === 0 ? {} : { compacted_from_total: compactedFrom.length }),
    ...(compactedInto.length === 0 ? {} : { compacted_into: compactedInto.slice(0, MOST_SUCCESSORS) }),
  };
}

function idList(ids: readonly number[]): string {
  const more = ids.length > MOST_SUCCESSORS ? ", ..." : "";
  const shown = ids.slice(0, MOST_SUCCESSORS).map((id) => `#${id}`);
  return shown.join(", ") + more;
}

type ListEntry =
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

const listsOutput = {
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

function listEntries({ compactedFrom, relations, graph }: ReadObservation): readonly ListEntry[] {
  return [
    ...compactedFrom.map((id) => ({ list: "compacted_from" as const, id })),
    ...relations.map((entry) => ({ list: "relations" as const, entry })),
    ...graph.nodes.map((entry) => ({ list: "graph" as const, entry })),
  ];
}

const HEADINGS = { compacted_from: "## Compacted From", relations: "## Relations", graph: "## Graph Context" };

function listsText(entries: readonly ListEntry[]): string {
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
function listsStructured(entries: readonly ListEntry[]): z.infer<z.ZodObject<typeof listsOutput>> {
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
    return `- ${arrow} #${neighbour.id} (${nameOf(relation.type)})${neighbourText(neighbour)}${note}`;
  }
  const { id, depth, via } = entry.entry;
  return `- #${id}${neighbourText(entry.entry)} — depth ${depth}, #${via.from_id} → #${via.to_id} (${nameOf(via.type)})`;
}

/** A deleted neighbour is shown by its status alone. */
function neighbourText({ isDeleted, type, title, compactedInto }: Neighbour): string {
  if (isDeleted) return ` ${statusMark(true, compactedInto)}`;
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

const input = z.object({
  id: z.number().optional().describe("The observation's id"),
  ids: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .describe('Instead of id: several observations, as "[1, 2, 3]", 50 at most; each whole, without its relations'),
  depth: z
    .number()
    .int()
    .min(0)
    .max(DEEPEST)
    .optional()
    .describe("Also the graph around it, up to this many relations away: 0 (default) to 5"),
  include_compacted: parameters.includeCompacted.optional(),
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const MOST_IDS = 50;

const output = z.object({
  ...rowFieldsOutput,
  id: z.int().optional().describe("This and what follows: of one observation"),
  content: z.string().optional().describe("The content, or the piece of it on this page"),
  content_offset: z.int().optional().describe("Where the piece begins, in UTF-16 units"),
  content_length: z.int().optional().describe("Of the whole content, in UTF-16 units"),
  ...manyOutput,
  ...listsOutput,
  graph_is_bounded: z.boolean().optional().describe("True where the graph has more observations than are given"),
  next_cursor: parameters.nextCursor.optional(),
});

/** `of` tells whether the row is still the one that the first page was of. */
const position = z.strictObject({
  id: z.int(),
  at: z.int().min(0),
  entry: z.int().min(0),
  of: z.string(),
});

type Position = z.infer<typeof position>;

export const memGet = defineTool({
  name: "mem_get",
  title: "Get an observation",
  description:
    "One observation with its whole content, its relations, and what it was compacted from or into; or several with " +
    "ids. Long ones come in pages. Send include_compacted for one that was compacted.",
  params: input,
  result: output,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ id, ids, depth, include_compacted, max_tokens, cursor }, context) {
    if ((id === undefined) === (ids === undefined)) {
      throw new CompactError("InvalidInput", "Send either 'id' or 'ids'.", {
        code: "INVALID_IDS",
        hint: "id gives one observation with all that is known around it, ids the contents of several.",
      });
    }
    if (id === undefined) {
      const request = { ids: readIds("ids", ids, MOST_IDS), includeCompacted: include_compacted === true };
      return getMany(await context.store(), request, answerLimit(max_tokens, context));
    }
    const read = await getObservation(await context.store(), { id, depth, includeCompacted: include_compacted });
    return fit(read, startOf(read.observation, cursor), answerLimit(max_tokens, context));
  },
});

function startOf(observation: Observation, cursor: string | undefined): Position {
  const of = stateOf(observation);
  const start = readCursor("mem_get", cursor, position);
  if (start === undefined) return { id: observation.id, at: 0, entry: 0, of };
  if (start.id === observation.id && start.of === of && isPieceStart(observation.content, start.at)) return start;
  throw new CompactError("Conflict", `'cursor' is of another observation, or ${observation.id} has changed since.`, {
    code: "STALE_CURSOR",
    hint: "Call mem_get without cursor, and read it from the beginning.",
  });
}

function stateOf({ content, updated_at, revision_count }: Observation): string {
  return `${content.length}.${revision_count}.${updated_at.slice(0, 30)}`;
}

/** As much of the content as there is room for; when it ends here, as many of the other entries as still fit. */
function fit(read: ReadObservation, start: Position, limit: AnswerLimit): ToolAnswer {
  const left = read.observation.content.length - start.at;
  const entries = listEntries(read).length - start.entry;
  const least = left > 0 ? 1 : 0;
  const withPiece = (units: number) => answerOf(read, start, { units, entries: 0 });
  const withEntries = (shown: number) => answerOf(read, start, { units: left, entries: shown });
  const piece = left === 0 ? undefined : largestWithin(least, left, withPiece, limit);
  const isContentDone = left === 0 || piece?.size === left;
  // A page has to get on: without content it shows an entry.
  const leastEntries = left > 0 || entries === 0 ? 0 : 1;
  const whole = isContentDone ? largestWithin(leastEntries, Math.max(0, entries), withEntries, limit) : undefined;
  const found = whole ?? piece;
  if (found === undefined) throw tooSmall(left > 0 ? withPiece(least) : withEntries(leastEntries), limit);
  return found.answer;
}

interface Shown {
  readonly units: number;
  readonly entries: number;
}

function answerOf(read: ReadObservation, start: Position, { units, entries }: Shown): ToolAnswer {
  const { observation, graph } = read;
  const { content } = observation;
  const piece = pieceFrom(content, start.at, units);
  const all = listEntries(read);
  const shown = all.slice(start.entry, start.entry + entries);
  const end: Position = { ...start, at: start.at + piece.length, entry: start.entry + shown.length };
  const isLast = end.at === content.length && end.entry >= all.length;
  const next = isLast ? undefined : writeCursor("mem_get", end);
  const isFirst = start.at === 0 && start.entry === 0;
  const structured: z.infer<typeof output> = {
    ...rowFields(read, isFirst),
    content: piece,
    content_offset: start.at,
    content_length: content.length,
    ...listsStructured(shown),
    ...(graph.isBounded ? { graph_is_bounded: true } : {}),
    next_cursor: next,
  };
  const bounded = isLast && graph.isBounded ? `\n\n(${graph.nodes.length} nearest; the graph has more)` : "";
  const text =
    headerText(read, isFirst) +
    contentText(piece, start.at, content.length) +
    listsText(shown) +
    bounded +
    cursorFooter(next);
  return { text, structured };
}

function contentText(piece: string, at: number, length: number): string {
  if (piece === "") return "";
  const isPart = piece.length < length;
  const place = isPart ? ` (characters ${at + 1}-${at + piece.length} of ${length})` : "";
  return `\n\n## Content${place}\n\n${quoted(piece)}`;
}
