// The tool `mem_get`: one row whole. What an answer has no room for comes with the next page: first the content, piece
// by piece, then what is known around the row.
import * as z from "zod";
import { CompactError } from "../../../errors.ts";
import type { Observation } from "../../../observations/observation.ts";
import { DEEPEST, getObservation, type ReadObservation } from "../../../observations/reading/get-observation.ts";
import { readCursor, writeCursor } from "../../answer/cursor.ts";
import { type AnswerLimit, answerLimit, largestWithin, tooSmall } from "../../answer/fit-page.ts";
import { cursorFooter } from "../../answer/footers.ts";
import { isPieceStart, pieceFrom } from "../../answer/text-piece.ts";
import { defineTool, type ToolAnswer } from "../../tool.ts";
import { headerText, rowFields, rowFieldsOutput } from "./observation-header.ts";
import { listEntries, listsOutput, listsStructured, listsText } from "./observation-lists.ts";
import * as parameters from "./parameters.ts";
import { quoted } from "./row-text.ts";

const input = z.object({
  id: z.number().describe("The observation's id"),
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

const output = z.object({
  ...rowFieldsOutput,
  content: z.string().describe("The content, or the piece of it on this page"),
  content_offset: z.int().describe("Where the piece begins, in UTF-16 units"),
  content_length: z.int().describe("Of the whole content, in UTF-16 units"),
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
    "One observation with its whole content, its relations, and what it was compacted from or into. Long ones come " +
    "in pages. Send include_compacted for one that was compacted.",
  input,
  output,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ id, depth, include_compacted, max_tokens, cursor }, context) {
    const read = await getObservation(await context.store(), { id, depth, includeCompacted: include_compacted });
    return fit(read, startOf(read.observation, cursor), answerLimit(max_tokens, context));
  },
});

function startOf(observation: Observation, cursor: string | undefined): Position {
  const of = stateOf(observation);
  if (cursor === undefined || cursor.trim() === "") return { id: observation.id, at: 0, entry: 0, of };
  const start = readCursor("mem_get", cursor, position);
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
    ...(next === undefined ? {} : { next_cursor: next }),
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
