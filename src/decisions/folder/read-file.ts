// Reads one file of a folder as a record, and keeps what proves later that it is still the same.
import { errorCode } from "../../storage/file-failure.ts";
import { type ReadDecision, readDecision } from "../reading/read-decision.ts";
import type { Folder } from "./places.ts";
import { isSettled, type Stamp, stampOf } from "./stamps.ts";
import { dateInName } from "./yaml/new-record.ts";
import { decodeText, MOST_BYTES, type ParsedRecord, parseRecord } from "./yaml/parse-record.ts";

export interface KnownFile {
  readonly parsed: ParsedRecord;
  /** Present once it proves that the file is the same; without one it is read again. */
  readonly stamp?: Stamp;
  /** Without a stamp: then a file of the same text need not be parsed again. */
  readonly text?: string;
}

/** Undefined where it is gone. What was parsed before stays where the text is the same. */
export function readFile(folder: Folder, name: string, before: KnownFile | undefined): KnownFile | undefined {
  const now = Date.now();
  try {
    const { bytes, stamp } = bytesOf(folder, name);
    const proof = isSettled(stamp, now) ? { stamp } : {};
    const decoded = decodeText(bytes);
    if ("problem" in decoded) return { parsed: decoded, ...proof };
    const { text } = decoded;
    const parsed = before !== undefined && before.text === text ? before.parsed : parseRecord(text);
    return { parsed, ...proof, ...("stamp" in proof ? {} : { text }) };
  } catch (cause) {
    const code = errorCode(cause) ?? "unknown";
    return code === "ENOENT" ? undefined : { parsed: { problem: `The file cannot be read (${code}).` } };
  }
}

/** Exactly what stands in a file now. @throws the system's error. */
export function bytesOf(folder: Folder, name: string): { readonly bytes: Uint8Array; readonly stamp: Stamp } {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = folder.fs.constants;
  // Since it was looked at, a link or a pipe may have taken its place.
  const handle = folder.fs.openSync(folder.file(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = folder.fs.fstatSync(handle);
    if (!stats.isFile()) throw Object.assign(new Error("not a file"), { code: "EISDIR" });
    const isTooLarge = stats.size > MOST_BYTES;
    return {
      bytes: isTooLarge ? new Uint8Array(MOST_BYTES + 1) : folder.fs.readFileSync(handle),
      stamp: stampOf(stats),
    };
  } finally {
    folder.fs.closeSync(handle);
  }
}

/** A file as a record; its name stands for an id that is missing, and for a date. */
export function readFrom(name: string, parsed: ParsedRecord): ReadDecision {
  if ("problem" in parsed) return unreadable(name, parsed.problem);
  const date = dateInName(name);
  try {
    return readDecision(parsed.raw, { name, ...(date === undefined ? {} : { date }) });
  } catch {
    return unreadable(name, "The record is nested too deeply to be read.");
  }
}

export function unreadable(name: string, message: string): ReadDecision {
  return { faults: [{ id: name, code: "UNREADABLE_RECORD", message }] };
}
