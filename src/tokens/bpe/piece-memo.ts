// Remembers the counts of pieces that are no token themselves, by their bytes, in two arrays of fixed size: no string
// is built for it, and it cannot grow. When it is full it starts over: the pieces of a text come back at once. Made for
// short pieces; one that is merged in windows takes its room from hundreds of others.
import { slotOf } from "./byte-hash.ts";

export interface PieceMemo {
  /** Tokens of the piece that is exactly these bytes; 0 when it is not known. */
  get(hash: number, bytes: Uint8Array, start: number, end: number): number;
  set(hash: number, bytes: Uint8Array, start: number, end: number, tokens: number): void;
}

/** 2^15 slots of four numbers (hash, offset, length, tokens), at most three quarters full, and half a megabyte of bytes. */
const BITS = 15;
const MOST_ENTRIES = 3 * 2 ** (BITS - 2);
const POOL_BYTES = 2 ** 19;

export function createPieceMemo(): PieceMemo {
  const slots = new Int32Array(4 * 2 ** BITS);
  const pool = new Uint8Array(POOL_BYTES);
  const mask = 2 ** BITS - 1;
  let entries = 0;
  let used = 0;

  function equals(slot: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (slots[slot + 2] !== end - start) return false;
    let offset = slots[slot + 1] as number;
    for (let index = start; index < end; index++, offset++) {
      if (pool[offset] !== bytes[index]) return false;
    }
    return true;
  }

  return {
    get(hash, bytes, start, end) {
      for (let at = slotOf(hash, BITS); ; at = (at + 1) & mask) {
        const tokens = slots[4 * at + 3] as number;
        if (tokens === 0) return 0;
        if (slots[4 * at] === hash && equals(4 * at, bytes, start, end)) return tokens;
      }
    },
    set(hash, bytes, start, end, tokens) {
      const length = end - start;
      if (entries === MOST_ENTRIES || used + length > POOL_BYTES) {
        slots.fill(0);
        entries = 0;
        used = 0;
      }
      let at = slotOf(hash, BITS);
      while (slots[4 * at + 3] !== 0) at = (at + 1) & mask;
      slots[4 * at] = hash;
      slots[4 * at + 1] = used;
      slots[4 * at + 2] = length;
      slots[4 * at + 3] = tokens;
      for (let index = start; index < end; index++) pool[used++] = bytes[index] as number;
      entries++;
    },
  };
}
