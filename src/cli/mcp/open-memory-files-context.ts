// The workspace of memory files of a server: named by the flag or the configuration, or none. It must be there when the
// server starts, since a mistyped one would only ever fail.
import type { ConfigFile } from "../../config/file-schema.ts";
import { summaryConfigOf } from "../../from-config/summary-config.ts";
import type { MemoryFilesContext } from "../../mcp/tools/memory-files/memory-files-context.ts";
import { openRoot } from "../../memory-files/workspace/open-root.ts";
import type { RedactorOptions } from "../../redaction/redactor.ts";
import { findWorkspace } from "../input/find-workspace.ts";
import type { Terminal } from "../terminal.ts";

/** Of agents, which look before they act; the command line's is lower. */
const DEFAULT_MAX_KB = 15;

export interface OpenedMemoryFilesContext {
  readonly context: MemoryFilesContext;
  /** What is being changed is finished, nothing new is begun. */
  readonly stop: () => void;
}

/** Undefined where nobody named a workspace. Throws `NotFound` and `InvalidInput` for one that is none. */
export async function openMemoryFilesContext(
  named: string | undefined,
  config: ConfigFile,
  terminal: Terminal,
): Promise<OpenedMemoryFilesContext | undefined> {
  const wanted = named ?? config.memoryFiles?.workspace;
  if (wanted === undefined) return undefined;
  const { root } = await findWorkspace(wanted, terminal);
  await openRoot(root);
  const stop = new AbortController();
  const { memoryFile, notesGlob, maxMemoryKb = DEFAULT_MAX_KB } = config.memoryFiles ?? {};
  return {
    context: {
      root,
      memoryFile,
      notesGlob,
      maxMemoryKb,
      redaction: config.redaction as RedactorOptions,
      // A model without its key is an error of the call that needs it.
      get writer() {
        return { summarizer: summaryConfigOf(config).summarizer };
      },
      signal: stop.signal,
    },
    stop: () => stop.abort(),
  };
}
