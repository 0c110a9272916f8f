// Whether a planted fact stands in the lines of what a compaction left.
import type { PlantedFact } from "./fact-values.ts";

/** Lines of one quoted message that are looked through for the mark. */
const LONGEST_QUOTE = 12;

export interface Standing {
  readonly isThere: boolean;
  /** An outdated value stands somewhere without the mark that says so. */
  readonly isStale: boolean;
}

export function findInLines(fact: PlantedFact, lines: readonly string[]): Standing {
  const isThere = lines.some((line) => holds(line, fact.expect));
  const { stale } = fact;
  const isStale =
    stale !== undefined && lines.some((line, at) => holds(line, stale) && !isMarked(quoteFrom(lines, at), fact));
  return { isThere, isStale };
}

/** A value is there when it stands alone: 17 is not in 2017. */
export function holds(line: string, parts: readonly string[]): boolean {
  const folded = line.toLowerCase();
  return parts.every((part) => standsAlone(folded, part.toLowerCase()));
}

function standsAlone(line: string, part: string): boolean {
  for (let at = line.indexOf(part); at >= 0; at = line.indexOf(part, at + 1)) {
    const isCut = /^\d/.test(part) && /[\d.]/.test(line.charAt(at - 1));
    const goesOn = /\d$/.test(part) && /\d/.test(line.charAt(at + part.length));
    if (!isCut && !goesOn) return true;
  }
  return false;
}

/** A quote of several lines carries its marks at its end: the line, and what follows of the same entry. */
function quoteFrom(lines: readonly string[], at: number): string {
  const next = lines.findIndex((line, index) => index > at && /^(?:- \[|#|\s*$)/.test(line));
  return lines.slice(at, Math.min(next < 0 ? lines.length : next, at + LONGEST_QUOTE)).join(" ");
}

/** Says that it is outdated, or names the new value beside the old one, or what was left for it ("from 8443 to …"). */
function isMarked(line: string, fact: PlantedFact): boolean {
  const old = fact.stale?.at(-1) ?? "";
  return (
    /supersed/i.test(line) || holds(line, fact.expect) || new RegExp(`(?:from|von|de|从) ?${escaped(old)}`).test(line)
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
