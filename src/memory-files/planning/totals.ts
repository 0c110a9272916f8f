// What the changes of a plan come to. Of several edits of one file each begins where the last ended, so a file counts once.
import type { MemoryAnalysis } from "../analysis.ts";
import type { MemoryFilesPlan, PlannedChange } from "../plan.ts";

/** Of those that are to be applied. */
export function totalsOf(all: readonly PlannedChange[]): MemoryFilesPlan["totals"] {
  const changes = all.filter(({ apply }) => apply);
  const firsts = new Map<string, PlannedChange>();
  const lasts = new Map<string, PlannedChange>();
  for (const change of changes) {
    if (!firsts.has(change.file)) firsts.set(change.file, change);
    lasts.set(change.file, change);
  }
  const sum = (from: ReadonlyMap<string, PlannedChange>, read: (change: PlannedChange) => number) =>
    [...from.values()].reduce((total, change) => total + read(change), 0);
  return {
    changes: changes.length,
    files: new Set(changes.flatMap((change) => (change.kind === "digest" ? change.notes : [change.file]))).size,
    bytes_before: sum(firsts, ({ bytes_before }) => bytes_before),
    bytes_after: sum(lasts, ({ bytes_after }) => bytes_after),
    tokens_before: sum(firsts, ({ tokens_before }) => tokens_before),
    tokens_after: sum(lasts, ({ tokens_after }) => tokens_after),
  };
}

/** Of the main memory file, in bytes. */
export function memorySizeAfter(
  { memory_file, memory_size }: MemoryAnalysis,
  changes: readonly PlannedChange[],
): number {
  const last = changes.findLast(({ apply, file }) => apply && file === memory_file);
  return last?.bytes_after ?? memory_size;
}
