// The layout of a packed rank file: what the build step writes (scripts/token-ranks/) and rank-table.ts reads. Tokens
// stand by rank, so that a rank is a place and costs no byte: a table in the order of hashes would be half as large again.
import { CompactError } from "../../errors.ts";

/** The parts of a rank file, as views into its bytes. */
export interface RankFile {
  /** Length in bytes of the token of each rank. */
  readonly lengths: Uint8Array;
  /** The bytes of all tokens. */
  readonly pool: Uint8Array;
}

/** "ACR2": a layout that cannot be read by this version gets another number. */
export const RANK_FILE_MAGIC = 0x32524341;
/** Magic, number of tokens: 32 bits each, little endian. */
export const RANK_FILE_HEADER = 8;

/** @throws CompactError `InvalidInput` when the bytes are no whole rank file. */
export function readRankFile(file: Uint8Array): RankFile {
  const header = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.byteLength < RANK_FILE_HEADER || header.getUint32(0, true) !== RANK_FILE_MAGIC) throw broken();
  const count = header.getUint32(4, true);
  const poolStart = RANK_FILE_HEADER + count;
  if (count === 0 || poolStart >= file.byteLength) throw broken();
  return { lengths: file.subarray(RANK_FILE_HEADER, poolStart), pool: file.subarray(poolStart) };
}

export function broken(): CompactError {
  return new CompactError("InvalidInput", "The bytes given as token ranks are not a whole rank file of this version", {
    code: "INVALID_RANK_FILE",
    hint: "Read the file again as it stands in the package's dist/ranks folder, of the same version as the code.",
  });
}
