// The text of archived files: transcripts as one JSON value per line, records as pretty JSON; reading survives damage
// where it can and says where it cannot.
import { CompactError } from "../errors.ts";
import type { ReadTranscriptOptions, SummaryRecord } from "./archive.ts";

/** One line per message. Throws `InvalidInput` for a message that JSON cannot hold. */
export function* encodeTranscript(messages: readonly unknown[]): Generator<string> {
  for (const [index, message] of messages.entries()) yield `${encodeValue(message, `message ${index + 1}`)}\n`;
}

export function encodeRecord(record: unknown): string {
  return `${encodeValue(record, "record", 2)}\n`;
}

/** See `Archive.readTranscript` for what becomes of damaged lines. */
export function decodeTranscript(
  text: string,
  location: string,
  options: ReadTranscriptOptions = {},
): readonly unknown[] {
  const messages: unknown[] = [];
  const damaged: number[] = [];
  const lines = text.split("\n");
  // A complete file ends with a line break, so what follows the last one is torn, or nothing.
  const torn = lines.length - 1;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const value = decodeLine(line);
    if (value === undefined) damaged.push(index + 1);
    if (value !== undefined || index !== torn) messages.push(value ?? null);
  }
  if (options.strict === true && damaged.length > 0) throw unreadableLines(location, damaged);
  return messages;
}

/** Throws `ArchiveFailed` when the text is not a summary record. */
export function decodeSummary(text: string, location: string): SummaryRecord {
  const value = decodeRecord(text, location) as Partial<SummaryRecord> | null;
  if (typeof value !== "object" || value === null || typeof value.text !== "string" || !Array.isArray(value.pruned)) {
    throw damagedRecord(location);
  }
  return value as SummaryRecord;
}

/** Throws `ArchiveFailed` when the text is not JSON. */
export function decodeRecord(text: string, location: string): unknown {
  try {
    return JSON.parse(text) as unknown;
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
    return JSON.parse(line) as unknown;
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
