// The tools `mem_stale` (lists what is stale), `mem_compact` (compacts the rows that it is given; without ids it lists, too)
// and `mem_restore`.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { type CompactionResult, compactObservations } from "../../observations/compaction/compact-observations.ts";
import {
  identifyStaleObservations,
  proposedIds,
  type StaleObservation,
  type StaleObservations,
  type StaleRecord,
  staleRecord,
} from "../../observations/compaction/find-stale.ts";
import { type RestoreResult, restoreObservations } from "../../observations/compaction/restore-observations.ts";
import { oneLine } from "../../observations/reading/row-view.ts";
import { MOST_COMPACTED, readIds } from "../../observations/saving/named-rows.ts";
import {
  type AnswerLimit,
  answerLimit,
  cursorFooter,
  fitPage,
  navigationFooter,
  readCursor,
  writeCursor,
} from "../answer.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { nameOf } from "./row-view.ts";

// How a finished compaction is told.

export const compactionOutput = z.object({
  ids: z.array(z.int()),
  deleted: z.int(),
  before: z.int().describe("Live observations of the project and scope before"),
  after: z.int(),
  summary_id: z.int().optional(),
  young: z.array(z.int()).describe("Compacted although younger than older_than_days"),
  living: z.array(z.int()).describe("Compacted although updated within older_than_days"),
});

export function describeCompaction(result: CompactionResult) {
  const { ids, deleted, before, after, summaryId, young, living } = result;
  const lines = [
    "# Compaction Complete",
    "",
    `- **Deleted**: ${deleted} ${deleted === 1 ? "observation" : "observations"}`,
    `- **Before**: ${before} total observations`,
    `- **After**: ${after} total observations`,
    ...(summaryId === undefined
      ? []
      : [`- **Summary**: created as observation ID ${summaryId} (type: compaction_summary)`]),
    ...warning(young, "younger than older_than_days, or of unreadable age"),
    ...warning(living, "updated within older_than_days"),
    "",
    summaryId === undefined
      ? `To undo: \`mem_restore\` with \`ids: ${JSON.stringify(ids)}\`.`
      : `To undo: \`mem_restore\` with \`summary_id: ${summaryId}\`.`,
  ];
  const structured: z.infer<typeof compactionOutput> = {
    ids: [...ids],
    deleted,
    before,
    after,
    ...(summaryId === undefined ? {} : { summary_id: summaryId }),
    young: [...young],
    living: [...living],
  };
  return { text: lines.join("\n"), structured };
}

function warning(ids: readonly number[], what: string): readonly string[] {
  if (ids.length === 0) return [];
  return ["", `⚠️ ${ids.length} compacted although ${what}: ${ids.join(", ")}.`];
}

// How the candidates of a compaction are told: what a model needs to choose, and the call that would compact them.

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
      text: textOf(tool, found, shown) + cursorFooter(next),
      structured: tool === "mem_stale" ? stale : { mode: "identify", stale },
    };
  };
  return fitPage({ items, build }, limit);
}

