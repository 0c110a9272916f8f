// What became of each message between two lists of one format: kept, shortened, replaced, left; and what is new.
// Goes by content, so that it also compares two files.
import type { Format } from "../../formats/format.ts";

export type Fate = "kept" | "shortened" | "left" | "replaced_summary";
export type Insertion = "summary" | "filler" | "new";

export interface ListComparison {
  /** One for each message of the first list. */
  readonly fates: readonly Fate[];
  /** Messages of the second list that the first does not have. */
  readonly inserted: readonly { readonly index: number; readonly kind: Insertion }[];
}

const SUMMARY_START = "<COMPACT-";

export function compareLists(before: readonly unknown[], after: readonly unknown[], format: Format): ListComparison {
  const fates: Fate[] = before.map((message) => (isSummary(message, format) ? "replaced_summary" : "left"));
  const byContent = places(before, (message) => [JSON.stringify(message)]);
  const unmatched: { readonly index: number; readonly previous: number }[] = [];
  let previous = -1;
  for (const [index, message] of after.entries()) {
    const found = takeNext(byContent, [JSON.stringify(message)], previous);
    if (found === undefined) {
      unmatched.push({ index, previous });
      continue;
    }
    fates[found] = "kept";
    previous = found;
  }
  const byCall = places(before, (message, index) => (fates[index] === "kept" ? [] : resultIds(message, format)));
  const inserted: { index: number; kind: Insertion }[] = [];
  for (const { index, previous: last } of unmatched) {
    const message = after[index];
    const found = isSummary(message, format) ? undefined : takeNext(byCall, resultIds(message, format), last);
    if (found === undefined) inserted.push({ index, kind: insertionOf(message, format) });
    else fates[found] = "shortened";
  }
  return { fates, inserted };
}

function insertionOf(message: unknown, format: Format): Insertion {
  if (isSummary(message, format)) return "summary";
  return format.isFiller(message) ? "filler" : "new";
}

function isSummary(message: unknown, format: Format): boolean {
  return format.summaryText(message)?.startsWith(SUMMARY_START) === true;
}

function resultIds(message: unknown, format: Format): readonly string[] {
  return format.view(message).parts.flatMap((part) => (part.kind === "result" ? [part.callId] : []));
}

/** Contents and ids repeat in real sessions: each key has all its places, ascending. */
function places(
  list: readonly unknown[],
  keysOf: (message: unknown, index: number) => readonly string[],
): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [index, message] of list.entries()) {
    for (const key of keysOf(message, index)) {
      const known = found.get(key);
      if (known === undefined) found.set(key, [index]);
      else known.push(index);
    }
  }
  return found;
}

/** Takes the next place after `previous`, for lists keep their order; else the first one there is. */
function takeNext(known: Map<string, number[]>, keys: readonly string[], previous: number): number | undefined {
  for (const key of keys) {
    const candidates = known.get(key) ?? [];
    if (candidates.length === 0) continue;
    const [found] = candidates.splice(firstAbove(candidates, previous) % candidates.length, 1);
    return found;
  }
  return undefined;
}

/** Position of the first number above `limit`; the length when there is none. */
function firstAbove(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
