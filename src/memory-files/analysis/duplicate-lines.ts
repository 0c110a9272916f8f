// Lines that stand in a memory file more than once. Told to a person: many repeats are right (an owner under each
// project), so what may leave is decided elsewhere and far more narrowly.
import { cutAtCodePoint } from "../../text/cut.ts";
import type { DuplicateLine } from "../analysis.ts";
import type { MemoryFile } from "../memory-file.ts";
import { countCharacters } from "./measure-file.ts";
import { PREVIEW_LENGTH } from "./preview.ts";

/** A line must be longer than this. */
const SHORTEST = 10;
const FENCE = /^[\s>]*(?:```|~~~)/;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** One entry per text, by its first place. Case and blanks at both ends do not count; front matter is left out. */
export function findDuplicateLines(file: MemoryFile): readonly DuplicateLine[] {
  const passed = linesOfNoText(file);
  const places = new Map<string, number[]>();
  for (const [index, { text }] of file.lines.entries()) {
    const key = text.trim().toLowerCase();
    if (key.length <= SHORTEST || countCharacters(key) <= SHORTEST) continue;
    if (passed.has(index) || !HAS_WORD.test(key)) continue;
    const known = places.get(key);
    if (known === undefined) places.set(key, [index + 1]);
    else known.push(index + 1);
  }
  return [...places.values()]
    .filter(({ length }) => length > 1)
    .map((lines) => ({
      file: file.file,
      text: cutAtCodePoint((file.lines[(lines[0] ?? 1) - 1]?.text ?? "").trim(), PREVIEW_LENGTH),
      occurrences: lines.length,
      lines,
    }));
}

/** Front matter, and the lines that open and close a fence. */
function linesOfNoText({ lines, outline }: MemoryFile): ReadonlySet<number> {
  const passed = new Set<number>();
  for (const { kind, from, to } of outline.blocks) {
    if (kind === "front_matter") for (let line = from; line < to; line += 1) passed.add(line);
    if (kind !== "code" || !FENCE.test(lines[from]?.text ?? "")) continue;
    passed.add(from);
    passed.add(to - 1);
  }
  return passed;
}
