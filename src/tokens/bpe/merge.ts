// Byte pair merging of a short piece: look over all pairs, merge the one of the lowest rank, look again. Quadratic,
// and for a dozen bytes faster than anything with a heap.
import { createPowers, hashPrefixes, hashSlice, LONGEST_TOKEN, type RankTable } from "./rank-table.ts";

/** Merges the bytes from `start` to `end`; returns the number of tokens. */
type Merge = (bytes: Uint8Array, start: number, end: number) => number;

/** In bytes; longer pieces go to `createLongMerge`. */
export const SHORT_PIECE = 64;

export function createShortMerge(pairs: PairRanks): Merge {
  /** Part `i` goes from `cuts[i]` to `cuts[i + 1]`; `ranks[i]` is that of the parts `i` and `i + 1` together. */
  const cuts = new Int32Array(SHORT_PIECE + 2);
  const ranks = new Int32Array(SHORT_PIECE + 1);
  const numbers = new Int32Array(SHORT_PIECE + 1);

  /** Index of the leftmost pair of the lowest rank; -1 when no pair can be merged. */
  function lowestPair(count: number): number {
    let lowest = NO_RANK;
    let at = -1;
    for (let index = 0; index < count; index++) {
      const rank = ranks[index] as number;
      if (rank < lowest) {
        lowest = rank;
        at = index;
      }
    }
    return at;
  }

  function remove(at: number, parts: number): void {
    for (let index = at + 1; index < parts; index++) {
      cuts[index] = cuts[index + 1] as number;
      ranks[index - 1] = ranks[index] as number;
      numbers[index] = numbers[index + 1] as number;
    }
  }

  function rankAt(index: number, parts: number): number {
    if (index + 1 >= parts) return NO_RANK;
    const from = cuts[index] as number;
    return pairs.of(numbers[index] as number, numbers[index + 1] as number, from, cuts[index + 2] as number);
  }

  return (bytes, start, end) => {
    let parts = end - start;
    pairs.open(bytes, start, end);
    for (let index = 0; index < parts; index++) {
      cuts[index] = index;
      numbers[index] = ONE_BYTE + (bytes[start + index] as number);
    }
    cuts[parts] = parts;
    for (let index = 0; index < parts; index++) ranks[index] = rankAt(index, parts);
    for (let at = lowestPair(parts - 1); at !== -1; at = lowestPair(parts - 1)) {
      numbers[at] = ranks[at] as number;
      remove(at, parts);
      parts--;
      ranks[at] = rankAt(at, parts);
      if (at > 0) ranks[at - 1] = rankAt(at - 1, parts);
    }
    return parts;
  };
}

// Byte pair merging of a long piece, window by window, so that everything stays in the processor's nearest cache,
// memory does not grow with the piece, and a caller can pause between windows.
//
// Why windows are exact: a list of tokens is what merging gives if and only if every two neighbours, merged alone, stay
// those two. (The first merge across a border that the whole text makes is the lowest pair there is, so it is also the
// lowest of these two neighbours alone, and they would make it too. Conversely a run of neighbours of the result gives
// itself when merged alone, since no merge of the whole crossed its ends.) So inside a window all neighbours are good,
// and only where one window follows another is there a pair to check.

/** Bytes merged at a time. */
export const WINDOW = 1_024;
/** Bytes before a window's end whose tokens are merged again with the next one; twice as many where that fails. */
const FIRST_MARGIN = 32;

/** Work that can be paused: each step takes about a tenth of a millisecond, the result comes last. */
export type Steps = Generator<undefined, number, undefined>;

interface LongMerge {
  count(bytes: Uint8Array, start: number, end: number): number;
  /** The same; nothing else may be counted with these parts meanwhile. */
  steps(bytes: Uint8Array, start: number, end: number): Steps;
}

interface Cut {
  /** Tokens of the window before the cut. */
  readonly tokens: number;
  /** Where the last of them starts and ends, from the start of the window. */
  readonly last: number;
  readonly at: number;
}

export function createLongMerge(pairs: PairRanks): LongMerge {
  let current = createTreeMerge(pairs);
  let following = createTreeMerge(pairs);
  const border = createTreeMerge(pairs);

  /** Do the tokens `[start, middle)` and `[middle, end)` stay apart where they meet? */
  function staysApart(bytes: Uint8Array, start: number, middle: number, end: number): boolean {
    border.merge(bytes, start, end);
    return border.ends[0] === middle - start && border.ends[middle - start] === end - start;
  }

  /** Cuts the current window, and merges the following one, so that their border holds; undefined where none does. */
  function cutWindow(bytes: Uint8Array, from: number, end: number): Cut | undefined {
    for (let margin = FIRST_MARGIN; margin < WINDOW; margin *= 2) {
      const cut = lastCut(current, WINDOW - margin);
      if (cut.tokens === 0) return undefined;
      const start = from + cut.at;
      following.merge(bytes, start, Math.min(end, start + WINDOW));
      if (staysApart(bytes, from + cut.last, start, start + (following.ends[0] as number))) return cut;
    }
    return undefined;
  }

  function* steps(bytes: Uint8Array, start: number, end: number): Steps {
    let total = 0;
    let from = start;
    current.merge(bytes, from, Math.min(end, from + WINDOW));
    while (from + WINDOW < end) {
      const cut = cutWindow(bytes, from, end);
      // Not seen with a published encoding: merge all at once.
      if (cut === undefined) return countWhole(pairs, bytes, start, end);
      total += cut.tokens;
      from += cut.at;
      [current, following] = [following, current];
      yield;
    }
    return total + lastCut(current, end - from).tokens;
  }

  return { count: (bytes, start, end) => finish(steps(bytes, start, end)), steps };
}