function textOf(tool: ListingTool, found: StaleObservations, shown: readonly Entry[]): string {
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
      ? "None of these is proposed: they are still being updated, or stand for others.\n"
      : `To compact these, call \`mem_compact\`${tool === "mem_compact" ? " again" : ""} with \`${callOf(found, ids)}\`\n` +
        "and a summary_title and summary_content that keep what matters. Review them first (mem_get shows a whole one).\n";
  return (
    `---\n${call}Those shown take ${tokensOf(shown).toLocaleString("en-US")} tokens.\n` +
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

const staleInput = z.object({
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

const compactInput = staleInput.extend({
  compact_ids: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .describe('Ids to compact, as "[1, 2, 3]". Omitted: list the candidates and change nothing, as mem_stale does'),
  summary_title: z.string().optional().describe("Title of the observation that replaces them"),
  summary_content: z.string().optional().describe("Its text: what is worth keeping of them all"),
  session_id: z.string().optional().describe("Session of the summary (manual-save)"),
});

const compactOutput = z.object({
  mode: z.enum(["identify", "execute"]),
  stale: staleOutput.optional().describe("What was found; in mode identify"),
  compaction: compactionOutput.optional().describe("What was done; in mode execute"),
});

type Input = z.infer<typeof compactInput>;

export const memCompact = defineTool({
  name: "mem_compact",
  title: "Compact stale observations",
  description:
    "Makes room in memory. List stale observations with mem_stale, review them and write a summary of what is worth " +
    "keeping. Then call this with older_than_days, compact_ids, summary_title and summary_content: in one transaction " +
    "those observations leave the live memory and the summary takes their place. Nothing is lost: mem_restore brings " +
    "them back.",
  params: compactInput,
  result: compactOutput,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  run: (given, context) => (isList(given) ? identify("mem_compact", given, context) : execute(given, context)),
});

function isList({ compact_ids, summary_title, summary_content }: Input): boolean {
  const hasIds = compact_ids !== undefined && compact_ids !== "";
  if (hasIds || (summary_title === undefined && summary_content === undefined)) return !hasIds;
  // Answering with a list would look like success to whoever believes that the ids arrived.
  throw new CompactError("InvalidInput", "A summary was given without 'compact_ids'.", {
    code: "INVALID_IDS",
    hint: "Send compact_ids as well, or leave summary_title and summary_content out to list the candidates.",
  });
}

const position = z.strictObject({ createdAt: z.number(), id: z.int() });

async function identify(
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

async function execute(given: Input, context: ToolContext): Promise<ToolAnswer> {
  const result = await compactObservations(
    await context.store(),
    {
      olderThanDays: given.older_than_days,
      ids: readIds("compact_ids", given.compact_ids, MOST_COMPACTED),
      project: given.project,
      scope: given.scope,
      namespace: given.namespace,
      summaryTitle: given.summary_title,
      summaryContent: given.summary_content,
      sessionId: given.session_id,
    },
    { now: context.now(), trace: context.trace },
  );
  const { text, structured } = describeCompaction(result);
  return { text, structured: { mode: "execute", compaction: structured } };
}

// The tool `mem_restore`: undoes a compaction, wholly or in part.

const restoreInput = z.object({
  ids: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .describe('Deleted observations to bring back, as "[1, 2, 3]"'),
  summary_id: z.number().optional().describe("Bring back everything that this summary stands for"),
});

const restoreOutput = z.object({
  restored: z.array(z.int()),
  retired: z.array(z.int()).describe("Summaries that were retired: nothing they stand for is compacted any more"),
  empty: z.array(z.int()).describe("Summaries that stay deleted: all of their rows were back already"),
  remaining: z.array(z.object({ id: z.int(), stands_for: z.int() })).describe("Summaries that still stand for others"),
});

export const memRestore = defineTool({
  name: "mem_restore",
  title: "Restore compacted observations",
  description:
    "Brings compacted or soft-deleted observations back, exactly as they were. Send summary_id to undo a whole " +
    "compaction (its summary is retired), or ids for single ones.",
  params: restoreInput,
  result: restoreOutput,
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: false },
  async run({ ids, summary_id }, context) {
    const hasIds = ids !== undefined && ids !== null && ids !== "";
    if (hasIds === (summary_id !== undefined)) {
      throw new CompactError("InvalidInput", "Send either 'ids' or 'summary_id'.", {
        code: "INVALID_IDS",
        hint: "summary_id brings back all rows that the summary stands for, ids only those.",
      });
    }
    const request = hasIds ? { ids } : { summaryId: summary_id };
    const result = await restoreObservations(await context.store(), request, {
      now: context.now(),
      trace: context.trace,
    });
    return {
      text: describeRestored(result),
      structured: {
        restored: result.restored,
        retired: result.retired,
        empty: result.empty,
        remaining: result.remaining.map(({ id, standsFor }) => ({ id, stands_for: standsFor })),
      },
    };
  },
});

function describeRestored({ restored, retired, remaining, empty, sameTopic }: RestoreResult): string {
  const lines = [
    restored.length === 0
      ? "Nothing was left to restore."
      : `Restored ${restored.length} ${restored.length === 1 ? "observation" : "observations"}: ${restored.join(", ")}`,
    ...retired.map((id) => `Summary ${id} was retired: nothing it stands for is compacted any more.`),
    ...empty.map((id) => `Summary ${id} stays deleted: all of its rows were back already.`),
    ...remaining.map(({ id, standsFor }) => `Summary ${id} stays: it still stands for ${standsFor}.`),
    ...sameTopic.map(({ id, other }) => `⚠️ Observation ${id} has the topic key of ${other}, which is live too.`),
  ];
  return lines.join("\n");
}
