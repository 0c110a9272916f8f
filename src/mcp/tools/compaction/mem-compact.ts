// The tool `mem_compact`: without ids it lists what is stale, with ids it compacts them.
import * as z from "zod";
import { CompactError } from "../../../errors.ts";
import { compactObservations } from "../../../observations/compact-observations.ts";
import { identifyStaleObservations } from "../../../observations/compaction/find-stale.ts";
import { readCursor } from "../../answer/cursor.ts";
import { answerLimit } from "../../answer/fit-page.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../../tool.ts";
import { compactionOutput, describeCompaction } from "./compaction-answer.ts";
import { describeStale, staleOutput } from "./stale-answer.ts";

const input = z.object({
  older_than_days: z.number().describe("Age in days: observations created longer ago are stale. Must be > 0."),
  project: z.string().optional().describe("Only this project, by its exact name"),
  scope: z.string().optional().describe("Only this scope: project or personal. Omitted: both"),
  namespace: z.string().optional().describe("Only this namespace"),
  compact_ids: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .describe('Ids to compact, as "[1, 2, 3]". Omitted: list the candidates and change nothing'),
  summary_title: z.string().optional().describe("Title of the observation that replaces them"),
  summary_content: z.string().optional().describe("Its text: what is worth keeping of them all"),
  session_id: z.string().optional().describe("Session of the summary (manual-save)"),
  limit: z.number().optional().describe("Most candidates to list: 50, at most 200"),
  cursor: z.string().optional().describe("next_cursor of the last list, for the page after it"),
  max_tokens: z.number().optional().describe("Most tokens of the answer"),
});

const output = z.object({
  mode: z.enum(["identify", "execute"]),
  stale: staleOutput.optional().describe("What was found; in mode identify"),
  compaction: compactionOutput.optional().describe("What was done; in mode execute"),
});

type Input = z.infer<typeof input>;

export const memCompact = defineTool({
  name: "mem_compact",
  title: "Compact stale observations",
  description:
    "Makes room in memory, in two phases. First call it with older_than_days alone: it lists stale observations and " +
    "changes nothing. Review them, write a summary of what is worth keeping, then call it again with compact_ids, " +
    "summary_title and summary_content: in one transaction those observations leave the live memory and the summary " +
    "takes their place. Nothing is lost: mem_restore brings them back.",
  input,
  output,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  run: (given, context) => (isList(given) ? identify(given, context) : execute(given, context)),
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

async function identify(given: Input, context: ToolContext): Promise<ToolAnswer> {
  const found = await identifyStaleObservations(
    await context.store(),
    {
      olderThanDays: given.older_than_days,
      project: given.project,
      scope: given.scope,
      namespace: given.namespace,
      limit: given.limit,
      after: given.cursor === undefined ? undefined : readCursor("mem_compact", given.cursor, position),
    },
    { now: context.now() },
  );
  return describeStale(found, answerLimit(given.max_tokens, context));
}

async function execute(given: Input, context: ToolContext): Promise<ToolAnswer> {
  const result = await compactObservations(
    await context.store(),
    {
      olderThanDays: given.older_than_days,
      ids: given.compact_ids,
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
