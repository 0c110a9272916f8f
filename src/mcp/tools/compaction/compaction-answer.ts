// How a finished compaction is told.
import * as z from "zod";
import type { CompactionResult } from "../../../observations/compact-observations.ts";

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
