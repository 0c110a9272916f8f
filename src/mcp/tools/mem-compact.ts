// The tools `mem_compact`, which compacts the rows that it is given and lists without ids what is stale, as `mem_stale` does, and
// `mem_restore`, which undoes a compaction, wholly or in part.

import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { type LeftOut, leftOutOf, unsupportedIn } from "../../observations/compaction/check-summary.ts";
import { type CompactionResult, compactObservations } from "../../observations/compaction/compact-observations.ts";
import { restoredLines, restoreObservations } from "../../observations/compaction/restore-observations.ts";
import { MOST_COMPACTED, readIds } from "../../observations/saving/named-rows.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { identify, selectionOf, staleInput, staleOutput } from "./mem-stale.ts";
import { bounded, shownName } from "./row-view.ts";

const compactionOutput = z.object({
  ids: z.array(z.int()),
  deleted: z.int(),
  before: z.int().describe("Live observations of the project and scope before"),
  after: z.int(),
  summary_id: z.int().optional(),
  kept_id: z.int().optional(),
  tokens_before: z.int().describe("Of the observations that left"),
  tokens_after: z.int().describe("Of the summary"),
  unsupported: z
    .array(z.string())
    .optional()
    .describe("Numbers, dates, names and ids of the summary that none of the observations has; at most 20"),
  left_out: z
    .array(z.object({ id: z.int(), facts: z.array(z.string()) }))
    .optional()
    .describe("Rules, names, numbers and dates that the summary does not have, of at most 10 observations"),
  young: z.array(z.int()).describe("Compacted although younger than older_than_days"),
  living: z.array(z.int()).describe("Compacted although updated within older_than_days"),
});

/** Rows of which it is told what the summary leaves out. */
const MOST_LEFT_OUT = 10;
/** Enough to correct a summary by. */
const MOST_UNSUPPORTED = 20;

function describeCompaction(
  result: CompactionResult,
  tokens: { readonly before: number; readonly after: number },
  { unsupported, leftOut }: Checked,
) {
  const { ids, deleted, before, after, summaryId, keptId, young, living } = result;

  const lines = [
    "# Compaction Complete",
    "",
    `- **Deleted**: ${deleted} ${deleted === 1 ? "observation" : "observations"}`,
    `- **Before**: ${before} total observations`,
    `- **After**: ${after} total observations`,
    ...(summaryId === undefined
      ? []
      : [`- **Summary**: created as observation ID ${summaryId} (type: compaction_summary)`]),
    `- **Tokens**: ${tokens.before} before, ${tokens.after} after`,
    ...(keptId === undefined ? [] : [`- **Kept**: observation ID ${keptId} stands for them`]),
    ...warning(young, "younger than older_than_days, or of unreadable age"),
    ...warning(living, "updated within older_than_days"),
    ...unsupportedLines(unsupported),
    ...leftOutLines(leftOut),
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
    summary_id: summaryId,
    kept_id: keptId,
    tokens_before: tokens.before,
    tokens_after: tokens.after,
    young: [...young],
    living: [...living],
    ...(unsupported.length === 0 ? {} : { unsupported: unsupported.slice(0, MOST_UNSUPPORTED).map(bounded) }),
    ...(leftOut.length === 0
      ? {}
      : { left_out: leftOut.slice(0, MOST_LEFT_OUT).map(({ id, facts }) => ({ id, facts: facts.map(bounded) })) }),
  };
  return { text: lines.join("\n"), structured };
}

/** What a summary that somebody wrote is worth beside its rows. */
interface Checked {
  readonly unsupported: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

function unsupportedLines(unsupported: readonly string[]): readonly string[] {
  if (unsupported.length === 0) return [];
  const shown = unsupported.slice(0, MOST_UNSUPPORTED).map((text) => shownName(text));
  const more = unsupported.length > shown.length ? `, and ${unsupported.length - shown.length} more` : "";
  return [
    "",
    `⚠️ The summary names what none of these observations has: ${shown.join(", ")}${more}. If that is wrong, correct it with \`mem_update\`, or undo.`,
  ];
}

function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  if (leftOut.length === 0) return [];
  const shown = leftOut.slice(0, MOST_LEFT_OUT);
  const more = leftOut.length > shown.length ? [`- and of ${leftOut.length - shown.length} more`] : [];
  const lines = shown.map(({ id, facts }) => `- #${id}: ${facts.map((fact) => shownName(fact)).join(", ")}`);
  return ["", "The summary leaves out, of what they say:", ...lines, ...more];
}

function warning(ids: readonly number[], what: string): readonly string[] {
  if (ids.length === 0) return [];
  return ["", `⚠️ ${ids.length} compacted although ${what}: ${ids.join(", ")}.`];
}

const compactInput = staleInput.extend({
  compact_ids: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .describe('Ids to compact, as "[1, 2, 3]". Omitted: list the candidates and change nothing, as mem_stale does'),
  kept_id: z
    .number()
    .optional()
    .describe("Instead of a summary: the live observation that says all that those of compact_ids say"),
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

function isList({ compact_ids, summary_title, summary_content, kept_id }: Input): boolean {
  const hasIds = compact_ids !== undefined && compact_ids !== "";
  if (hasIds || (summary_title ?? summary_content ?? kept_id) === undefined) return !hasIds;
  // Answering with a list would look like success to whoever believes that the ids arrived.
  throw new CompactError("InvalidInput", "A summary was given without 'compact_ids'.", {
    code: "INVALID_IDS",
    hint: "Send compact_ids as well, or leave summary_title and summary_content out to list the candidates.",
  });
}

async function execute(given: Input, context: ToolContext): Promise<ToolAnswer> {
  const { summary_title: title, summary_content: content } = given;
  const store = await context.store();
  const request = {
    ...selectionOf(given),
    ids: readIds("compact_ids", given.compact_ids, MOST_COMPACTED),
    keptId: given.kept_id,
    summaryTitle: title,
    summaryContent: content,
    sessionId: given.session_id,
  };
  const summary = title === undefined || content === undefined ? undefined : { title, content };
  const result = await compactObservations(store, request, { now: context.now(), trace: context.trace });
  const { rows } = result;
  const checked =
    summary === undefined
      ? { unsupported: [], leftOut: [] }
      : { unsupported: await unsupportedIn(summary, rows), leftOut: await leftOutOf(summary, rows) };
  const tokensOf = (row: { title: string; content: string }) => context.count(`${row.title}\n${row.content}`);
  const tokens = {
    before: rows.reduce((sum, row) => sum + tokensOf(row), 0),
    after: summary === undefined ? 0 : tokensOf(summary),
  };
  const { text, structured } = describeCompaction(result, tokens, checked);
  return { text, structured: { mode: "execute", compaction: structured } };
}

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
    const request = { ids: ids === "" ? undefined : ids, summaryId: summary_id };
    const result = await restoreObservations(await context.store(), request, {
      now: context.now(),
      trace: context.trace,
    });
    return {
      text: restoredLines(result).join("\n"),
      structured: {
        restored: result.restored,
        retired: result.retired,
        empty: result.empty,
        remaining: result.remaining.map(({ id, standsFor }) => ({ id, stands_for: standsFor })),
      },
    };
  },
});
