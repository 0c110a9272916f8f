// The layout of a packed rank file: what the build step writes (scripts/token-ranks/) and rank-table.ts reads. Tokens
// stand in buckets by their hash, so that opening a file computes no hash and moves no byte.
import { CompactError } from "../../errors.ts";

/** The five parts of a rank file, as views into its bytes. */
export interface RankFile {
  /** The hash's top `bucketBits` bits choose a bucket. */
  readonly bucketBits: number;
  /** Rank of each token, in the order of the buckets. */
  readonly ranks: Int32Array;
  /** How many tokens each bucket holds. */
  readonly bucketSizes: Uint8Array;
  /** One byte of each token's hash. */
  readonly tags: Uint8Array;
  /** Length of each token in bytes. */
  readonly lengths: Uint8Array;
  /** The bytes of all tokens. */
  readonly pool: Uint8Array;
}

/** "ACR1": a layout that cannot be read by this version gets another number. */
export const RANK_FILE_MAGIC = 0x31524341;
/** Magic, number of tokens, bucket bits: 32 bits each, little endian like the ranks behind them. */
export const RANK_FILE_HEADER = 12;

/** @throws CompactError `InvalidInput` when the bytes are no whole rank file. */
export function readRankFile(bytes: Uint8Array): RankFile {
  // The ranks are read in place, which needs their alignment; a file read from disk has it.
  const file = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const header = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.byteLength < RANK_FILE_HEADER || header.getUint32(0, true) !== RANK_FILE_MAGIC) throw broken();
  const count = header.getUint32(4, true);
  const bucketBits = header.getUint32(8, true);
  const afterRanks = RANK_FILE_HEADER + 4 * count;
  const afterSizes = afterRanks + 2 ** bucketBits;
  const poolStart = afterSizes + 2 * count;
  if (count === 0 || bucketBits > 24 || poolStart >= file.byteLength) throw broken();
  return {
    bucketBits,
    ranks: new Int32Array(file.buffer, file.byteOffset + RANK_FILE_HEADER, count),
    bucketSizes: file.subarray(afterRanks, afterSizes),
    tags: file.subarray(afterSizes, afterSizes + count),
    lengths: file.subarray(afterSizes + count, poolStart),
    pool: file.subarray(poolStart),
  };
}

export function broken(): CompactError {
  return new CompactError("InvalidInput", "The bytes given as token ranks are not a whole rank file of this version", {
    code: "INVALID_RANK_FILE",
    hint: "Read the file again as it stands in the package's dist/ranks folder, of the same version as the code.",
  });
}
