// Where lines that left a file belong in it now that it was edited: by the lines that stood around them, as a patch finds its
// place. A place counts only where it is the only one.
import type { JournalRange } from "../journal/journal.ts";

export interface FoundPlace {
  /** Line before which they belong. */
  readonly line: number;
  /** Lines after that which came in their place, and go. */
  readonly replaces: number;
  /** `whole`: all stands there as it was left. */
  readonly by: "whole" | "inserted" | "after" | "before";
}

/** What the lines of a file are, to be looked up many times. */
export interface LineIndex {
  readonly lines: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

const CONTEXT = 3;

export function indexLines(lines: readonly string[]): LineIndex {
  const places = new Map<string, number[]>();
  for (const [line, text] of lines.entries()) {
    const known = places.get(text);
    if (known === undefined) places.set(text, [line]);
    else known.push(line);
  }
  return { lines, places };
}

/** `inserted` are the lines that came in its place. */
export function findPlace(index: LineIndex, range: JournalRange, inserted: readonly string[]): FoundPlace | undefined {
  const { before, after, heading } = range;
  const whole = onlyMatch(index, [...before, ...inserted, ...after], {
    start: before.length < CONTEXT,
    end: after.length < CONTEXT,
  });
  if (whole !== undefined) return { line: whole + before.length, replaces: inserted.length, by: "whole" };
  const pointer = onlyMatch(index, inserted);
  if (pointer !== undefined) return { line: pointer, replaces: inserted.length, by: "inserted" };
  const above = () => {
    const line = onlyMatch(index, before);
    if (line === undefined) return undefined;
    return { line: line + before.length, replaces: 0, by: "before" } as const;
  };
  const below = () => {
    const line = onlyMatch(index, after);
    return line === undefined ? undefined : ({ line, replaces: 0, by: "after" } as const);
  };
  // What was written since where a section stood belongs to the section above it; what stood below a line still does.
  return heading === undefined ? (above() ?? below()) : (below() ?? above());
}

/** First line of the one place where the pattern stands. A pattern of blank lines alone stands nowhere. */
function onlyMatch(
  { lines, places }: LineIndex,
  pattern: readonly string[],
  edges: { readonly start?: boolean; readonly end?: boolean } = {},
): number | undefined {
  if (!pattern.some((line) => line.trim() !== "")) return undefined;
  const rarest = pattern.reduce(
    (best, line, at) => ((places.get(line)?.length ?? 0) < (places.get(pattern[best] ?? "")?.length ?? 0) ? at : best),
    0,
  );
  let found: number | undefined;
  for (const place of places.get(pattern[rarest] ?? "") ?? []) {
    const from = place - rarest;
    if (from < 0 || (edges.start && from !== 0) || (edges.end && from + pattern.length !== lines.length)) continue;
    if (!pattern.every((line, offset) => lines[from + offset] === line)) continue;
    if (found !== undefined) return undefined;
    found = from;
  }
  return found;
}
