// The tool `mem_context`: what an agent reads when it begins.
import * as z from "zod";
import type { Prompt, Session } from "../../observations/observation.ts";
import type { ObservationStore } from "../../observations/observation-store.ts";
import { type MemoryContext, memoryContext } from "../../observations/reading/memory-overview.ts";
import { snippetOf } from "../../observations/reading/row-view.ts";
import { type SearchRequest, searchObservations } from "../../observations/reading/search-observations.ts";
import { type AnswerLimit, answerLimit, fitPage, largestWithin } from "../answer.ts";
import { nextOffset, offsetOf, pageSize } from "../cursor.ts";
import { cursorFooter, navigationFooter, SUMMARY_FOOTER } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { type Knowledge, knowledgeOf } from "../task-knowledge.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import { filterHint } from "./filter-hint.ts";
import {
  bodyOf,
  bounded,
  longestOf,
  nameOf,
  rowOutput,
  rowRecord,
  type ShownRow,
  shortenRow,
  snippetOfRow,
  titleOf,
} from "./row-view.ts";

// The sessions and prompts above the observations of a context: short lines, as many as leave half of the answer free.

const SUMMARY_LENGTH = 200;

export const backgroundOutput = {
  sessions: z
    .array(
      z.object({
        id: z.string(),
        project: z.string(),
        started_at: z.string(),
        ended_at: z.string().nullable(),
        summary: z.string().nullable().describe("At most 200 characters"),
      }),
    )
    .describe("Latest first, on the first page"),
  prompts: z
    .array(z.object({ id: z.int(), created_at: z.string(), content: z.string().describe("At most 200 characters") }))
    .describe("Newest first, on the first page"),
  knowledge: z
    .array(z.object({ kind: z.enum(["principle", "failure", "section"]), of: z.string(), text: z.string() }))
    .readonly()
    .optional()
    .describe("With task: what decisions and memory files say of it, best first"),
  left_out: z
    .object({ sessions: z.int(), prompts: z.int(), knowledge: z.int().optional() })
    .optional()
    .describe("For which max_tokens left no room"),
};

/** What stands above the rows. */
interface Above extends Pick<MemoryContext, "sessions" | "prompts"> {
  /** Of a task. */
  readonly knowledge: readonly Knowledge[];
}

export interface Background {
  readonly sessions: readonly Session[];
  readonly prompts: readonly Prompt[];
  readonly text: string;
  readonly structured: z.infer<z.ZodObject<typeof backgroundOutput>>;
}

/** Prompts leave first, the oldest before the newer ones, then sessions; of a task what matters least. */
export function backgroundOf(found: Above, { maxTokens, count }: AnswerLimit): Background {
  const half = Math.floor(maxTokens / 2);
  for (let left = found.knowledge.length + found.sessions.length + found.prompts.length; left > 0; left--) {
    const sessions = found.sessions.slice(0, left);
    const prompts = found.prompts.slice(0, left - sessions.length);
    const background = describe(found, { sessions, prompts, knowledge: found.knowledge.slice(0, left) });
    if (count(background.text) <= half && count(JSON.stringify(background.structured)) <= half) return background;
  }
  return noBackground(found);
}

export function noBackground(found: Above): Background {
  return describe(found, { sessions: [], prompts: [], knowledge: [] });
}

