// Byte pair merging in O(n log n): a tournament of pairs over a linked list of parts.
import { NO_RANK, ONE_BYTE, type PairRanks } from "./pair-ranks.ts";
import { createRankTournament } from "./rank-tournament.ts";

export interface TreeMerge {
  /** Merges the bytes from `start` to `end`. */
  merge(bytes: Uint8Array, start: number, end: number): void;
  /** After `merge`: by the offset where a token starts (from `start`), the offset where it ends. */
  readonly ends: Int32Array;
}

export function createTreeMerge(pairs: PairRanks): TreeMerge {
  const tournament = createRankTournament();
  let length = 0;
  /** By the offset of a part's first byte: where it ends, where the one before starts, its number. */
  let ends = new Int32Array(0);
  let before = new Int32Array(0);
  let numbers = new Int32Array(0);

  function reset(bytes: Uint8Array, start: number): void {
    if (ends.length < length) {
      ends = new Int32Array(length);
      before = new Int32Array(length);
      numbers = new Int32Array(length);
    }
    for (let place = 0; place < length; place++) {
      ends[place] = place + 1;
      before[place] = place - 1;
      numbers[place] = ONE_BYTE + (bytes[start + place] as number);
    }
    tournament.reset(length);
    for (let place = 0; place < length; place++) tournament.enter(place, rankAt(place));
    tournament.play();
  }

  /** Rank of the part at `place` and the next one together. */
  function rankAt(place: number): number {
    const middle = ends[place] as number;
    if (middle >= length) return NO_RANK;
    return pairs.of(numbers[place] as number, numbers[middle] as number, place, ends[middle] as number);
  }

  function mergeAt(place: number): void {
    const swallowed = ends[place] as number;
    const after = ends[swallowed] as number;
    numbers[place] = tournament.rankOf(place);
    ends[place] = after;
    if (after < length) before[after] = place;
    tournament.change(swallowed, NO_RANK);
    tournament.change(place, rankAt(place));
    if (place === 0) return;
    const left = before[place] as number;
    tournament.change(left, rankAt(left));
  }

  return {
    get ends() {
      return ends;
    },
    merge(bytes, start, end) {
      length = end - start;
      pairs.open(bytes, start, end);
      reset(bytes, start);
      for (let place = tournament.winner(); place !== -1; place = tournament.winner()) mergeAt(place);
    },
  };
}
