// Packs an encoding's published rank list (one "base64 rank" a line) into the binary that src/tokens/bpe/ reads in place.
import {
  BEFORE_TOKEN,
  hashBytes,
  RANK_FILE_HEADER,
  RANK_FILE_MAGIC,
  slotOf,
  tagOf,
} from "../../src/tokens/bpe/rank-table.ts";

const LONGEST = 255;

/** Throws where ranks have gaps or something does not fit the layout. */
export function packRanks(list: string): Buffer {
  const tokens = list
    .split("\n")
    .filter((line) => line !== "")
    .map(readToken);
  // Three tokens a bucket.
  const bits = Math.max(0, Math.floor(Math.log2(tokens.length / 2)));
  const buckets = Array.from({ length: 2 ** bits }, (): Buffer[] => []);
  for (const [rank, token] of tokens.entries()) {
    const hash = hashBytes(token, 0, token.length);
    const before = Buffer.alloc(BEFORE_TOKEN, Buffer.of(tagOf(hash), token.length));
    before.writeUIntLE(rank, 2, 3);
    buckets[slotOf(hash, bits)]?.push(Buffer.concat([before, token]));
  }
  const records = buckets.map((bucket) => Buffer.concat(bucket));
  const starts = [RANK_FILE_HEADER + 4 * (records.length + 1)];
  for (const { length } of records) starts.push((starts.at(-1) ?? 0) + length);
  return Buffer.concat([numbers(RANK_FILE_MAGIC, bits, ...starts), ...records]);
}

/** 32 bits each, little endian. */
function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}

function readToken(line: string, index: number): Buffer {
  const [base64 = "", rank = ""] = line.split(" ");
  if (Number(rank) !== index) throw new Error(`The rank list says ${rank} where ${index} is due`);
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > LONGEST) throw new Error(`A token of ${bytes.length} bytes does not fit into the rank file`);
  return bytes;
}
