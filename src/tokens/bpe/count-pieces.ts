// Counts the tokens of UTF-8 bytes, piece by piece: a piece is looked up whole, then in the memo, then merged.
import { hashBytes } from "./byte-hash.ts";
import { createLongMerge, type Steps } from "./merge/long-merge.ts";
import { createPairRanks } from "./merge/pair-ranks.ts";
import { createShortMerge, SHORT_PIECE } from "./merge/short-merge.ts";
import type { PieceMemo } from "./piece-memo.ts";
import type { RankTable } from "./rank-table.ts";
import type { FindPieceEnd } from "./split/parts.ts";

/** What an encoding is made of. */
export interface Encoding {
  readonly table: RankTable;
  readonly findPieceEnd: FindPieceEnd;
  readonly memo: PieceMemo;
}

export interface PieceCounter {
  /** Tokens of the first `length` bytes. Stops once there are more than `limit`, with those counted so far. */
  count(bytes: Uint8Array, length: number, limit: number): number;
  /** Tokens of the first `length` bytes, in steps; nothing else may be counted with this counter meanwhile. */
  steps(bytes: Uint8Array, length: number): Steps;
}

/** Bytes of ordinary text in one step. */
const STEP_BYTES = 16_384;

export function createPieceCounter({ table, findPieceEnd, memo }: Encoding): PieceCounter {
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
