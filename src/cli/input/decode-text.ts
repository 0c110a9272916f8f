// Bytes to text. Only UTF-8 is read; anything else is refused by name, because a wrong guess would change the
// conversation.
import { isUtf8 } from "node:buffer";
import { badInput } from "./bad-input.ts";
import { packedKind } from "./packed-kind.ts";

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const DATABASE_MARK = Buffer.from("SQLite format 3\0", "latin1");
/** Enough of a file to tell text from a program or an image. */
const SAMPLE = 4096;

export interface DecodedText {
  /** Without the byte order mark. */
  readonly text: string;
  /** Bytes before the text: 3 with a byte order mark, else 0. Add it to turn a place in the text into one in the file. */
  readonly skipped: number;
}

/** `readable`: what may be given instead of what is no text. */
export function decodeText(bytes: Buffer, label: string, readable = "a JSON or JSONL file"): DecodedText {
  const packed = packedKind(bytes);
  if (packed !== undefined)
    throw badInput(
      "PACKED_INPUT",
      `${label} ${packed}.`,
      `Unpack it first, then give ${readable}, plain or packed with gzip.`,
    );
  if (bytes.subarray(0, DATABASE_MARK.length).equals(DATABASE_MARK))
    throw badInput(
      "DATABASE_INPUT",
      `${label} is an SQLite database.`,
      `The commands of observations and decisions open one with --db; give ${readable} here.`,
    );
  if (isUtf16(bytes))
    throw badInput("UTF_16", `${label} is UTF-16 text.`, "Convert it to UTF-8: iconv -f UTF-16 -t UTF-8.");
  if (bytes.includes(0))
    throw badInput(
      "BINARY_INPUT",
      `${label} is not text: it holds NUL bytes.`,
      `Give ${readable}, plain or packed with gzip.`,
    );
  const skipped = bytes.subarray(0, 3).equals(UTF8_MARK) ? 3 : 0;
  const content = bytes.subarray(skipped);
  if (isUtf8(content)) return { text: content.toString("utf8"), skipped };
  const place = (skipped + firstFault(content)).toLocaleString("en-US");
  throw badInput(
    "INVALID_UTF_8",
    `${label} is not valid UTF-8: the fault is at byte ${place}.`,
    "Convert it to UTF-8, or remove the broken bytes.",
  );
}

/** By its mark, or by its pattern: JSON begins with ASCII, so every second byte of the start is NUL. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const sample = bytes.subarray(0, SAMPLE);
  const nuls = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) nuls[index % 2] = (nuls[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  return sample.length >= 4 && Math.max(even, odd) > sample.length * 0.3 && Math.min(even, odd) < sample.length * 0.05;
}

/** Offset of the first byte that UTF-8 cannot have there. Halves the range: a valid start of any length is valid when its last character is whole. */
function firstFault(bytes: Buffer): number {
  let valid = 0;
  let end = bytes.length;
  while (end - valid > 1) {
    const middle = valid + Math.ceil((end - valid) / 2);
    const cut = wholeCharacters(bytes, valid, middle);
    if (cut > valid && isUtf8(bytes.subarray(valid, cut))) valid = cut;
    else if (cut > valid) end = cut;
    else break;
  }
  return valid;
}

/** The largest position up to `end` that does not stand inside a character. */
function wholeCharacters(bytes: Buffer, start: number, end: number): number {
  let cut = end;
  while (cut > start && cut > end - 4 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  return cut;
}
