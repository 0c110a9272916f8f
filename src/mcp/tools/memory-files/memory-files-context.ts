// The workspace of memory files that a server was started with.
import type { SummarizerConfig } from "../../../config/schema/summarizer-schema.ts";
import type { RedactorOptions } from "../../../redaction/redactor.ts";

export interface MemoryFilesContext {
  /** Absolute path of a folder that is there. Calls may name this one and what is inside it. */
  readonly root: string;
  /** Of the configuration; for the workspace itself and those inside. */
  readonly memoryFile?: string | undefined;
  readonly notesGlob?: string | undefined;
  /** Where a call says no other. */
  readonly maxMemoryKb: number;
  /** What a secret is, in a digest's sources and in the warning that a memory holds some. */
  readonly redaction?: RedactorOptions | undefined;
  /** Writes digests. Default: by code. Looked at only where digests were asked for. */
  readonly writer?: { readonly summarizer?: SummarizerConfig | undefined };
  /** Aborted when the server ends: what is being changed is finished, nothing new is begun. */
  readonly signal?: AbortSignal | undefined;
}
