// What a compaction of memory files is made of when nobody says otherwise: digests by code, tokens of o200k_base, the
// machine's clock.
import { isSummarizer, type SummarizerConfig, summarizerKind } from "../config/summarizer-schema.ts";
import type { CompactMemoryFilesRequest, MemoryFilesResult } from "../memory-files/compact-memory-files.ts";
import type { MemoryFilesOptions, PlanOptions } from "../memory-files/options.ts";
import { createFinder, type RedactorOptions } from "../redaction/redactor.ts";
import { atNow, type Clock } from "../time.ts";
import { defaultCount, readsRedacted, writingParts } from "./summarizer.ts";

export interface MemoryFilesCallOptions extends Partial<Omit<MemoryFilesOptions, "now">> {
  /** Default: the machine's clock. */
  readonly now?: Clock | undefined;
}

export interface MemoryFilesPlanOptions extends MemoryFilesCallOptions, Pick<PlanOptions, "strategy"> {
  /** As for `CompactManager`. Default: by code, no model. */
  readonly summarizer?: SummarizerConfig | undefined;
  /** Of what a model is sent. */
  readonly redaction?: RedactorOptions | undefined;
}

/** `compactMemoryFiles` with its trials: what the command line and the tools call. */
export async function runMemoryFilesCompaction(
  request: CompactMemoryFilesRequest,
  options: MemoryFilesPlanOptions,
): Promise<MemoryFilesResult> {
  const { compactMemoryFiles: compact } = await import("../memory-files/compact-memory-files.ts");
  return compact(request, memoryFilesPlanOptions(options));
}

export function memoryFilesPlanOptions({ summarizer, redaction, ...options }: MemoryFilesPlanOptions): PlanOptions {
  const { redactor, ...parts } = writingParts({ summarizer, redaction, count: options.count });
  // What code makes of notes stays in the workspace, as the notes do.
  const isSentAway = isSummarizer(summarizer) || (summarizerKind(summarizer) === "model" && readsRedacted(summarizer));
  return {
    findSecrets: createFinder(redaction ?? {}),
    ...atNow(options),
    ...parts,
    ...(isSentAway ? { redact: (text: string) => redactor.text(text) } : {}),
  };
}

export function memoryFilesOptions<Options extends MemoryFilesCallOptions>(options: Options) {
  return { ...atNow(options), count: options.count ?? defaultCount() };
}
