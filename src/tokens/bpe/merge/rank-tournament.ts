// Which place has the lowest rank, leftmost where several have it: a tournament tree in one typed array. Unlike a heap
// it holds no outdated entries, and a change that decides no match above it stops at once.
import { NO_RANK } from "./pair-ranks.ts";

export interface RankTournament {
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
