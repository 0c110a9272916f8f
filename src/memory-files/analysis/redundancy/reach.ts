// Which notes may have sections in common with another memory than the one that they were compared with, told without
// reading them again. It may say yes too often, never no too often.
import { LEAST_SHARED, type Overlap } from "./overlap.ts";

export interface Reach {
  /** False: no section of the note is redundant to a memory of these tokens, or contained in it. */
  mayMatch(note: string, memory: ReadonlySet<string>): boolean;
}

interface GrowingReach extends Reach {
  add(note: string, overlaps: readonly Overlap[]): void;
}

/** How near a section comes to each bound; `overlap.ts` has the bounds. */
interface Nearest {
  readonly similar: number;
  readonly contained: number;
}

/** `compared`: tokens of the memory that the notes were compared with. */
export function createReach(compared: ReadonlySet<string>): GrowingReach {
  const nearest = new Map<string, Nearest>();
  return {
    add(note, overlaps) {
      const most = { similar: Number.NEGATIVE_INFINITY, contained: Number.NEGATIVE_INFINITY };
      for (const { shared, own } of overlaps) {
        if (own <= LEAST_SHARED) continue;
        most.similar = Math.max(most.similar, 3 * shared - own);
        most.contained = Math.max(most.contained, 10 * shared - 9 * own);
      }
      nearest.set(note, most);
    },
    mayMatch(note, memory) {
      const most = nearest.get(note);
      if (most === undefined) return false;
      let added = 0;
      for (const token of memory) if (!compared.has(token)) added += 1;
      return most.similar + 3 * added > memory.size || most.contained + 10 * added >= 0;
    },
  };
}
