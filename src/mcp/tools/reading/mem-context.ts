// The tool `mem_context`: what an agent reads when it begins.
import * as z from "zod";
import { type MemoryContext, memoryContext } from "../../../observations/reading/memory-context.ts";
import { writeCursor } from "../../answer/cursor.ts";
import { type AnswerLimit, answerLimit, fitPage, largestWithin } from "../../answer/fit-page.ts";
import { cursorFooter, navigationFooter, SUMMARY_FOOTER } from "../../answer/footers.ts";
import { defineTool, type ToolAnswer } from "../../tool.ts";
import { type Background, backgroundOf, backgroundOutput, noBackground } from "./background.ts";
import { offsetOf, pageSize } from "./page-arguments.ts";
import * as parameters from "./parameters.ts";
import { rowOutput, rowRecord } from "./row-record.ts";
import { bodyOf, longestOf, nameOf, type ShownRow, shortenRow, snippetOfRow, titleOf } from "./row-text.ts";

const DEFAULT_LIMIT = 20;
const MOST = 100;

const input = z.object({
  project: parameters.project.optional(),
  scope: parameters.scope.optional(),
  namespace: parameters.namespace.optional(),
  limit: z.number().optional().describe("Observations a page: 20 by default, 100 at most"),
  detail_level: parameters.detailLevel.optional(),
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const output = z.object({
  ...backgroundOutput,
  total: z.int().describe("All live observations of the filter"),
  offset: z.int(),
  observations: z.array(rowOutput),
  next_cursor: parameters.nextCursor.optional(),
});

const EMPTY = "No memory context available yet. Start saving observations with mem_save.";

export const memContext = defineTool({
  name: "mem_context",
  title: "Memory from previous sessions",
  description:
    "The latest sessions, what the user asked, and the newest observations. Call it when a session begins or after a " +
    "compaction of the conversation. mem_search finds older ones by words.",
  input,
  output,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ detail_level: level = "standard", ...asked }, context) {
    const offset = offsetOf("mem_context", asked.cursor);
    const limit = pageSize(asked.limit, DEFAULT_LIMIT, MOST);
    const found = await memoryContext(await context.store(), { ...asked, limit, offset });
    const tokens = answerLimit(asked.max_tokens, context);
    const build = (background: Background) => (rows: readonly ShownRow[]) =>
      answerOf(found, { background, rows, offset, level });
    return fit(found, build, tokens);
  },
});

/** Sessions and prompts take at most half of the room, and none where it is wanted for a single observation. */
function fit(
  found: MemoryContext,
  build: (background: Background) => (rows: readonly ShownRow[]) => ToolAnswer,
  limit: AnswerLimit,
): ToolAnswer {
  const items: readonly ShownRow[] = found.observations.map((observation) => ({ observation }));
  const withBackground = build(backgroundOf(found, limit));
  const whole = (size: number) => withBackground(items.slice(0, size));
  const fitted = largestWithin(Math.min(1, items.length), items.length, whole, limit);
  if (fitted !== undefined) return fitted.answer;
  return fitPage({ items, build: build(noBackground(found)), shorten: shortenRow, longest: longestOf }, limit);
}

interface Shown {
  readonly background: Background;
  readonly rows: readonly ShownRow[];
  readonly offset: number;
  readonly level: parameters.DetailLevel;
}

function answerOf({ total, sessions, prompts }: MemoryContext, { background, rows, offset, level }: Shown): ToolAnswer {
  const shown = offset + rows.length;
  const next = rows.length > 0 && shown < total ? writeCursor("mem_context", { offset: shown }) : undefined;
  const structured: z.infer<typeof output> = {
    ...background.structured,
    total,
    offset,
    observations: rows.map((row) => rowRecord(row, level)),
    ...(next === undefined ? {} : { next_cursor: next }),
  };
  if (total + sessions.length + prompts.length === 0) return { text: EMPTY, structured };
  const heading = rows.length === 0 ? "" : "### Recent Observations\n";
  const text =
    `## Memory from Previous Sessions\n\n${background.text}${heading}` +
    rows.map((row) => entry(row, level)).join("") +
    (rows.length === 0 && offset > 0 ? `No further observations: there are ${total}.\n` : "") +
    (level === "summary" && rows.length > 0 ? SUMMARY_FOOTER : "") +
    navigationFooter(rows.length, total, next === undefined ? "This is the last page." : "mem_search finds by words.") +
    cursorFooter(next);
  return { text, structured };
}

function entry(row: ShownRow, level: parameters.DetailLevel): string {
  const { id, type } = row.observation;
  if (level === "summary") return `- #${id} [${nameOf(type)}] ${titleOf(row)}\n`;
  if (level === "standard") return `- #${id} [${nameOf(type)}] **${titleOf(row)}**: ${snippetOfRow(row)}\n`;
  return `#### [${nameOf(type)}] ${titleOf(row)} (ID: ${id})\n${bodyOf(row, level, "")}\n`;
}
