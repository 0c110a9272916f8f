// The bytes of a file as lines that know where they stand in it. Which line ends there are is settled on the bytes; no byte
// of a character in UTF-8 or GBK looks like one.
import { sha256OfBytes } from "../../storage/sha256.ts";
import { scanMarkdown } from "../../text/markdown/scan-markdown.ts";
import type { FileLine, MemoryFile, UnreadFile } from "../memory-file.ts";
import { decodeText } from "./decode-text.ts";

/** Bytes of a file. Notes are a thousandth of it; what is larger is a log or a dump. */
export const MOST_BYTES = 64 * 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;

/** `bytes` are kept, not copied. `file` is its name from the workspace. `hash` may be a faster SHA-256, in hex. */
export function readMemoryFile(file: string, bytes: Uint8Array, hash = sha256OfBytes): MemoryFile | UnreadFile {
  if (bytes.length > MOST_BYTES) return tooLarge(file);
  const decoded = decodeText(bytes);
  if ("problem" in decoded) return { file, code: "NOT_TEXT", message: decoded.problem };
  const { encoding, text, mark } = decoded;
  const { lines, lineEnd } = splitLines(bytes, mark, text);
  return {
    file,
    bytes,
    sha256: hash(bytes),
    encoding,
    lineEnd,
    lines,
    outline: scanMarkdown(lines.map((line) => line.text)),
  };
}

export function isUnread(read: MemoryFile | UnreadFile): read is UnreadFile {
  return "code" in read;
}

export function tooLarge(file: string): UnreadFile {
  return { file, code: "TOO_LARGE", message: "It is larger than 64 MB, so it is not read." };
}

/** The text is split beside the bytes: decoding the whole at once is many times faster than line by line. */
function splitLines(bytes: Uint8Array, mark: number, text: string): Pick<MemoryFile, "lines" | "lineEnd"> {
  const texts = text.split(/\r\n|\n|\r/);
  const counts = { "\n": 0, "\r\n": 0, "\r": 0 };
  const lines: FileLine[] = [];
  let start = mark;
  for (let index = mark; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte !== LF && byte !== CR) continue;
    const isPair = byte === CR && bytes[index + 1] === LF;
    if (isPair) index += 1;
    counts[isPair ? "\r\n" : byte === LF ? "\n" : "\r"] += 1;
    lines.push({ text: texts[lines.length] ?? "", start, end: index + 1 });
    start = index + 1;
  }
  if (start < bytes.length) lines.push({ text: texts[lines.length] ?? "", start, end: bytes.length });
  return { lines, lineEnd: mostFrequent(counts) };
}

function mostFrequent(counts: Readonly<Record<MemoryFile["lineEnd"], number>>): MemoryFile["lineEnd"] {
  if (counts["\r\n"] > counts["\n"]) return counts["\r"] > counts["\r\n"] ? "\r" : "\r\n";
  return counts["\r"] > counts["\n"] ? "\r" : "\n";
}
