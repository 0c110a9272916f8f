// The names of an archive's files: which step and kind a name stands for, and back, however it is packed. No input or
// output.
import { CompactError } from "../errors.ts";
import { parseJson } from "../text/parse-json.ts";
import type { ArchivedStep, ReadTranscriptOptions, SummaryRecord } from "./archive.ts";
import { COMPRESSIONS, type Compression, EXTENSIONS } from "./compression.ts";

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

// The text of archived files: transcripts as one JSON value per line, records as pretty JSON; reading survives damage
// where it can and says where it cannot. Compression is left to compression.ts.

/** Large enough to write and to pack at once, small beside a transcript. */
const PIECE_CHARACTERS = 1 << 18;
const LINE_BREAK = 0x0a;

/** One line per message, in pieces of bytes. Throws `InvalidInput` for a message that JSON cannot hold. */
export async function* encodeTranscript(messages: readonly unknown[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let lines: string[] = [];
  let size = 0;
  for (const [index, message] of messages.entries()) {
    const line = `${encodeValue(message, `message ${index + 1}`)}\n`;
    lines.push(line);
    size += line.length;
    if (size < PIECE_CHARACTERS) continue;
    yield encoder.encode(lines.join(""));
    lines = [];
    size = 0;
  }
  if (size > 0) yield encoder.encode(lines.join(""));
}

export function encodeRecord(record: unknown): Uint8Array {
  return new TextEncoder().encode(`${encodeValue(record, "record", 2)}\n`);
}

/** See `Archive.readTranscript` for what becomes of damaged lines. Line by line: all of it may be too long for one string. */
export function decodeTranscript(
  { bytes, isTorn }: { readonly bytes: Uint8Array; readonly isTorn: boolean },
  location: string,
  options: ReadTranscriptOptions = {},
): readonly unknown[] {
  const decoder = new TextDecoder();
  const messages: unknown[] = [];
  const damaged: number[] = [];
  let number = 0;
  for (let start = 0; start < bytes.length; ) {
    number++;
    const end = bytes.indexOf(LINE_BREAK, start);
    const line = decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end));
    start = end < 0 ? bytes.length : end + 1;
    if (line.trim() === "") continue;
    const value = decodeLine(line);
    if (value === undefined) damaged.push(number);
    // A complete file ends with a line break, so what follows the last one is torn.
    if (value !== undefined || end >= 0) messages.push(value ?? null);
  }
  // Even when it broke off between two lines, what followed is missing.
  if (isTorn && damaged.at(-1) !== number) damaged.push(number + 1);
  if (options.strict === true && damaged.length > 0) throw unreadableLines(location, damaged);
  return messages;
}

/** Throws `ArchiveFailed` when the text is not a summary record. */
export function decodeSummary(bytes: Uint8Array, location: string): SummaryRecord {
  const value = decodeRecord(bytes, location) as Partial<SummaryRecord> | null;
  if (typeof value !== "object" || value === null || typeof value.text !== "string" || !Array.isArray(value.pruned)) {
    throw damagedRecord(location);
  }
  return value as SummaryRecord;
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

function encodeValue(value: unknown, what: string, indent?: number): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, null, indent);
  } catch (cause) {
    throw notJson(what, cause);
  }
  if (text === undefined) throw notJson(what);
  return text;
}

function decodeLine(line: string): unknown {
  try {
    return parseJson(line) as unknown;
  } catch {
    return undefined;
  }
}

function notJson(what: string, cause?: unknown): CompactError {
  return new CompactError("InvalidInput", `${what} cannot be archived: JSON cannot hold it`, {
    code: "NOT_JSON",
    hint: "Messages are plain JSON values: no functions, cycles or big integers.",
    cause,
  });
}

function unreadableLines(location: string, lines: readonly number[]): CompactError {
  return new CompactError("ArchiveFailed", `${lines.length} unreadable line(s) in ${location}`, {
    code: "UNREADABLE_LINES",
    hint: "The other lines are intact; restore this file from a backup if you have one.",
    data: { location, lines },
  });
}

function damagedRecord(location: string): CompactError {
  return new CompactError("ArchiveFailed", `damaged record: ${location}`, {
    code: "DAMAGED_RECORD",
    hint: "Restore the file from a backup, or move it away; transcripts beside it are not affected.",
    data: { location },
  });
}
