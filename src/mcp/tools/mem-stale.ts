// The tool `mem_stale`: lists what is stale, with what a model needs to choose and the call that would compact it. `mem_compact`
// without ids lists the same.
import * as z from "zod";
import {
  identifyStaleObservations,
  proposedIds,
  type StaleObservation,
  type StaleObservations,
  type StaleRecord,
  staleRecord,
} from "../../observations/compaction/find-stale.ts";
import { oneLine } from "../../observations/reading/row-view.ts";
import { figure } from "../../text/figures.ts";
import { type AnswerLimit, answerLimit, fitPage } from "../answer.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { cursorFooter, navigationFooter } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { nameOf } from "./row-view.ts";

const candidateOutput = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  project: z.string().nullable(),
  scope: z.string(),
  created_at: z.string(),
  age_days: z.int(),
  snippet: z.string().describe("The first 100 characters"),
  tokens: z.int().describe("Of title and content"),
  updated_days_ago: z.int().optional().describe("A living document: still being updated, so not proposed"),
  is_summary: z.boolean().describe("Stands for rows compacted earlier, so not proposed"),
  is_standing: z.literal(true).optional().describe("A preference, a policy or a rule, so not proposed"),
});

export const staleOutput = z.object({
  candidates: z.array(candidateOutput),
  shown: z.int(),
  total: z.int().describe("All stale observations of the filter"),
  tokens: z.int().describe("Tokens of the candidates shown"),
  ages: z.array(z.object({ days: z.string(), count: z.int() })),
  compact_ids: z.array(z.int()).describe("Those shown that are proposed"),
  unreadable: z.object({ count: z.int(), ids: z.array(z.int()) }).describe("Left alone: their time cannot be read"),
  next_cursor: z.string().optional(),
});

interface Entry {
  readonly candidate: StaleObservation;
  readonly record: StaleRecord;
}

/** Whose list it is: a cursor goes back to the tool that gave it. */
type ListingTool = "mem_stale" | "mem_compact";

export function describeStale(tool: ListingTool, found: StaleObservations, limit: AnswerLimit): ToolAnswer {
  const items = found.candidates.map((candidate) => ({ candidate, record: staleRecord(candidate, limit.count) }));
  const build = (shown: readonly Entry[]) => {
    const next = nextCursor(tool, found, shown);
    const stale = structuredStale(found, shown, next);
    return {
      text: staleText(tool, found, shown) + cursorFooter(next),
      structured: tool === "mem_stale" ? stale : { mode: "identify", stale },
    };
  };
  return fitPage({ items, build }, limit);
}

function staleText(tool: ListingTool, found: StaleObservations, shown: readonly Entry[]): string {
  const { olderThanDays, candidates } = found;
  const days = `${olderThanDays} ${olderThanDays === 1 ? "day" : "days"}`;
  if (candidates.length === 0) return nothing(found, days);
  return `# Stale Observations (older than ${days})\n\n${overview(found)}\n${shown.map(renderEntry).join("")}${foot(tool, found, shown)}`;
}

function structuredStale(
  found: StaleObservations,
  shown: readonly Entry[],
  next: string | undefined,
): z.infer<typeof staleOutput> {
  return {
    candidates: shown.map(({ record }) => record),
    shown: shown.length,
    total: found.total,
    tokens: tokensOf(shown),
    ages: [...found.ages],
    compact_ids: proposed(shown),
    unreadable: { count: found.unreadable.count, ids: [...found.unreadable.ids] },
    ...(next === undefined ? {} : { next_cursor: next }),
  };
}

function tokensOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { record }) => sum + record.tokens, 0);
}

function overview({ total, ages }: StaleObservations): string {
  const groups = ages.filter(({ count }) => count > 0).map(({ days, count }) => `${days} days: ${count}`);
  return `Found **${total}** candidates for compaction${groups.length === 0 ? "" : ` (${groups.join(", ")})`}:\n`;
}

