// Lines that stand in a memory file more than once. Reported to a person: many repeats are right (an owner under each
// project), so what may leave is decided elsewhere and far more narrowly.
import { cutAtCodePoint } from "../../text/quote.ts";
import { groupBy } from "../../text/words.ts";
import type { DuplicateLine } from "../analysis.ts";
import type { MemoryFile } from "../workspace.ts";
import { countCharacters } from "./file-report.ts";
import { PREVIEW_LENGTH } from "./section-report.ts";

/** A line must be longer than this. */
const SHORTEST = 10;
const FENCE = /^[\s>]*(?:```|~~~)/;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** One entry per text, by its first place. Case and blanks at both ends do not count; front matter is left out. */
export function findDuplicateLines(file: MemoryFile): readonly DuplicateLine[] {
  const passed = linesOfNoText(file);
  const keys = file.lines.map(({ text }) => text.trim().toLowerCase());
  const counted = [...keys.keys()].filter((line) => {
    const key = keys[line] ?? "";
    return countCharacters(key) > SHORTEST && HAS_WORD.test(key) && !passed.has(line);
  });
  return [...groupBy(counted, (line) => keys[line]).values()]
    .filter(({ length }) => length > 1)
    .map((lines) => ({
      file: file.file,
      text: cutAtCodePoint((file.lines[lines[0] ?? 0]?.text ?? "").trim(), PREVIEW_LENGTH),
      occurrences: lines.length,
      lines: lines.map((line) => line + 1),
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
