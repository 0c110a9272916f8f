// The names of an archive's files: which step and kind a name stands for, and back, however it is packed. No input or
// output.
import { CompactError } from "../errors.ts";
import { parseJson } from "../text/parse-json.ts";
import type { ArchivedStep, SummaryRecord } from "./archive.ts";
import { COMPRESSIONS, type Compression, EXTENSIONS } from "./compression.ts";
import { encodeValue } from "./encode-lines.ts";

const STEP_FILE = /^(?:transcript-pre-compact-(\d{3,15})\.jsonl|summary-(\d{3,15})\.json)(?:\.gz|\.zst)?$/;

/** Three digits at least; beyond 999 the number just grows. */
export function transcriptFile(step: number, compression: Compression = "none"): string {
  return `transcript-pre-compact-${String(step).padStart(3, "0")}.jsonl${EXTENSIONS[compression]}`;
}

/** In the order in which a reader looks for them. */
export function transcriptFiles(step: number): readonly string[] {
  return COMPRESSIONS.map((compression) => transcriptFile(step, compression));
}

export function summaryFile(step: number, compression: Compression = "none"): string {
  return `summary-${String(step).padStart(3, "0")}.json${EXTENSIONS[compression]}`;
}

export function summaryFiles(step: number): readonly string[] {
  return COMPRESSIONS.map((compression) => summaryFile(step, compression));
}

/** What is left of a file whose step was removed: the lines that other steps share with it. */
export function keptFile(name: string): string {
  return `kept-${name}`;
}

/** The step that a file belongs to; undefined for a name that we would not write, and for what is only kept for others. */
export function stepOf(name: string): number | undefined {
  return name.startsWith("kept-") ? undefined : numberOf(name);
}

/** The removed step that a file is left of. */
export function keptOf(name: string): number | undefined {
  return name.startsWith("kept-") ? numberOf(name.slice("kept-".length)) : undefined;
}

function numberOf(name: string): number | undefined {
  const [, transcript, summary] = STEP_FILE.exec(name) ?? [];
  const digits = transcript ?? summary ?? "0";
  // "transcript-pre-compact-0001.jsonl" is somebody else's.
  return digits.length > 3 && digits.startsWith("0") ? undefined : Number(digits) || undefined;
}

export function isSummary(name: string): boolean {
  return name.startsWith("summary-");
}

/** The steps that these file names make up, ascending. `locate` says where a file is. */
export function stepsOf(names: Iterable<string>, locate: (name: string) => string): readonly ArchivedStep[] {
  const present = new Set(names);
  const numbers = new Set(Array.from(present, stepOf).filter((step) => step !== undefined));
  return Array.from(numbers, (step) => {
    const transcript = transcriptFiles(step).find((name) => present.has(name));
    const summary = summaryFiles(step).find((name) => present.has(name));
    return {
      step,
      transcript: locate(transcript ?? transcriptFile(step)),
      ...(transcript === undefined ? { isTranscriptLost: true as const } : {}),
      ...(summary === undefined ? {} : { summary: locate(summary) }),
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

// The text of summary records: one key a line. A text that shares lines with an earlier record's is a list: lines, and
// `[3, 4, 17]` for the entries 4 to 17 of the text of step 3, which are lines there.

/** A line, or lines of another record's text; null for one that nobody needs any more. */
export type TextEntry = string | TextRange | null;
export type TextRange = readonly [step: number, first: number, last: number];

/** As it is stored. */
export type StoredRecord = Omit<SummaryRecord, "text"> & { readonly text: string | readonly TextEntry[] };

/** Throws `InvalidInput` for what JSON cannot hold. */
export function encodeRecord(record: object): Uint8Array {
  const lines = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${encodeValue(value, "record")}`);
  return new TextEncoder().encode(`{\n${lines.join(",\n")}\n}\n`);
}

/** Throws `ArchiveFailed` when the text is not a summary record. */
export function decodeSummary(bytes: Uint8Array, location: string): StoredRecord {
  const value = decodeRecord(bytes, location) as Partial<StoredRecord> | null;
  const hasText = typeof value?.text === "string" || (Array.isArray(value?.text) && value.text.every(isEntry));
  if (!hasText || !Array.isArray(value?.pruned)) throw damagedRecord(location);
  return value as StoredRecord;
}

function isEntry(entry: unknown): entry is TextEntry {
  if (typeof entry === "string" || entry === null) return true;
  return Array.isArray(entry) && entry.length === 3 && entry.every((part) => Number.isSafeInteger(part) && part > 0);
}

/** What a record's text is made of, whichever way it is stored. */
export function entriesOf({ text }: Pick<StoredRecord, "text">): readonly TextEntry[] {
  return typeof text === "string" ? text.split("\n") : text;
}

/** Throws `ArchiveFailed` when the text is not JSON. */
export function decodeRecord(bytes: Uint8Array, location: string): unknown {
  try {
    return parseJson(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    // The parser's message quotes the text, so it is not passed on as a cause.
    throw damagedRecord(location);
  }
}

export function unreadableLines(
  location: string,
  lines: readonly number[],
  elsewhere: readonly string[],
): CompactError {
  const where = elsewhere.length === 0 ? "" : `, some of which lie in ${elsewhere.join(", ")}`;
  return new CompactError("ArchiveFailed", `${lines.length} unreadable line(s) in ${location}${where}`, {
    code: "UNREADABLE_LINES",
    hint: "The other lines are intact; restore this file from a backup if you have one.",
    data: { location, lines, elsewhere },
  });
}

export function damagedRecord(location: string): CompactError {
  return new CompactError("ArchiveFailed", `damaged record: ${location}`, {
    code: "DAMAGED_RECORD",
    hint: "Restore the file from a backup, or move it away; transcripts beside it are not affected.",
    data: { location },
  });
}
