// What the operations on memory files are given besides the workspace.

import { CompactError } from "../errors.ts";
import type { Strategy, Summarizer } from "../summaries/summarizer.ts";
import type { Trace } from "../trace/emit.ts";
import type { WorkspaceRequest } from "./workspace.ts";

export interface AnalyzeRequest extends WorkspaceRequest {
  /** Kilobytes of 1,024 bytes that the main memory file may have. Above 0. Default 15. */
  readonly maxMemoryKb?: number | undefined;
}

/** Besides what is safe; none is on unless asked for. The plan proposes the others with `apply: false`. */
export const LEVERS = ["contained", "move", "digest"] as const;
/**
 * - `contained`: removes sections of notes that the memory holds word for word, though the two are less alike as a whole,
 *   since the memory is large
 * - `move`: moves the oldest sections of the memory to an archive file until it is under its limit
 * - `digest`: makes one digest of the notes of each past month
 */
export type Lever = (typeof LEVERS)[number];

export interface PlanRequest extends AnalyzeRequest {
  /** Repeated lines, blank runs and all but the last line of a series of memory files go too. Default false. */
  readonly aggressive?: boolean | undefined;
  readonly levers?: readonly Lever[] | undefined;
  /** Lets more than half of a file leave, what earlier runs removed counted. Default false. */
  readonly moreThanHalf?: boolean | undefined;
}

/** Finds in no particular order; they may overlap. */
export type FindSecrets = (
  text: string,
) => readonly { readonly rule: string; readonly start: number; readonly end: number }[];

export interface MemoryFilesOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Exact tokens of a text. */
  readonly count: (text: string) => number;
  /** What looks like a secret, of which the analysis names the places. Default: nothing does. */
  readonly findSecrets?: FindSecrets | undefined;
  readonly trace?: Pick<Trace, "emit"> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PlanOptions extends MemoryFilesOptions {
  /** Writes digests. */
  readonly summarizer: Summarizer;
  /** Default `brief`. */
  readonly strategy?: Strategy | undefined;
  /** Applied to what a summarizer is sent. Default: nothing is changed, since the digest stays in the workspace. */
  readonly redact?: ((text: string) => string) | undefined;
}

// Where something of a workspace becomes too large, and what the limit of the main memory file is.

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
