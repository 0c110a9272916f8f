// Packs an encoding's published rank list (one "base64 rank" a line) into the binary that src/tokens/bpe/ reads.
import { hashBytes, slotOf, tagOf } from "../../src/tokens/bpe/byte-hash.ts";
import { RANK_FILE_HEADER, RANK_FILE_MAGIC } from "../../src/tokens/bpe/rank-file.ts";

interface Token {
  readonly bytes: Buffer;
  readonly rank: number;
  readonly hash: number;
  readonly bucket: number;
}

/** Throws where ranks have gaps or something does not fit the layout. */
export function packRanks(list: string): Uint8Array {
  const lines = list.split("\n").filter((line) => line !== "");
  const bucketBits = Math.floor(Math.log2(lines.length));
  const tokens = lines.map((line, index) => readToken(line, index, bucketBits));
  // Most used first inside a bucket: a low rank is a frequent token.
  tokens.sort((one, other) => one.bucket - other.bucket || one.rank - other.rank);
  const sizes = new Array<number>(2 ** bucketBits).fill(0);
  for (const { bucket } of tokens) sizes[bucket] = (sizes[bucket] ?? 0) + 1;

  const header = Buffer.alloc(RANK_FILE_HEADER + 4 * tokens.length);
  [RANK_FILE_MAGIC, tokens.length, bucketBits].forEach((value, index) => {
    header.writeUInt32LE(value, 4 * index);
  });
  tokens.forEach(({ rank }, index) => {
    header.writeUInt32LE(rank, RANK_FILE_HEADER + 4 * index);
  });
  const tags = tokens.map(({ hash }) => tagOf(hash));
  const lengths = tokens.map(({ bytes }) => bytes.length);
  return Buffer.concat([header, toBytes(sizes), toBytes(tags), toBytes(lengths), ...tokens.map(({ bytes }) => bytes)]);
}

function readToken(line: string, index: number, bucketBits: number): Token {
  const [base64 = "", rank = ""] = line.split(" ");
  if (Number(rank) !== index) throw new Error(`The rank list says ${rank} where ${index} is due`);
  const bytes = Buffer.from(base64, "base64");
  const hash = hashBytes(bytes, 0, bytes.length);
  return { bytes, rank: index, hash, bucket: slotOf(hash, bucketBits) };
}

function toBytes(values: readonly number[]): Buffer {
  const tooLarge = values.find((value) => value > 255);
  if (tooLarge !== undefined) throw new Error(`${tooLarge} does not fit into a byte of the rank file`);
  return Buffer.from(values);
}
