// The tool `mem_search`: finds rows by words.
import * as z from "zod";
import {
  type FoundObservation,
  type SearchedObservations,
  searchObservations,
} from "../../observations/reading/search-observations.ts";
import { answerLimit, fitPage } from "../answer.ts";
import { nextOffset, offsetOf, pageSize } from "../cursor.ts";
import { cursorFooter, navigationFooter, SUMMARY_FOOTER } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import { filterHint } from "./filter-hint.ts";
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
  shownName,
  titleOf,
} from "./row-view.ts";

const DEFAULT_LIMIT = 10;
const MOST = 20;
const INDENT = "    ";

const input = z.object({
  query: z
    .string()
    .describe(
      "A question or words, in any order: rows with all of them come first, then those that answer best without",
    ),
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
  total: z.int().describe("All that can be found"),
  with_all_words: z.int().optional().describe("Those of total that have every word, where others were looked for too"),
  unknown_words: z.array(z.string()).optional().describe("Words of the query that no memory has in any form"),
  total_is_least: z.boolean().optional().describe("True where only the newest rows were looked at"),
  offset: z.int(),
  memories: z.array(
    rowOutput.extend({
      origin: z
        .object({ id: z.int(), title: z.string(), tokens: z.int().describe("What mem_get of it takes") })
        .optional()
        .describe("Of a summary: the compacted memory it has this from; mem_get with include_compacted gives it"),
    }),
  ),
  reason: z.string().optional().describe("Why nothing was found"),
  next_cursor: parameters.nextCursor.optional(),
});

export const memSearch = defineTool({
  name: "mem_search",
  title: "Search memory",
  description:
    "Finds saved observations by a question or by words, best first. Search before starting work and before saving something again. " +
    "mem_get gives the whole of one. What was compacted is found with include_compacted.",
  params: input,
  result: output,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ detail_level: level = "standard", ...asked }, context) {
    const offset = offsetOf("mem_search", asked.cursor);
    const store = await context.store();
    const result = await searchObservations(store, {
      ...asked,
      limit: pageSize(asked.limit, DEFAULT_LIMIT, MOST),
      offset,
      standing: asked.include_compacted === true ? "any" : "live",
    });
    const items = result.found.map((found) => ({ ...found, origin: originOf(found, context.count) }));
    const hint = result.total === 0 ? await filterHint(store, asked) : "";
    const build = (rows: readonly Shown[]) => answerOf(result, rows, { offset, level, hint });
    return fitPage({ items, build, shorten: shortenRow, longest: longestOf }, answerLimit(asked.max_tokens, context));
  },
});

/** The row that a summary has it from. */
interface Origin {
  readonly id: number;
  readonly title: string;
  readonly tokens: number;
}

type Shown = ShownRow & { readonly origin: Origin | undefined };

function originOf({ origin }: FoundObservation, count: (text: string) => number): Origin | undefined {
  if (origin === undefined) return undefined;
  return {
    id: origin.id,
    title: titleOf({ observation: origin }),
    tokens: count(`${origin.title}\n${origin.content}`),
  };
}

function answerOf(
  result: SearchedObservations,
  rows: readonly Shown[],
  { offset, level, hint }: { readonly offset: number; readonly level: parameters.DetailLevel; readonly hint: string },
): ToolAnswer {
  const { total, isBounded, loosely } = result;
  const unknown = loosely?.unknownWords ?? [];
  const next = nextOffset("mem_search", offset, rows.length, total);
  const reason = rows.length === 0 ? reasonOf(result, offset) + hint : undefined;
  const structured: z.infer<typeof output> = {
    total,
    ...(isBounded ? { total_is_least: true } : {}),
    ...(loosely === undefined ? {} : { with_all_words: loosely.withAllWords }),
    ...(unknown.length === 0 ? {} : { unknown_words: [...unknown] }),
    offset,
    memories: rows.map((row) => ({
      ...rowRecord(row, level),
      ...(row.origin === undefined ? {} : { origin: row.origin }),
    })),
    ...(reason === undefined ? {} : { reason }),
    next_cursor: next,
  };
  if (reason !== undefined) return { text: reason, structured };
  const counted = `${isBounded ? "at least " : ""}${total}`;
  const text =
    `Found ${counted} ${total === 1 ? "memory" : "memories"}${howFound(result)}:\n\n` +
    rows.map((row, index) => entry(row, offset + index + 1, level)).join("") +
    (level === "summary" ? SUMMARY_FOOTER : "") +
    (isBounded ? "\n⚠️ Only the newest rows were looked at: add words or a filter." : "") +
    navigationFooter(rows.length, total, next === undefined ? "This is the last page." : "Add words, or page on.") +
    cursorFooter(next);
  return { text, structured };
}

/** Which of them have all words, and which words none has. */
function howFound({ loosely, total, deletedMatches }: SearchedObservations): string {
  if (loosely === undefined || total === loosely.withAllWords) return "";
  const { withAllWords, unknownWords } = loosely;
  const parts = [
    withAllWords === 0 ? "without all of the words" : `${withAllWords} with all of the words`,
    ...(unknownWords.length === 0 ? [] : [`no memory has ${unknownWords.map((word) => shownName(word)).join(", ")}`]),
    ...(deletedMatches === 0 ? [] : [compactedMatches(deletedMatches)]),
  ];
  return ` (${parts.join("; ")}), the best first`;
}

function entry(row: Shown, number: number, level: parameters.DetailLevel): string {
  const { observation } = row;
  const head = `[${number}] #${observation.id} (${nameOf(observation.type)})${markOf(row)} - ${titleOf(row)}\n`;
  if (level === "summary") return head;
  const { origin } = row;
  const from =
    origin === undefined
      ? ""
      : `${INDENT}from #${origin.id} ${shownName(origin.title)}: ${origin.tokens} tokens with mem_get and include_compacted\n`;
  return `${head}${bodyOf(row, level, INDENT)}${INDENT}${placeOf(observation)}\n${from}\n`;
}

function reasonOf({ total, reason, deletedMatches }: SearchedObservations, offset: number): string {
  if (reason === "no_words") return "No memories found: the query has no words. mem_context gives the newest memories.";
  if (total > 0) return `No further memories: ${total} match, and ${offset} came before.`;
  if (deletedMatches === 0) return "No memories found matching your query.";
  return `No memories found matching your query. ${compactedMatches(deletedMatches)}.`;
}

function compactedMatches(number: number): string {
  const rows = number === 1 ? "1 compacted or deleted row matches" : `${number} compacted or deleted rows match`;
  return `${rows}: send include_compacted: true`;
}
