// What an apply says it did, for callers and for the trace.
import type { Times } from "../../trace/watch.ts";
import { archivesOf } from "../journal/journal.ts";
import { MEMORY_FILES_SESSION, MOST_TOLD } from "../journal/tell-failure.ts";
import type { MemoryFilesOptions } from "../memory-files-options.ts";
import type { AppliedChange, MemoryFilesReport } from "../report.ts";
import type { PreparedChange } from "./prepared-change.ts";

export function appliedChange(run: number, { planned, noted, content }: PreparedChange): AppliedChange {
  const isOne = noted.kind !== "digest";
  return {
    id: `${run}.${noted.change}`,
    kind: noted.kind,
    file: noted.file,
    what: noted.what,
    archived: archivesOf(noted).map(({ file }) => file),
    bytes_before: isOne ? noted.before.bytes : noted.notes.reduce((sum, { bytes }) => sum + bytes, 0),
    bytes_after: content.length,
    tokens_before: planned.tokens_before,
    tokens_after: planned.tokens_after,
  };
}

export function rotatedFiles(made: readonly PreparedChange[]): MemoryFilesReport["rotated_files"] {
  return made.flatMap(({ noted, content }) =>
    noted.kind !== "rotate"
      ? []
      : [
          {
            file: noted.file,
            original_size: noted.before.bytes,
            archive_path: noted.archive.file,
            summary_size: content.length,
          },
        ],
  );
}

/** An event names files, never what is in them. */
export function tellApplied(
  { applied, refused, settled, rotated_count }: MemoryFilesReport,
  times: Times,
  { trace }: Pick<MemoryFilesOptions, "trace">,
): void {
  const sum = (figure: (change: AppliedChange) => number) => applied.reduce((total, each) => total + figure(each), 0);
  trace?.emit({
    event: "compact.applied",
    part: "memory_files",
    session_id: MEMORY_FILES_SESSION,
    ids: applied.slice(0, MOST_TOLD).map(({ file }) => file),
    counts: {
      applied: applied.length,
      refused: refused.length,
      settled: settled.length,
      rotated: rotated_count,
      bytes_before: sum(({ bytes_before }) => bytes_before),
      bytes_after: sum(({ bytes_after }) => bytes_after),
      tokens_before: sum(({ tokens_before }) => tokens_before),
      tokens_after: sum(({ tokens_after }) => tokens_after),
    },
    ...times,
  });
}
