// Where something of a workspace becomes too large, and what the limit of the main memory file is.
import { CompactError } from "../errors.ts";

/** A section with more tokens than this, by either count, is bloated. */
export const BLOATED_SECTION_TOKENS = 500;
/** A note with more bytes than this is bloated. */
export const BLOATED_NOTE_BYTES = 8192;
/** A note with more bytes than this is due for rotation. */
export const ROTATE_BYTES = 30_720;
/** Of the library and of servers, whose agents look before they act. */
export const DEFAULT_MAX_MEMORY_KB = 15;
/** Of the command line, where a person looks at a plan. */
export const COMMAND_LINE_MAX_MEMORY_KB = 5;

const KILOBYTE = 1024;

/** Kilobytes that the main memory file may have. @throws InvalidInput `INVALID_MAX_MEMORY_KB` */
export function readMaxMemoryKb(given: number = DEFAULT_MAX_MEMORY_KB): number {
  if (Number.isFinite(given) && given > 0) return given;
  throw new CompactError("InvalidInput", "The size limit of the memory file must be a number above 0.", {
    code: "INVALID_MAX_MEMORY_KB",
    hint: `Give kilobytes, such as ${DEFAULT_MAX_MEMORY_KB}.`,
  });
}

/** Bytes above the limit; 0 at or below it. */
export function overLimitBytes(bytes: number, maxMemoryKb: number): number {
  return Math.max(0, bytes - Math.floor(maxMemoryKb * KILOBYTE));
}
