// What leaves a memory file in aggressive mode: lines that its section holds already, and blank runs. Half of the file at
// most; the rest waits for a person's word.
import type { Outline } from "../../text/markdown/outline.ts";
import { scanMarkdown } from "../../text/markdown/scan-markdown.ts";
import type { PlannedRange } from "../plan.ts";
import { endsLine, type MemoryFile } from "../workspace.ts";
import { keptLines, plannedRange, rangesOfLines, withinHalfOf } from "./drafts.ts";
import { findRepeatedLines } from "./repeated-lines.ts";
import { keepsOutline } from "./safe-ranges.ts";

/** Ranges of whole lines, in order, without regard to how much they are. A second call on the result gives none. */
export function removableRanges(file: MemoryFile): readonly PlannedRange[] {
  return rangesOfLines(removableLines(file)).map((range) => plannedRange(file, range));
}

/** The same as positions of lines, in order. */
export function removableLines(file: MemoryFile): readonly number[] {
  const texts = file.lines.map(({ text }) => text);
  return findRemovableLines(texts, texts.length > 0 && !endsLine(file));
}

/**
 * Those of the lines, from the first on, that may leave: half of what the file was before the first run. Blank lines weigh
 * nothing. `taken`: bytes that left it in earlier runs.
 */
export function withinHalf(file: MemoryFile, lines: readonly number[], taken = 0): readonly number[] {
  const size = file.lines.reduce((sum, _, line) => sum + weightOf(file, line), 0);
  const within = withinHalfOf(lines, (line) => weightOf(file, line), { size, taken });
  if (within.length === lines.length) return lines;
  // A beginning of what leaves may join what the whole would not.
  const kept = keptLines(file.lines.length, rangesOfLines(within));
  const texts = file.lines.map(({ text }) => text);
  return keepsOutline(texts, file.outline, kept) ? within : [];
}

/** Front matter is no part of the body. */
function weightOf({ lines, outline }: MemoryFile, line: number): number {
  const found = lines[line];
  const [first] = outline.blocks;
  const isFront = first?.kind === "front_matter" && line < first.to;
  return found === undefined || isFront || found.text.trim() === "" ? 0 : found.end - found.start;
}

// Which lines of a memory file leave in aggressive mode, so that a second run finds none. A line whose absence would
// change what the rest means stays, whatever it is.

/** What leaves may bring other repeats together; in real files that ends after two rounds. */
const MOST_ROUNDS = 20;
/** Of readings of one text. Where more lines than that cannot leave, the rest stays too. */
const MOST_TRIALS = 64;

/** Positions, in order. `isUnended`: the last line has no end. */
export function findRemovableLines(texts: readonly string[], isUnended: boolean): readonly number[] {
  let kept: readonly number[] = [...texts.keys()];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const left = findOnce(
      kept.map((line) => texts[line] ?? ""),
      isUnended && kept.at(-1) === texts.length - 1,
    );
    if (left.size === 0) break;
    kept = kept.filter((_, index) => !left.has(index));
  }
  const stays = new Set(kept);
  return [...texts.keys()].filter((line) => !stays.has(line));
}

function findOnce(texts: readonly string[], isUnended: boolean): ReadonlySet<number> {
  const outline = scanMarkdown(texts);
  const repeated = new Set(findRepeatedLines(texts, outline, isUnended));
  const blank = findBlankRuns(texts, outline, (line) => repeated.has(line));
  const wanted = [...repeated, ...blank].sort((left, right) => left - right);
  const accepted = new Set<number>();
  let trials = 0;
  const attempt = (lines: readonly number[]): void => {
    if (lines.length === 0 || trials >= MOST_TRIALS) return;
    trials += 1;
    const gone = new Set([...accepted, ...lines]);
    const kept = [...texts.keys()].filter((line) => !gone.has(line));
    if (keepsOutline(texts, outline, kept)) {
      for (const line of lines) accepted.add(line);
    } else if (lines.length > 1) {
      const half = Math.ceil(lines.length / 2);
      attempt(lines.slice(0, half));
      attempt(lines.slice(half));
    }
  };
  attempt(wanted);
  return accepted;
}

// Blank lines that say nothing: those at the beginning and the end, and all but the first of a run. Those inside code,
// HTML and front matter belong to them.

const BLANK = /^[ \t]*$/;

/** In order. `leaves`: lines that leave anyway, so what stood around them meets. */
function findBlankRuns(
  texts: readonly string[],
  { blocks }: Outline,
  leaves: (line: number) => boolean,
): readonly number[] {
  const inBlock = new Uint8Array(texts.length);
  for (const { from, to } of blocks) inBlock.fill(1, from, to);
  const isLoose = (line: number) => inBlock[line] === 0 && BLANK.test(texts[line] ?? "");
  const found: number[] = [];
  let run: number[] = [];
  let isAfterText = false;
  for (const line of texts.keys()) {
    if (leaves(line)) continue;
    if (isLoose(line)) run.push(line);
    else {
      found.push(...run.slice(isAfterText ? 1 : 0));
      run = [];
      isAfterText = true;
    }
  }
  found.push(...run);
  return found;
}
