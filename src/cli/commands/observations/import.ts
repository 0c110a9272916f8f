// `agent-compact observations import`: adds what files of memories hold to the store. All of them are read before the
// first is written, so that a bad one stops the command while nothing has happened yet.
import { CompactError } from "../../../errors.ts";
import type { ObservationStore } from "../../../observations/observation-store.ts";
import { importObservations } from "../../../observations/transfer/import-observations.ts";
import { type StoreFlags, withStore } from "../../open-store.ts";
import { printResult } from "../../print-result.ts";
import { createProgress, type Progress } from "../../progress.ts";
import { type ImportedFile, renderImports } from "../../render/observations/imports.ts";
import type { Terminal } from "../../terminal.ts";
import { type MemoryFile, readMemories } from "./read-memories.ts";

export type ImportFlags = StoreFlags;

/** Rows between two lines of progress. */
const ROWS_A_LINE = 5000;

export async function importFiles(files: readonly string[], flags: ImportFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, flags);
  const read: MemoryFile[] = [];
  for (const file of files) {
    progress.step(`reading ${file}`);
    read.push(await readMemories(file, terminal));
  }
  await withStore(flags, terminal, { create: true }, async ({ store, shown }) => {
    const reports: ImportedFile[] = [];
    for (const file of read) {
      try {
        reports.push(await importFile(store, file, progress));
      } catch (error) {
        throw reports.length === 0 ? error : stoppedAt(file, reports, error);
      }
    }
    printResult({ db: shown, files: reports }, (colors) => renderImports(reports, shown, colors), flags, terminal, {
      isTold: true,
    });
  });
}

async function importFile(
  store: ObservationStore,
  { label, rows }: MemoryFile,
  progress: Progress,
): Promise<ImportedFile> {
  progress.step(`importing ${label}`);
  const all = rows.sessions.length + rows.observations.length + rows.prompts.length + rows.relations.length;
  let told = 0;
  // Each row counts once a pass; a person wants to know how far the file is.
  const onProgress = (done: number, total: number) => {
    const rowsDone = Math.floor((done / total) * all);
    if (rowsDone < told + ROWS_A_LINE || done === total) return;
    told = rowsDone;
    progress.step(`importing ${label}: ${rowsDone.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} rows`);
  };
  return { file: label, ...(await importObservations(store, rows, { now: Date.now, onProgress })) };
}

/** What came before stays imported, which nobody would know from the failure alone. */
function stoppedAt({ label }: MemoryFile, reports: readonly ImportedFile[], error: unknown): CompactError {
  const done = reports.map(({ file, added, updated }) => `${file} (${added} added, ${updated} updated)`).join(", ");
  const { kind, message, code, hint } = CompactError.isInstance(error)
    ? error
    : { kind: "StoreFailed" as const, message: String(error), code: "IMPORT_STOPPED", hint: undefined };
  const [reason] = message.split("\n", 1);
  return new CompactError(kind, `Importing ${label} failed: ${reason}\nImported before: ${done}.`, {
    code,
    hint: `${hint ?? ""} Then run the same command again: it adds nothing twice.`.trimStart(),
    data: { imported: reports.map(({ file }) => file) },
    cause: error,
  });
}
