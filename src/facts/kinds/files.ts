// Which files were read, written, moved or deleted, and the last thing done to each.
import type { FactMessage } from "../fact-message.ts";
import type { FileFact } from "../ledger.ts";
import { fileOperations } from "./file-operations.ts";

export function extractFiles(messages: readonly FactMessage[]): readonly FileFact[] {
  const files = new Map<string, FileFact>();
  for (const { calls, source } of messages) {
    for (const call of calls) {
      for (const { path, operation } of fileOperations(call)) {
        recordFile(files, {
          kind: "file",
          path,
          operation,
          symbols: [],
          edits: operation === "written" ? 1 : 0,
          source,
        });
      }
    }
  }
  return [...files.values()];
}

export function mergeFiles(earlier: readonly FileFact[], later: readonly FileFact[]): readonly FileFact[] {
  const files = new Map<string, FileFact>();
  for (const fact of [...earlier, ...later]) recordFile(files, fact);
  return [...files.values()];
}

/** A file keeps the strongest operation: written outranks read; otherwise the latest source wins. */
function recordFile(files: Map<string, FileFact>, fact: FileFact): void {
  const known = files.get(fact.path);
  if (known?.operation === "written" && fact.operation === "read") return;
  files.set(fact.path, { ...fact, edits: fact.edits + (known?.edits ?? 0) });
}
