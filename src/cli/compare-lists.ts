// What became of each message between two lists of one format: kept, shortened, replaced, left; and what is new.
// Goes by content, so that it also compares two files.
import type { Format } from "../formats/format.ts";

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
  const byContent = queues(before, (message) => [JSON.stringify(message)]);
  const unmatched: number[] = [];
  for (const [index, message] of after.entries()) {
    const found = byContent.get(JSON.stringify(message))?.shift();
    if (found === undefined) unmatched.push(index);
    else fates[found] = "kept";
  }
  const byCall = queues(before, (message, index) => (fates[index] === "kept" ? [] : resultIds(message, format)));
  const inserted: { index: number; kind: Insertion }[] = [];
  for (const index of unmatched) {
    const message = after[index];
    const found = isSummary(message, format) ? undefined : takeFirst(byCall, resultIds(message, format));
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

/** Ids repeat in real sessions: each is taken in order. */
function queues(
  list: readonly unknown[],
  keysOf: (message: unknown, index: number) => readonly string[],
): Map<string, number[]> {
  const queued = new Map<string, number[]>();
  for (const [index, message] of list.entries()) {
    for (const key of keysOf(message, index)) {
      const known = queued.get(key);
      if (known === undefined) queued.set(key, [index]);
      else known.push(index);
    }
  }
  return queued;
}

function takeFirst(queued: Map<string, number[]>, keys: readonly string[]): number | undefined {
  const found = keys.map((key) => queued.get(key)?.shift());
  return found.find((index) => index !== undefined);
}
