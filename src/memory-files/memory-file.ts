// A Markdown file of a workspace as it is measured and edited: bytes and lines side by side. Edits are ranges of whole
// lines, so no byte that stays is ever decoded and encoded again.
import type { Outline } from "../text/markdown/outline.ts";

/** `gbk` covers GB2312 and code page 936. */
export type Encoding = "utf-8" | "gbk";

export interface FileLine {
  /** Decoded, without its end, and without a byte order mark. */
  readonly text: string;
  /** Byte offset of its first byte; of line 0 that behind a byte order mark. */
  readonly start: number;
  /** Byte offset behind its line end. */
  readonly end: number;
}

export interface MemoryFile {
  /** From the workspace, parted by `/`. What plans, reports and archives call it. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Of all bytes, 64 hex digits. */
  readonly sha256: string;
  readonly encoding: Encoding;
  /** The most frequent line end, `\n` where there is none. */
  readonly lineEnd: "\n" | "\r\n" | "\r";
  /** An empty file has none; a final line end does not begin another line. */
  readonly lines: readonly FileLine[];
  readonly outline: Outline;
}

export interface Note extends MemoryFile {
  /** From its name, `2031-02-03`; undefined for notes of another layout whose name holds no real date. */
  readonly date: string | undefined;
}

/** A file that is named in the result and otherwise left alone. */
export interface UnreadFile {
  readonly file: string;
  /** `OUTSIDE_WORKSPACE`, `NOT_TEXT`, `TOO_LARGE`, `UNREADABLE`, `SAME_FILE`, `NO_DAY_IN_NAME`. */
  readonly code: string;
  /** One sentence. */
  readonly message: string;
}

export function textOf({ lines }: MemoryFile, from = 0, to = lines.length): string {
  return lines
    .slice(from, to)
    .map(({ text }) => text)
    .join("\n");
}
