// Which tools a server has: by group, each switched on by a flag or its configuration. The only list of all tools.
import type { Tool } from "./tool.ts";

export const TOOL_GROUPS = ["observations", "archive", "decisions", "memory_files"] as const;

export type ToolGroup = (typeof TOOL_GROUPS)[number];

/** Loaded when asked for: a server without a group does not pay for it. In the order in which clients show them. */
const LOADERS: Readonly<Record<ToolGroup, () => Promise<readonly Tool[]>>> = {
  observations: loadObservationTools,
  archive: loadArchiveTools,
  decisions: loadDecisionTools,
  memory_files: loadMemoryFileTools,
};

export async function toolsOf(groups: readonly ToolGroup[]): Promise<readonly Tool[]> {
  const asked = TOOL_GROUPS.filter((group) => groups.includes(group));
  return (await Promise.all(asked.map((group) => LOADERS[group]()))).flat();
}

async function loadObservationTools(): Promise<readonly Tool[]> {
  const [save, update, remove, session, relate, progress] = await Promise.all([
    import("./tools/saving/mem-save.ts"),
    import("./tools/saving/mem-update.ts"),
    import("./tools/saving/mem-delete.ts"),
    import("./tools/saving/mem-session.ts"),
    import("./tools/saving/mem-relate.ts"),
    import("./tools/saving/mem-progress.ts"),
  ]);
  const [search, get, context, timeline, stats] = await Promise.all([
    import("./tools/reading/mem-search.ts"),
    import("./tools/reading/mem-get.ts"),
    import("./tools/reading/mem-context.ts"),
    import("./tools/reading/mem-timeline.ts"),
    import("./tools/reading/mem-stats.ts"),
  ]);
  const [compact, restore, exporting, importing] = await Promise.all([
    import("./tools/compaction/mem-compact.ts"),
    import("./tools/compaction/mem-restore.ts"),
    import("./tools/transfer/mem-export.ts"),
    import("./tools/transfer/mem-import.ts"),
  ]);
  return [
    ...[context.memContext, search.memSearch, get.memGet, timeline.memTimeline, stats.memStats],
    ...[save.memSave, update.memUpdate, remove.memDelete, relate.memRelate, progress.memProgress, session.memSession],
    ...[compact.memCompact, restore.memRestore, exporting.memExport, importing.memImport],
  ];
}

async function loadArchiveTools(): Promise<readonly Tool[]> {
  const { archiveSearch } = await import("./tools/archive/archive-search.ts");
  const { archiveExpand } = await import("./tools/archive/archive-expand.ts");
  return [archiveSearch, archiveExpand];
}

async function loadDecisionTools(): Promise<readonly Tool[]> {
  const [compacted, query, get, wisdom, record, review, preserve, compact] = await Promise.all([
    import("./tools/decisions/cstp-get-compacted.ts"),
    import("./tools/decisions/cstp-query-decisions.ts"),
    import("./tools/decisions/cstp-get-decision.ts"),
    import("./tools/decisions/cstp-get-wisdom.ts"),
    import("./tools/decisions/cstp-record-decision.ts"),
    import("./tools/decisions/cstp-review-decision.ts"),
    import("./tools/decisions/cstp-set-preserve.ts"),
    import("./tools/decisions/cstp-compact.ts"),
  ]);
  return [
    ...[compacted.cstpGetCompacted, query.cstpQueryDecisions, get.cstpGetDecision, wisdom.cstpGetWisdom],
    ...[record.cstpRecordDecision, review.cstpReviewDecision, preserve.cstpSetPreserve, compact.cstpCompact],
  ];
}

async function loadMemoryFileTools(): Promise<readonly Tool[]> {
  const { memoryCompact } = await import("./tools/memory-files/memory-compact.ts");
  const { memoryRestore } = await import("./tools/memory-files/memory-restore.ts");
  return [memoryCompact, memoryRestore];
}
