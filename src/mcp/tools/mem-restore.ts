// The tool `mem_restore`: undoes a compaction, wholly or in part.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { type RestoreResult, restoreObservations } from "../../observations/compaction/restore-observations.ts";
import { defineTool } from "../tool.ts";

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
