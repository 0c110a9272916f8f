// The lines that stand around what leaves a file, as they stand there afterwards: by them its place is found again when the
// file has been edited.
import type { MemoryFile } from "../memory-file.ts";
import type { Cut } from "./splice.ts";

export interface Context {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const MOST_LINES = 3;

/** For each of `cuts`, what surrounds it once all of `made` are made. Both in order; `made` holds `cuts`. */
export function contextsOf({ lines }: MemoryFile, cuts: readonly Cut[], made: readonly Cut[]): readonly Context[] {
  const kept: string[] = [];
  const places = new Map<Cut, { from: number; to: number }>();
  let line = 0;
  for (const cut of made) {
    for (; line < lines.length && (lines[line]?.start ?? 0) < cut.byte_from; line++) kept.push(lines[line]?.text ?? "");
    const from = kept.length;
    kept.push(...linesIn(cut.insert ?? ""));
    places.set(cut, { from, to: kept.length });
    while (line < lines.length && (lines[line]?.start ?? 0) < cut.byte_to) line++;
  }
  for (; line < lines.length; line++) kept.push(lines[line]?.text ?? "");
  return cuts.map((cut) => {
    const { from, to } = places.get(cut) ?? { from: 0, to: 0 };
    return { before: kept.slice(Math.max(0, from - MOST_LINES), from), after: kept.slice(to, to + MOST_LINES) };
  });
}

/** Without their ends; a final end does not begin another line. */
export function linesIn(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
