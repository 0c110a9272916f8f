// Byte pair merging of a long piece in O(n log n): a heap of pairs ordered by rank, then by place, over a linked list
// of parts. One unbroken megabyte takes about a tenth of a second, where looking over all pairs takes an hour.
import { createPowers, hashPrefixes, hashSlice, LONGEST_TOKEN } from "./byte-hash.ts";
import type { CountMerged } from "./merge-short.ts";
import { createNumberHeap } from "./number-heap.ts";
import type { RankTable } from "./rank-table.ts";

/** A heap entry is rank * PLACES + place: one comparison orders by both, and a double holds it exactly. */
const PLACES = 2 ** 32;
const NO_RANK = -1;

export function createLongMerge(table: RankTable): CountMerged {
  const powers = createPowers();
  return (bytes, start, end) => {
    const length = end - start;
    const prefixes = new Int32Array(length + 1);
    hashPrefixes(bytes, start, end, prefixes);
    /** By the first byte of a part: where the next part starts, where the one before starts, rank with the next. */
    const next = new Int32Array(length + 1);
    const before = new Int32Array(length + 1);
    const ranks = new Int32Array(length + 1);
    const heap = createNumberHeap(length);

    function rankAt(place: number): number {
      const middle = next[place] as number;
      if (middle >= length) return NO_RANK;
      const to = next[middle] as number;
      if (to - place > LONGEST_TOKEN) return NO_RANK;
      return table.find(hashSlice(prefixes, powers, place, to), bytes, start + place, start + to);
    }

    function rankAgain(place: number): void {
      const rank = rankAt(place);
      ranks[place] = rank;
      if (rank !== NO_RANK) heap.push(rank * PLACES + place);
    }

    for (let place = 0; place <= length; place++) {
      next[place] = place + 1;
      before[place] = place - 1;
    }
    for (let place = 0; place < length; place++) {
      const rank = rankAt(place);
      ranks[place] = rank;
      if (rank !== NO_RANK) heap.add(rank * PLACES + place);
    }
    heap.order();

    let parts = length;
    for (let entry = heap.pop(); entry !== undefined; entry = heap.pop()) {
      const rank = Math.floor(entry / PLACES);
      const place = entry - rank * PLACES;
      // A pair that has changed since: its place was swallowed, or its rank is another by now.
      if (ranks[place] !== rank) continue;
      const swallowed = next[place] as number;
      const after = next[swallowed] as number;
      ranks[swallowed] = NO_RANK;
      next[place] = after;
      if (after <= length) before[after] = place;
      parts--;
      rankAgain(place);
      if (place > 0) rankAgain(before[place] as number);
    }
    return parts;
  };
}
