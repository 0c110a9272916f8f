// Which lines of a memory file leave in aggressive mode, so that a second run finds none. A line whose absence would
// change what the rest means stays, whatever it is.
import { scanMarkdown } from "../../../text/markdown/scan-markdown.ts";
import { keepsOutline } from "../leaving/keeps-outline.ts";
import { findBlankRuns } from "./blank-runs.ts";
import { findRepeatedLines } from "./repeated-lines.ts";

/** What leaves may bring other repeats together; in real files that ends after two rounds. */
const MOST_ROUNDS = 20;
/** Of readings of one text. Where more lines than that cannot leave, the rest stays too. */
const MOST_TRIALS = 64;

/** Positions, in order. `isUnended`: the last line has no end. */
export function findTidyLines(texts: readonly string[], isUnended: boolean): readonly number[] {
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
