// `agent-compact observations import`: adds what files of memories hold to the store.
import { CompactError } from "../../../errors.ts";
import { importObservations } from "../../../observations/transfer/import-observations.ts";
import { readImportedRows } from "../../../observations/transfer/read-rows.ts";
import { decodeText } from "../../input/decode-text.ts";
import { readBytes } from "../../input/read-bytes.ts";
import { type StoreFlags, withStore } from "../../open-store.ts";
import { printResult } from "../../print-result.ts";
import { createProgress } from "../../progress.ts";
import { type ImportedFile, renderImports } from "../../render/observations/imports.ts";
import type { Terminal } from "../../terminal.ts";

export type ImportFlags = StoreFlags;

export async function importFiles(files: readonly string[], flags: ImportFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, flags);
  await withStore(flags, terminal, { create: true }, async ({ store, shown }) => {
    const reports: ImportedFile[] = [];
    for (const file of files) {
      const { bytes, label } = await readBytes(file, terminal);
      const rows = readRows(decodeText(bytes, label).text, label);
      progress.step(`importing ${label}`);
      reports.push({ file: label, ...(await importObservations(store, rows, { now: Date.now })) });
    }
    printResult({ db: shown, files: reports }, (colors) => renderImports(reports, shown, colors), flags, terminal, {
      isTold: true,
    });
  });
}

/** The reader does not know the file's name. */
function readRows(text: string, label: string) {
  try {
    return readImportedRows(text);
  } catch (error) {
    if (!CompactError.isInstance(error)) throw error;
    throw new CompactError("InvalidInput", `${label} holds no memories in a known format.`, {
      code: error.code,
      hint: "Give an export of a memory store, a knowledge graph's file, or JSON Lines with a content each.",
      cause: error,
    });
  }
}
