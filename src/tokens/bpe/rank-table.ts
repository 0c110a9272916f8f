// Bytes -> rank for every token of an encoding: an open-addressing table over one pool of bytes. Built in a few
// milliseconds from the packed file that the build step writes (scripts/token-ranks/).
import { CompactError } from "../../errors.ts";
import { hashBytes, slotOf } from "./byte-hash.ts";

export interface RankTable {
  /** Rank of the token that is exactly these bytes, or -1. `hash` is their hash. */
  find(hash: number, bytes: Uint8Array, start: number, end: number): number;
}

/** "ACRK" and the version of the layout: header, one length byte a token, then all bytes, in order of rank. */
export const RANK_FILE_MAGIC = 0x4b524341;
export const RANK_FILE_HEADER = 8;

/** A slot's 32 bits: 18 hold any rank of the published encodings plus one, the rest tell most strangers at a glance. */
const RANK_MASK = 0x3ffff;
const TAG_MASK = ~RANK_MASK;

/**
 * Reads a packed rank file: magic (4 bytes), number of tokens (4 bytes, little endian), lengths, bytes.
 * @throws CompactError `InvalidInput` when the bytes are no rank file.
 */
export function createRankTable(file: Uint8Array): RankTable {
  const count = countTokens(file);
  const lengths = file.subarray(RANK_FILE_HEADER, RANK_FILE_HEADER + count);
  const pool = file.subarray(RANK_FILE_HEADER + count);
  const bits = Math.ceil(Math.log2(count + 1)) + 1;
  const mask = 2 ** bits - 1;
  const offsets = new Int32Array(count + 1);
  /** Rank plus one in the low bits, part of the hash above them; 0 where the slot is free. */
  const slots = new Int32Array(2 ** bits);
  fillTable(lengths, pool, offsets, slots, bits);

  function equals(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
    let offset = offsets[rank] as number;
    if ((offsets[rank + 1] as number) - offset !== end - start) return false;
    for (let index = start; index < end; index++, offset++) {
      if (pool[offset] !== bytes[index]) return false;
    }
    return true;
  }

  return {
    find(hash, bytes, start, end) {
      for (let slot = slotOf(hash, bits); ; slot = (slot + 1) & mask) {
        const entry = slots[slot] as number;
        if (entry === 0) return -1;
        const rank = (entry & RANK_MASK) - 1;
        if (((entry ^ hash) & TAG_MASK) === 0 && equals(rank, bytes, start, end)) return rank;
      }
    },
  };
}

function fillTable(lengths: Uint8Array, pool: Uint8Array, offsets: Int32Array, slots: Int32Array, bits: number): void {
  const mask = 2 ** bits - 1;
  let offset = 0;
  for (let rank = 0; rank < lengths.length; rank++) {
    const end = offset + (lengths[rank] as number);
    const hash = hashBytes(pool, offset, end);
    let slot = slotOf(hash, bits);
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = (hash & TAG_MASK) | (rank + 1);
    offset = end;
    offsets[rank + 1] = end;
  }
}

function countTokens(file: Uint8Array): number {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const isRankFile = file.byteLength > RANK_FILE_HEADER && view.getUint32(0, true) === RANK_FILE_MAGIC;
  const count = isRankFile ? view.getUint32(4, true) : 0;
  let total = RANK_FILE_HEADER + count;
  for (let rank = 0; rank < count; rank++) total += file[RANK_FILE_HEADER + rank] as number;
  if (count > 0 && total === file.byteLength) return count;
  throw new CompactError("InvalidInput", "The bytes given as token ranks are not a whole rank file", {
    code: "INVALID_RANK_FILE",
    hint: "Read the file again, as it stands in the package's dist/ranks folder.",
  });
}
