// Counts the tokens of a text of any size, stretch by stretch: at once, or in steps for a caller that must not block.
import { createLongMerge, createPairRanks, createShortMerge, SHORT_PIECE, type Steps } from "./merge.ts";
import { hashBytes, type RankTable, slotOf } from "./rank-table.ts";
import { classOf, END_BYTE, END_BYTES, type FindPieceEnd, LETTER, MARK, openClassTable } from "./split.ts";

export interface TextCounter {
  /** Tokens of `text`. Stops once there are more than `limit`, with those counted so far. */
  count(text: string, limit: number): number;
  /** Tokens of `text` in steps; other texts may be counted meanwhile. */
  steps(text: string): Steps;
}

export function createTextCounter(encoding: Encoding): TextCounter {
  const buffer = createByteBuffer();
  const pieces = createPieceCounter(encoding);

  return {
    count(text, limit) {
      let total = 0;
      for (let start = 0; start < text.length && total <= limit; ) {
        const end = stretchEnd(text, start);
        const length = buffer.encode(start === 0 && end === text.length ? text : text.slice(start, end));
        total += pieces.count(buffer.bytes, length, limit - total);
        start = end;
      }
      buffer.release();
      return total;
    },
    *steps(text) {
      // Buffers of its own: `count` may run between two steps.
      const own = createByteBuffer();
      const ownPieces = createPieceCounter(encoding);
      let total = 0;
      for (let start = 0; start < text.length; ) {
        const end = stretchEnd(text, start);
        const length = own.encode(text.slice(start, end));
        yield;
        total += yield* ownPieces.steps(own.bytes, length);
        start = end;
      }
      return total;
    },
  };
}

// Counts the tokens of UTF-8 bytes, piece by piece: a piece is looked up whole, then in the memo, then merged.

/** What an encoding is made of. */
interface Encoding {
  readonly table: RankTable;
  readonly findPieceEnd: FindPieceEnd;
  readonly memo: PieceMemo;
}

interface PieceCounter {
  /** Tokens of the first `length` bytes. Stops once there are more than `limit`, with those counted so far. */
  count(bytes: Uint8Array, length: number, limit: number): number;
  /** Tokens of the first `length` bytes, in steps; nothing else may be counted with this counter meanwhile. */
  steps(bytes: Uint8Array, length: number): Steps;
}

/** Bytes of ordinary text in one step. */
const STEP_BYTES = 16_384;

function createPieceCounter({ table, findPieceEnd, memo }: Encoding): PieceCounter {
  const pairs = createPairRanks(table);
  const mergeShort = createShortMerge(pairs);
  const long = createLongMerge(pairs);

  function countShort(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end);
    if (table.find(hash, bytes, start, end) !== -1) return 1;
    const known = memo.get(hash, bytes, start, end);
    if (known !== 0) return known;
    const tokens = mergeShort(bytes, start, end);
    memo.set(hash, bytes, start, end, tokens);
    return tokens;
  }

  function isToken(bytes: Uint8Array, start: number, end: number): boolean {
    return table.find(hashBytes(bytes, start, end), bytes, start, end) !== -1;
  }

  return {
    count(bytes, length, limit) {
      let total = 0;
      for (let start = 0; start < length && total <= limit; ) {
        const end = findPieceEnd(bytes, start);
        if (end - start === 1) total++;
        else if (end - start <= SHORT_PIECE) total += countShort(bytes, start, end);
        else total += isToken(bytes, start, end) ? 1 : long.count(bytes, start, end);
        start = end;
      }
      return total;
    },
    *steps(bytes, length) {
      let total = 0;
      let stepEnd = STEP_BYTES;
      for (let start = 0; start < length; ) {
        const end = findPieceEnd(bytes, start);
        if (end - start <= SHORT_PIECE) total += countShort(bytes, start, end);
        else total += isToken(bytes, start, end) ? 1 : yield* long.steps(bytes, start, end);
        start = end;
        if (start < stepEnd) continue;
        stepEnd = start + STEP_BYTES;
        yield;
      }
      return total;
    },
  };
}

// Remembers the counts of pieces that are no token themselves, by their bytes, in two arrays of fixed size: no string
// is built for it, and it cannot grow. When it is full it starts over: the pieces of a text come back at once. Made for
// short pieces; one that is merged in windows takes its room from hundreds of others.

interface PieceMemo {
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

// Text to UTF-8, a stretch at a time into one buffer that is used again. A stretch ends where every pattern ends a
// piece, whatever follows, so that stretches can be counted one by one.

/** UTF-16 units of an ordinary stretch; text without a safe end gives longer ones. */
const STRETCH = 32_768;
/** A buffer above this is given back after use. */
const KEPT_BYTES = 3 * STRETCH + END_BYTES;

const APOSTROPHE = 0x27;

/**
 * Offset of the end of the stretch that starts at `start`: behind a letter and before something that no word goes on
 * with. There a word ends in every pattern, and nothing that a word ends with reaches into what follows.
 */
export function stretchEnd(text: string, start: number): number {
  const table = openClassTable();
  for (let size = STRETCH; start + size < text.length; size *= 2) {
    const least = start + size / 2;
    for (let end = start + size; end > least; end--) {
      const unit = text.charCodeAt(end);
      if (unit === APOSTROPHE || isSurrogate(unit) || (classOf(table, unit) & (LETTER | MARK)) !== 0) continue;
      const before = text.charCodeAt(end - 1);
      if (!isSurrogate(before) && (classOf(table, before) & LETTER) !== 0) return end;
    }
  }
  return text.length;
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}

interface ByteBuffer {
  /** UTF-8 of a slice, closed by END_BYTES; valid until the next call. A lone surrogate becomes U+FFFD. */
  readonly bytes: Uint8Array;
  /** Encodes and returns the number of bytes. */
  encode(text: string): number;
  /** Gives back what an outsized text took. */
  release(): void;
}

function createByteBuffer(): ByteBuffer {
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(KEPT_BYTES);
  return {
    get bytes() {
      return bytes;
    },
    encode(text) {
      if (bytes.length < 3 * text.length + END_BYTES) bytes = new Uint8Array(3 * text.length + END_BYTES);
      const { written } = encoder.encodeInto(text, bytes);
      bytes.fill(END_BYTE, written, written + END_BYTES);
      return written;
    },
    release() {
      if (bytes.length > KEPT_BYTES) bytes = new Uint8Array(KEPT_BYTES);
    },
  };
}
