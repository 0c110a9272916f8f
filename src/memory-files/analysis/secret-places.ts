// Where values that look like secrets stand in a file. What looks like one is decided by the finder that the part is given;
// the values themselves go no further than this.
import type { SecretPlace } from "../analysis.ts";
import { type MemoryFile, textOf } from "../workspace.ts";

/** Finds in no particular order; they may overlap. */
export type FindSecrets = (
  text: string,
) => readonly { readonly rule: string; readonly start: number; readonly end: number }[];

/** One for each value, by its first line; of finds that overlap the first. */
export function secretsIn(file: MemoryFile, find: FindSecrets): readonly SecretPlace[] {
  const text = textOf(file);
  const places: SecretPlace[] = [];
  let [line, lineEnd, read] = [1, text.indexOf("\n"), 0];
  for (const { rule, start, end } of find(text).toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < read) continue;
    read = end;
    for (; lineEnd >= 0 && lineEnd < start; line++) lineEnd = text.indexOf("\n", lineEnd + 1);
    places.push({ file: file.file, line, rule });
  }
  return places;
}
