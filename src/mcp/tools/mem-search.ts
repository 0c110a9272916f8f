// The tool `mem_search`: finds rows by words.
import * as z from "zod";
import { type SearchedObservations, searchObservations } from "../../observations/reading/search-observations.ts";
import { answerLimit, fitPage } from "../answer.ts";
import { offsetOf, pageSize, writeCursor } from "../cursor.ts";
import { cursorFooter, navigationFooter, SUMMARY_FOOTER } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import {
  bodyOf,
  longestOf,
  markOf,
  nameOf,
  placeOf,
  rowOutput,
  rowRecord,
  type ShownRow,
  shortenRow,
  titleOf,
} from "./row-view.ts";

const DEFAULT_LIMIT = 10;
const MOST = 20;
const INDENT = "    ";

const input = z.object({
  query: z.string().describe("Words that must all occur, in any order; signs are taken literally"),
  type: z.string().optional().describe("Only this type: decision, bugfix, compaction_summary, ..."),
  project: parameters.project.optional(),
  scope: parameters.scope.optional(),
  namespace: parameters.namespace.optional(),
  limit: z.number().optional().describe("Memories a page: 10 by default, 20 at most"),
  detail_level: parameters.detailLevel.optional(),
  include_compacted: parameters.includeCompacted.optional(),
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const output = z.object({
  total: z.int().describe("All that match"),
  total_is_least: z.boolean().optional().describe("True where only the newest rows were looked at"),
  offset: z.int(),
  memories: z.array(rowOutput),
  reason: z.string().optional().describe("Why nothing was found"),
  next_cursor: parameters.nextCursor.optional(),
});

export const memSearch = defineTool({
  name: "mem_search",
  title: "Search memory",
  description:
    "Finds saved observations by words, best first. Search before starting work and before saving something again. " +
    "mem_get gives the whole of one. What was compacted is found with include_compacted.",
  params: input,
  result: output,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ detail_level: level = "standard", ...asked }, context) {
    const offset = offsetOf("mem_search", asked.cursor);
    const result = await searchObservations(await context.store(), {
      ...asked,
      limit: pageSize(asked.limit, DEFAULT_LIMIT, MOST),
      offset,
      standing: asked.include_compacted === true ? "any" : "live",
    });
    const build = (rows: readonly ShownRow[]) => answerOf(result, rows, offset, level);
    const items: readonly ShownRow[] = result.found;
    return fitPage({ items, build, shorten: shortenRow, longest: longestOf }, answerLimit(asked.max_tokens, context));
  },
});

function answerOf(
  result: SearchedObservations,
  rows: readonly ShownRow[],
  offset: number,
  level: parameters.DetailLevel,
): ToolAnswer {
  const { total, isBounded } = result;
  const shown = offset + rows.length;
  const next = rows.length > 0 && shown < total ? writeCursor("mem_search", { offset: shown }) : undefined;
  const reason = rows.length === 0 ? reasonOf(result, offset) : undefined;
  const structured: z.infer<typeof output> = {
    total,
    ...(isBounded ? { total_is_least: true } : {}),
    offset,
    memories: rows.map((row) => rowRecord(row, level)),
    ...(reason === undefined ? {} : { reason }),
    ...(next === undefined ? {} : { next_cursor: next }),
  };
  if (reason !== undefined) return { text: reason, structured };
  const counted = `${isBounded ? "at least " : ""}${total}`;
  const text =
    `Found ${counted} ${total === 1 ? "memory" : "memories"}:\n\n` +
    rows.map((row, index) => entry(row, offset + index + 1, level)).join("") +
    (level === "summary" ? SUMMARY_FOOTER : "") +
    (isBounded ? "\n⚠️ Only the newest rows were looked at: add words or a filter." : "") +
    navigationFooter(rows.length, total, next === undefined ? "This is the last page." : "Add words, or page on.") +
    cursorFooter(next);
  return { text, structured };
}

function entry(row: ShownRow, number: number, level: parameters.DetailLevel): string {
  const { observation } = row;
  const head = `[${number}] #${observation.id} (${nameOf(observation.type)})${markOf(row)} - ${titleOf(row)}\n`;
  if (level === "summary") return head;
  return `${head}${bodyOf(row, level, INDENT)}${INDENT}${placeOf(observation)}\n\n`;
}

function reasonOf({ total, reason, deletedMatches }: SearchedObservations, offset: number): string {
  if (reason === "no_words") return "No memories found: the query has no words. mem_context gives the newest memories.";
  if (total > 0) return `No further memories: ${total} match, and ${offset} came before.`;
  if (deletedMatches === 0) return "No memories found matching your query.";
  const rows =
    deletedMatches === 1 ? "1 compacted or deleted row matches" : `${deletedMatches} compacted or deleted rows match`;
  return `No memories found matching your query. ${rows}: send include_compacted: true.`;
}
