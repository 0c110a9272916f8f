// Counts the tokens of a text: stretch by stretch to bytes, piece by piece to tokens. A piece is looked up whole, then
// in the memo, then merged.
import { hashBytes } from "./byte-hash.ts";
import { createLongMerge } from "./merge-long.ts";
import { createShortMerge, SHORT_PIECE } from "./merge-short.ts";
import { createPairRanks } from "./pair-ranks.ts";
import { createPieceMemo } from "./piece-memo.ts";
import type { RankTable } from "./rank-table.ts";
import type { FindPieceEnd } from "./split-parts.ts";
import { createByteBuffer, stretchEnd } from "./text-bytes.ts";

/** Tokens of `text`. Stops once there are more than `limit`, with the tokens counted so far. */
export type CountTokens = (text: string, limit: number) => number;

export function createCountTokens(table: RankTable, findPieceEnd: FindPieceEnd): CountTokens {
  const buffer = createByteBuffer();
  const memo = createPieceMemo();
  const pairs = createPairRanks(table);
  const mergeShort = createShortMerge(pairs);
  const mergeLong = createLongMerge(pairs);

  function countPiece(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length === 1) return 1;
    if (length > SHORT_PIECE) return countLong(bytes, start, end);
    const hash = hashBytes(bytes, start, end);
    if (table.find(hash, bytes, start, end) !== -1) return 1;
    const known = memo.get(hash, bytes, start, end);
    if (known !== 0) return known;
    const tokens = mergeShort(bytes, start, end);
    memo.set(hash, bytes, start, end, tokens);
    return tokens;
  }

  function countLong(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end);
    return table.find(hash, bytes, start, end) === -1 ? mergeLong(bytes, start, end) : 1;
  }

  function countBytes(bytes: Uint8Array, length: number, limit: number): number {
    let total = 0;
    for (let start = 0; start < length && total <= limit; ) {
      const end = findPieceEnd(bytes, start);
      total += countPiece(bytes, start, end);
      start = end;
    }
    return total;
  }

  return (text, limit) => {
    let total = 0;
    for (let start = 0; start < text.length && total <= limit; ) {
      const end = stretchEnd(text, start);
      const length = buffer.encode(start === 0 && end === text.length ? text : text.slice(start, end));
      total += countBytes(buffer.bytes, length, limit - total);
      start = end;
    }
    buffer.release();
    return total;
  };
}