function describe(found: Above, { sessions, prompts, knowledge }: Above): Background {
  const unknown = found.knowledge.length - knowledge.length;
  const leftOut = {
    sessions: found.sessions.length - sessions.length,
    prompts: found.prompts.length - prompts.length,
    ...(unknown === 0 ? {} : { knowledge: unknown }),
  };
  const isCut = leftOut.sessions + leftOut.prompts + unknown > 0;
  const cut =
    unknown > 0
      ? `${unknown} of decisions and memory files`
      : `${leftOut.sessions} sessions, ${leftOut.prompts} prompts`;
  const text =
    section("### Decisions and Memory Files", knowledge.map(knowledgeLine)) +
    section("### Recent Sessions", sessions.map(sessionLine)) +
    section("### Recent User Prompts", prompts.map(promptLine)) +
    (isCut ? `(left out for max_tokens: ${cut})\n\n` : "");
  const structured = {
    sessions: sessions.map((session) => ({
      id: bounded(session.id),
      project: bounded(session.project),
      started_at: bounded(session.started_at),
      ended_at: session.ended_at === null ? null : bounded(session.ended_at),
      summary: session.summary === null ? null : snippetOf(session.summary, SUMMARY_LENGTH),
    })),
    prompts: prompts.map(({ id, created_at, content }) => ({
      id,
      created_at: bounded(created_at),
      content: snippetOf(content, SUMMARY_LENGTH),
    })),
    ...(knowledge.length === 0 ? {} : { knowledge }),
    ...(isCut ? { left_out: leftOut } : {}),
  };
  return { sessions, prompts, text, structured };
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${heading}\n${lines.join("")}\n`;
}

const KINDS = { principle: "Principle", failure: "Failed before", section: "Memory" } as const;

function knowledgeLine({ kind, of, text }: Knowledge): string {
  return `- ${KINDS[kind]} (${nameOf(of)}): ${text}\n`;
}

function sessionLine({ project, started_at, summary }: Session): string {
  const what = summary === null || summary === "" ? "" : `: ${snippetOf(summary, SUMMARY_LENGTH)}`;
  return `- ${project === "" ? "(no project)" : `**${nameOf(project)}**`} (${nameOf(started_at)})${what}\n`;
}

function promptLine({ created_at, content }: Prompt): string {
  return `- ${nameOf(created_at)}: ${snippetOf(content, SUMMARY_LENGTH)}\n`;
}

const DEFAULT_LIMIT = 20;
const MOST = 100;

const input = z.object({
  project: parameters.project.optional(),
  scope: parameters.scope.optional(),
  namespace: parameters.namespace.optional(),
  task: z
    .string()
    .optional()
    .describe(
      "What you are about to do, in words: the observations that matter for it come, best first, instead of the newest",
    ),
  limit: z.number().optional().describe("Observations a page: 20 by default, 100 at most"),
  detail_level: parameters.detailLevel.optional(),
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const output = z.object({
  ...backgroundOutput,
  total: z.int().describe("All live observations of the filter; with task, those that match it"),
  offset: z.int(),
  observations: z.array(rowOutput),
  next_cursor: parameters.nextCursor.optional(),
});

const EMPTY = "No memory context available yet. Start saving observations with mem_save.";

const NOTHING = "Nothing in memory speaks of this task. Without task the newest memories come.";

export const memContext = defineTool({
  name: "mem_context",
  title: "Memory from previous sessions",
  description:
    "The latest sessions, what the user asked, and the newest observations. Call it when a session begins or after a " +
    "compaction of the conversation. With task: what matters for it, from observations, decisions and memory files. " +
    "mem_search finds older ones by words.",
  params: input,
  result: output,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ detail_level: level = "standard", ...asked }, context) {
    const offset = offsetOf("mem_context", asked.cursor);
    const limit = pageSize(asked.limit, DEFAULT_LIMIT, MOST);
    const store = await context.store();
    const task = asked.task?.trim() ?? "";
    const found: Found =
      task === ""
        ? await newest(store, { ...asked, limit, offset })
        : {
            ...(await matching(store, { ...asked, query: task, limit, offset })),
            knowledge: offset > 0 ? [] : await knowledgeOf(task, context),
          };
    const hint = found.total === 0 ? await filterHint(store, asked) : "";
    const tokens = answerLimit(asked.max_tokens, context);
    const build = (background: Background) => (rows: readonly ShownRow[]) =>
      answerOf(found, { background, rows, offset, level, hint, isTask: task !== "" });
    return fit(found, build, tokens);
  },
});

/** Rows with what stands above them. */
interface Found extends Above, Pick<MemoryContext, "total"> {
  readonly rows: readonly ShownRow[];
}

async function newest(store: ObservationStore, request: Parameters<typeof memoryContext>[1]): Promise<Found> {
  const { observations, ...found } = await memoryContext(store, request);
  return { ...found, knowledge: [], rows: observations.map((observation) => ({ observation })) };
}

/** Of a task neither the last sessions nor what was asked in them says anything. */
async function matching(store: ObservationStore, request: SearchRequest): Promise<Omit<Found, "knowledge">> {
  const { found, total } = await searchObservations(store, request);
  return { sessions: [], prompts: [], total, rows: found };
}

/** Sessions, prompts and knowledge take at most half of the room, and none where it is wanted for a single observation. */
function fit(
  found: Found,
  build: (background: Background) => (rows: readonly ShownRow[]) => ToolAnswer,
  limit: AnswerLimit,
): ToolAnswer {
  const items = found.rows;
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
  readonly hint: string;
  readonly isTask: boolean;
}

function answerOf(
  { total, sessions, prompts }: Found,
  { background, rows, offset, level, hint, isTask }: Shown,
): ToolAnswer {
  const next = nextOffset("mem_context", offset, rows.length, total);
  const structured: z.infer<typeof output> = {
    ...background.structured,
    total,
    offset,
    observations: rows.map((row) => rowRecord(row, level)),
    next_cursor: next,
  };
  const isEmpty = total + sessions.length + prompts.length === 0 && background.text === "";
  if (isEmpty) return { text: (isTask ? NOTHING : EMPTY) + hint, structured };
  const heading = rows.length === 0 ? "" : isTask ? "### Observations That Match\n" : "### Recent Observations\n";
  const text =
    `## Memory ${isTask ? "for This Task" : "from Previous Sessions"}\n\n${background.text}${heading}` +
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
