// Blank lines that say nothing: those at the beginning and the end, and all but the first of a run. Those inside code,
// HTML and front matter belong to them.
import type { Outline } from "../../../text/markdown/outline.ts";

const BLANK = /^[ \t]*$/;

/** In order. `leaves`: lines that leave anyway, so what stood around them meets. */
export function findBlankRuns(
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
