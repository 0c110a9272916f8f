// The names of an archive's files: which step and kind a name stands for, and back, however it is packed. No input or
// output.
import { CompactError } from "../errors.ts";
import type { ArchivedStep } from "./archive.ts";
import { COMPRESSIONS, type Compression, EXTENSIONS } from "./packing/packing.ts";

const STEP_FILE = /^(?:transcript-pre-compact|summary)-(\d{3,15})\.json/;

/** Three digits at least; beyond 999 the number just grows. */
export function transcriptFile(step: number, compression: Compression = "none"): string {
  return `transcript-pre-compact-${String(step).padStart(3, "0")}.jsonl${EXTENSIONS[compression]}`;
}

/** In the order in which a reader looks for them. */
export function transcriptFiles(step: number): readonly string[] {
  return COMPRESSIONS.map((compression) => transcriptFile(step, compression));
}

export function summaryFile(step: number): string {
  return `summary-${String(step).padStart(3, "0")}.json`;
}

/** The step that a file belongs to; undefined for a name that we would not write. */
export function stepOf(name: string): number | undefined {
  const step = Number(STEP_FILE.exec(name)?.[1] ?? 0);
  // "transcript-pre-compact-0001.jsonl" is somebody else's.
  return step > 0 && (name === summaryFile(step) || transcriptFiles(step).includes(name)) ? step : undefined;
}

/** The steps that these file names make up, ascending. `locate` says where a file is. */
export function stepsOf(names: Iterable<string>, locate: (name: string) => string): readonly ArchivedStep[] {
  const present = new Set(names);
  const numbers = new Set(Array.from(present, stepOf).filter((step) => step !== undefined));
  return Array.from(numbers, (step) => {
    const transcript = transcriptFiles(step).find((name) => present.has(name));
    const summary = summaryFile(step);
    return {
      step,
      transcript: locate(transcript ?? transcriptFile(step)),
      ...(transcript === undefined ? { isTranscriptLost: true as const } : {}),
      ...(present.has(summary) ? { summary: locate(summary) } : {}),
    };
  }).sort((a, b) => a.step - b.step);
}

/** Throws `InvalidInput` unless the step is a positive whole number. */
export function checkStep(step: number): void {
  if (Number.isSafeInteger(step) && step > 0) return;
  throw new CompactError("InvalidInput", `archive step is not a positive whole number: ${step}`, {
    code: "INVALID_STEP",
    hint: "Take the step from nextStep().",
  });
}

export function stepTaken(what: string, location: string, cause?: unknown): CompactError {
  return new CompactError("Conflict", `${what} is archived already: ${location}`, {
    code: "STEP_TAKEN",
    hint: "Another writer took this step: ask nextStep() again.",
    data: { location },
    cause,
  });
}

export function stepNotFound(sessionId: string, step: number): CompactError {
  return new CompactError("NotFound", `no transcript of step ${step} in session ${JSON.stringify(sessionId)}`, {
    code: "STEP_NOT_FOUND",
    hint: "It may have expired by storage.retention, or was never there: see `agent-compact archive list`.",
    data: { session_id: sessionId, step },
  });
}
