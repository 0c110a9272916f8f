// Bytes to text, exactly or not at all: UTF-8, else GBK where it is Chinese beyond doubt. Other encodings are refused by
// name, since a guess among the Western ones would give wrong letters.
import type { Encoding } from "../memory-file.ts";

export interface DecodedText {
  readonly encoding: Encoding;
  /** Without a byte order mark. */
  readonly text: string;
  /** Bytes of the byte order mark, 3 or 0. */
  readonly mark: number;
}

/** What is wrong, as a sentence, where it is no text of these. */
export function decodeText(bytes: Uint8Array): DecodedText | { readonly problem: string } {
  const [first, second, third] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return { problem: UTF_16 };
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

const UTF_16 = "It is UTF-16, which is not read.";

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
 * on none, Big5 and Shift-JIS outside GB2312.
 */
function isChinese(bytes: Uint8Array): boolean {
  const { pairs, known, frequent, kana, characters, secondHalf } = countPairs(bytes);
  if (pairs === 0 || known < pairs * IN_GB2312 || frequent < pairs * FREQUENT) return false;
  if (kana > pairs * MOST_KANA) return false;
  return characters < ENOUGH_TO_TELL || secondHalf >= characters * LEAST_SECOND_HALF;
}

function countPairs(bytes: Uint8Array) {
  const counts = { pairs: 0, known: 0, frequent: 0, kana: 0, characters: 0, secondHalf: 0 };
  for (let index = 0; index < bytes.length; index++) {
    const lead = bytes[index] ?? 0;
    if (lead < 0x80) continue;
    index += 1;
    counts.pairs += 1;
    if (lead < 0xa1 || lead > 0xf7 || (bytes[index] ?? 0) < 0xa1) continue;
    counts.known += 1;
    if (lead <= 0xd7) counts.frequent += 1;
    if (lead === 0xa4 || lead === 0xa5) counts.kana += 1;
    if (lead >= 0xb0) counts.characters += 1;
    if (lead > 0xc8) counts.secondHalf += 1;
  }
  return counts;
}