/** Takes all steps at once. */
function finish(steps: Steps): number {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The last border of tokens at or before `most`. */
function lastCut({ ends }: TreeMerge, most: number): Cut {
  let tokens = 0;
  let last = 0;
  let at = 0;
  for (let end = ends[0] as number; end <= most; end = ends[end] as number) {
    last = at;
    at = end;
    tokens++;
    if (end === most) break;
  }
  return { tokens, last, at };
}

function countWhole(pairs: PairRanks, bytes: Uint8Array, start: number, end: number): number {
  const whole = createTreeMerge(pairs);
  whole.merge(bytes, start, end);
  return lastCut(whole, end - start).tokens;
}

// Byte pair merging in O(n log n): a tournament of pairs over a linked list of parts.

interface TreeMerge {
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

// The rank of two neighbouring parts together, for merging. First the parts' own numbers are looked up in a small
// cache; else the slice that both make is looked up by a hash that follows from two prefix hashes. No string is built.

/** No such token: above every rank. */
const NO_RANK = 0x7fffffff;

/** Number of a part that is one byte; a merged part's number is its rank. Above every rank. */
const ONE_BYTE = 0x1000000;

interface PairRanks {
  /** Sets the piece that the offsets below are about. */
  open(bytes: Uint8Array, start: number, end: number): void;
  /** Rank of the slice from `from` to `to`, made of the parts numbered `left` and `right`. */
  of(left: number, right: number, from: number, to: number): number;
}

const CACHE_BITS = 15;

export function createPairRanks(table: RankTable): PairRanks {
  const powers = createPowers();
  /** Three numbers a slot: left, right, rank. An entry is overwritten by the next one of its slot. */
  const cache = new Int32Array(3 * 2 ** CACHE_BITS).fill(-1);
  let prefixes = new Int32Array(0);
  let bytes: Uint8Array = new Uint8Array(0);
  let start = 0;

  function find(from: number, to: number): number {
    if (to - from > LONGEST_TOKEN) return NO_RANK;
    const rank = table.find(hashSlice(prefixes, powers, from, to), bytes, start + from, start + to);
    return rank === -1 ? NO_RANK : rank;
  }

  return {
    open(newBytes, newStart, end) {
      bytes = newBytes;
      start = newStart;
      if (prefixes.length <= end - start) prefixes = new Int32Array(2 * (end - start) + 1);
      hashPrefixes(bytes, start, end, prefixes);
    },
    of(left, right, from, to) {
      const slot = 3 * (Math.imul(Math.imul(left, 0x9e3779b1) ^ right, 0x85ebca6b) >>> (32 - CACHE_BITS));
      if (cache[slot] === left && cache[slot + 1] === right) return cache[slot + 2] as number;
      const rank = find(from, to);
      cache[slot] = left;
      cache[slot + 1] = right;
      cache[slot + 2] = rank;
      return rank;
    },
  };
}

// Which place has the lowest rank, leftmost where several have it: a tournament tree in one typed array. Unlike a heap
// it holds no outdated entries, and a change that decides no match above it stops at once.

interface RankTournament {
  /** Starts anew with `count` places, all without a rank; set them with `enter`, then `play`. */
  reset(count: number): void;
  enter(place: number, rank: number): void;
  play(): void;
  /** Rank of a place. */
  rankOf(place: number): number;
  change(place: number, rank: number): void;
  /** The winning place; -1 when none has a rank. */
  winner(): number;
}

export function createRankTournament(): RankTournament {
  /** Node 1 is the final, node `n` is played by `2n` and `2n + 1`, places stand from `size` on. */
  let nodes = new Int32Array(0);
  let size = 0;

  return {
    reset(count) {
      size = 1;
      while (size < count) size *= 2;
      if (nodes.length < 2 * size) nodes = new Int32Array(2 * size);
      nodes.fill(NO_RANK, size + count, 2 * size);
    },
    enter(place, rank) {
      nodes[size + place] = rank;
    },
    play() {
      for (let node = size - 1; node > 0; node--) {
        const left = nodes[2 * node] as number;
        const right = nodes[2 * node + 1] as number;
        nodes[node] = Math.min(left, right);
      }
    },
    rankOf: (place) => nodes[size + place] as number,
    change(place, rank) {
      let node = size + place;
      nodes[node] = rank;
      while (node > 1) {
        const left = nodes[node & ~1] as number;
        const right = nodes[node | 1] as number;
        const lower = Math.min(left, right);
        node >>= 1;
        if (nodes[node] === lower) return;
        nodes[node] = lower;
      }
    },
    winner() {
      const lowest = nodes[1] as number;
      if (lowest === NO_RANK) return -1;
      let node = 1;
      while (node < size) {
        node *= 2;
        if (nodes[node] !== lowest) node++;
      }
      return node - size;
    },
  };
}
