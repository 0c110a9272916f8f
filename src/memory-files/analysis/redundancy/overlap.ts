// How much of a section the memory holds, by tokens, and what the specification calls that. In integers, so that a
// similarity of exactly 0.5 or 0.7 falls on the side it belongs to.
import type { Severity } from "../../analysis.ts";

/** Counts of tokens: of both, of the section, of either. */
export interface Overlap {
  readonly shared: number;
  readonly own: number;
  readonly all: number;
}

/** More shared tokens than this make a redundancy. */
export const LEAST_SHARED = 5;

export function overlapOf(section: ReadonlySet<string>, memory: ReadonlySet<string>): Overlap {
  let shared = 0;
  for (const token of section) if (memory.has(token)) shared += 1;
  return { shared, own: section.size, all: section.size + memory.size - shared };
}

/** Above 0.7 high, above 0.5 medium. Undefined: no redundancy by the specification. */
export function severityOf({ shared, all }: Overlap): Severity | undefined {
  if (shared <= LEAST_SHARED || 2 * shared <= all) return undefined;
  return 10 * shared > 7 * all ? "high" : "medium";
}

/** The memory holds nine tokens of ten. */
export function isContained({ shared, own }: Overlap): boolean {
  return shared > LEAST_SHARED && 10 * shared >= 9 * own;
}

/** Shared tokens over all, 3 decimals, half up; two empty sets are the same: 1. */
export function similarityOf({ shared, all }: Overlap): number {
  return all === 0 ? 1 : shareOf(shared, all);
}

/** Shared tokens over those of the section, 3 decimals, half up. */
export function containmentOf({ shared, own }: Overlap): number {
  return own === 0 ? 0 : shareOf(shared, own);
}

function shareOf(part: number, whole: number): number {
  return Math.floor((2000 * part + whole) / (2 * whole)) / 1000;
}