function renderEntry({ candidate, record }: Entry): string {
  const marks = [
    record.updated_days_ago === undefined ? undefined : `living document, updated ${record.updated_days_ago} days ago`,
    record.is_summary ? "summary of an earlier compaction" : undefined,
    record.is_standing === true ? "a preference or rule" : undefined,
  ].filter((mark) => mark !== undefined);
  const parts = [
    `- **ID ${record.id}**`,
    oneLine(record.title),
    nameOf(record.type),
    ...(record.project === null ? [] : [`\`${nameOf(record.project).replaceAll("`", "'")}\``]),
    nameOf(record.scope),
    `created: ${nameOf(record.created_at)}`,
    `${record.age_days} days old`,
    `${record.tokens} tokens`,
    ...marks.map((mark) => `⚠️ ${mark}`),
  ];
  const cut = record.snippet.length < candidate.row.content.length ? "..." : "";
  return `${parts.join(" | ")}\n  ${oneLine(record.snippet)}${cut}\n`;
}

function foot(tool: ListingTool, found: StaleObservations, shown: readonly Entry[]): string {
  const ids = proposed(shown);
  const call =
    ids.length === 0
      ? "None of these is proposed: they are still being updated, stand for others, or are rules.\n"
      : `To compact these, call \`mem_compact\`${tool === "mem_compact" ? " again" : ""} with \`${callOf(found, ids)}\`\n` +
        "and a summary_title and summary_content that keep what matters. Review them first (mem_get shows a whole one).\n";
  return (
    `---\n${call}Those shown take ${figure(tokensOf(shown))} tokens.\n` +
    unreadableLine(found) +
    navigationFooter(shown.length, found.total, "Compact these, or page on.")
  );
}

function callOf({ olderThanDays, filter }: StaleObservations, ids: readonly number[]): string {
  const filters = Object.entries(filter).map(([key, value]) => `, ${key}: ${JSON.stringify(value)}`);
  return `compact_ids: "${JSON.stringify(ids)}", older_than_days: ${olderThanDays}${filters.join("")}`;
}

function nothing(found: StaleObservations, days: string): string {
  const line =
    found.total === 0
      ? `No stale observations found older than ${days}.\n`
      : `No further stale observations: all ${found.total} older than ${days} were listed.\n`;
  return line + unreadableLine(found);
}

function unreadableLine({ unreadable: { count, ids } }: StaleObservations): string {
  if (count === 0) return "";
  const more = count > ids.length ? ", ..." : "";
  return `⚠️ ${count} observations were left alone because their created_at cannot be read: ${ids.join(", ")}${more}.\n`;
}

function nextCursor(
  tool: ListingTool,
  { candidates, hasMore }: StaleObservations,
  shown: readonly Entry[],
): string | undefined {
  const last = shown[shown.length - 1]?.candidate;
  const isLast = shown.length === candidates.length && !hasMore;
  return last === undefined || isLast ? undefined : writeCursor(tool, { createdAt: last.createdAt, id: last.row.id });
}

function proposed(shown: readonly Entry[]): number[] {
  return proposedIds(shown.map(({ record }) => record));
}

export const staleInput = z.object({
  older_than_days: z.number().describe("Age in days: observations created longer ago are stale. Must be > 0."),
  project: parameters.project.optional(),
  scope: parameters.scope.optional(),
  namespace: parameters.namespace.optional(),
  limit: z.number().optional().describe("Most candidates to list: 50, at most 200"),
  cursor: parameters.cursor.optional(),
  max_tokens: parameters.maxTokens.optional(),
});

export const memStale = defineTool({
  name: "mem_stale",
  title: "List stale observations",
  description:
    "Lists what is old enough to be compacted, and changes nothing. Review it, write a summary of what is worth keeping, " +
    "then call mem_compact with compact_ids, summary_title and summary_content.",
  params: staleInput,
  result: staleOutput,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  run: (given, context) => identify("mem_stale", given, context),
});

const position = z.strictObject({ createdAt: z.number(), id: z.int() });

export async function identify(
  tool: ListingTool,
  given: z.infer<typeof staleInput>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const found = await identifyStaleObservations(
    await context.store(),
    {
      olderThanDays: given.older_than_days,
      project: given.project,
      scope: given.scope,
      namespace: given.namespace,
      limit: given.limit,
      after: readCursor(tool, given.cursor, position),
    },
    { now: context.now() },
  );
  return describeStale(tool, found, answerLimit(given.max_tokens, context));
}
