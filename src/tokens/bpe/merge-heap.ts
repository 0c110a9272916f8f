// Byte pair merging in O(n log n): a heap of pairs ordered by rank, then by place, over a linked list of parts.
import { createNumberHeap } from "./number-heap.ts";
import { NO_RANK, ONE_BYTE, type PairRanks } from "./pair-ranks.ts";

/** A heap entry is rank * PLACES + place: one comparison orders by both, and a double holds it exactly. */
const PLACES = 2 ** 32;

export interface HeapMerge {
  /** Merges the bytes from `start` to `end`. */
  merge(bytes: Uint8Array, start: number, end: number): void;
  /** After `merge`: by the offset where a token starts (from `start`), the offset where it ends. */
  readonly ends: Int32Array;
}

export function createHeapMerge(pairs: PairRanks): HeapMerge {
  let length = 0;
  let ends = new Int32Array(0);
  let before = new Int32Array(0);
  /** By the place of a part: rank of it and the next one together. */
  let ranks = new Int32Array(0);
  /** By the place of a part: its number. */
  let numbers = new Int32Array(0);
  const heap = createNumberHeap();

  function reset(bytes: Uint8Array, start: number): void {
    if (ends.length <= length) {
      ends = new Int32Array(length + 1);
      before = new Int32Array(length + 1);
      ranks = new Int32Array(length + 1);
      numbers = new Int32Array(length + 1);
    }
    heap.clear();
    for (let place = 0; place < length; place++) {
      ends[place] = place + 1;
      before[place] = place - 1;
      numbers[place] = ONE_BYTE + (bytes[start + place] as number);
    }
    for (let place = 0; place < length; place++) {
      const rank = rankAt(place);
      ranks[place] = rank;
      if (rank !== NO_RANK) heap.add(rank * PLACES + place);
    }
    heap.order();
  }

  function rankAt(place: number): number {
    const middle = ends[place] as number;
    if (middle >= length) return NO_RANK;
    return pairs.of(numbers[place] as number, numbers[middle] as number, place, ends[middle] as number);
  }

  function rankAgain(place: number): void {
    const rank = rankAt(place);
    ranks[place] = rank;
    if (rank !== NO_RANK) heap.push(rank * PLACES + place);
  }

  return {
    get ends() {
      return ends;
    },
    merge(bytes, start, end) {
      length = end - start;
      pairs.open(bytes, start, end);
      reset(bytes, start);
      for (let entry = heap.pop(); entry !== -1; entry = heap.pop()) {
        const rank = Math.floor(entry / PLACES);
        const place = entry - rank * PLACES;
        // A pair that has changed since: its place was swallowed, or its rank is another by now.
        if (ranks[place] !== rank) continue;
        const swallowed = ends[place] as number;
        const after = ends[swallowed] as number;
        ranks[swallowed] = NO_RANK;
        ends[place] = after;
        numbers[place] = rank;
        if (after < length) before[after] = place;
        rankAgain(place);
        if (place > 0) rankAgain(before[place] as number);
      }
    },
  };
}
