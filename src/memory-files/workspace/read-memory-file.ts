// The bytes of a file as lines that know where they stand in it. Which line ends there are is settled on the bytes; no byte
// of a character in UTF-8 or GBK looks like one.
import { scanMarkdown } from "../../text/markdown/scan-markdown.ts";
import type { Encoding, FileLine, MemoryFile, UnreadFile } from "../workspace.ts";
import { sha256 } from "./root.ts";

/** Bytes of a file. Notes are a thousandth of it; what is larger is a log or a dump. */
export const MOST_BYTES = 64 * 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;

/** `bytes` are kept, not copied. `file` is its name from the workspace. */
export function readMemoryFile(file: string, bytes: Uint8Array): MemoryFile | UnreadFile {
  if (bytes.length > MOST_BYTES) return tooLarge(file);
  const decoded = decodeText(bytes);
  if ("problem" in decoded) return { file, code: "NOT_TEXT", message: decoded.problem };
  const { encoding, text, mark } = decoded;
  const { lines, lineEnd } = splitLines(bytes, mark, text);
  return {
    file,
    bytes,
    sha256: sha256(bytes),
    encoding,
    lineEnd,
    lines,
    outline: scanMarkdown(lines.map((line) => line.text)),
  };
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
  const [lineEnd] = (["\n", "\r\n", "\r"] as const).toSorted((a, b) => counts[b] - counts[a]) as [
    MemoryFile["lineEnd"],
  ];
  return { lines, lineEnd };
}

// Bytes to text, exactly or not at all: UTF-8, else GBK where it is Chinese beyond doubt. Other encodings are refused by
// name, since a guess among the Western ones would give wrong letters.

interface DecodedText {
  readonly encoding: Encoding;
  /** Without a byte order mark. */
  readonly text: string;
  /** Bytes of the byte order mark, 3 or 0. */
  readonly mark: number;
}

/** What is wrong, as a sentence, where it is no text of these. */
function decodeText(bytes: Uint8Array): DecodedText | { readonly problem: string } {
  const [first, second, third] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return { problem: "It is UTF-16, which is not read." };
  if (bytes.includes(0)) return { problem: "It is binary or UTF-16: it holds NUL bytes." };
  const mark = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  const text = decode("utf-8", bytes.subarray(mark));
  if (text !== undefined) return { encoding: "utf-8", text, mark };
  if (mark > 0) return { problem: "It begins as UTF-8 and goes on as something else." };
  const chinese = isChinese(bytes) ? decode("gbk", bytes) : undefined;
  return chinese === undefined
    ? { problem: "It is neither UTF-8 nor GBK." }
    : { encoding: "gbk", text: chinese, mark: 0 };
}

/** A mark in the middle is a character and stays. */
function decode(encoding: Encoding, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // No such text, or a Node that was built without this encoding.
    return undefined;
  }
}

/** Of its double bytes: how many are in GB2312 at all, and how many are its signs and frequent characters. */
const IN_GB2312 = 0.9;
const FREQUENT = 0.75;
/** Kana stand where GB2312 has them in Japanese EUC too, and every other character of that is Japanese. */
const MOST_KANA = 0.2;
/** Korean EUC uses the first half of the frequent characters alone; Chinese never does for long. */
const ENOUGH_TO_TELL = 50;
const LEAST_SECOND_HALF = 0.08;

/**
 * Almost any bytes can be read as GBK. Western letters with accents fall on rare characters, Cyrillic words of an odd length
 * on none, Big5 and Shift-JIS outside GB2312. A text that repeats itself is judged by its different characters too: what it
 * says a thousand times tells no more of its language than once.
 */
function isChinese(bytes: Uint8Array): boolean {
  const pairs = new Map<number, number>();
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const pair = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    at += 1;
  }
  const all = countPairs(pairs);
  const both = [all, countPairs([...pairs.keys()].map((pair) => [pair, 1]))];
  if (all.pairs === 0 || all.known < all.pairs * IN_GB2312) return false;
  if (both.some((counts) => counts.kana > counts.pairs * MOST_KANA)) return false;
  if (!both.some((counts) => counts.frequent >= counts.pairs * FREQUENT)) return false;
  return (
    all.characters < ENOUGH_TO_TELL ||
    both.some(({ secondHalf, characters }) => secondHalf >= characters * LEAST_SECOND_HALF)
  );
}

/** Of double bytes, each with how often it stands there. */
function countPairs(pairs: Iterable<readonly [pair: number, times: number]>) {
  const counts = { pairs: 0, known: 0, frequent: 0, kana: 0, characters: 0, secondHalf: 0 };
  for (const [pair, times] of pairs) {
    const [lead, trail] = [pair >> 8, pair & 0xff];
    counts.pairs += times;
    if (lead < 0xa1 || lead > 0xf7 || trail < 0xa1) continue;
    counts.known += times;
    if (lead <= 0xd7) counts.frequent += times;
    if (lead === 0xa4 || lead === 0xa5) counts.kana += times;
    if (lead >= 0xb0) counts.characters += times;
    if (lead > 0xc8) counts.secondHalf += times;
  }
  return counts;
}
