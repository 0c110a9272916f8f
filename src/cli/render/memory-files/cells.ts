// Text measured in the cells of a terminal: a Chinese character takes two. Cuts between whole characters only.
import { toWellFormed } from "../../../text/cut.ts";
import { oneLine } from "../table.ts";

const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u;
/** A line of a few hundred cells never needs more of a text than this. */
const MOST_UNITS = 4000;

/** White space of any kind is one space, and no control is left. */
export function cleanLine(text: string): string {
  return oneLine(toWellFormed(text.slice(0, MOST_UNITS)).replace(/\s{1,4000}/g, " "));
}

export function cellsOf(text: string): number {
  let cells = 0;
  for (const { segment } of characters(text)) cells += widthOf(segment);
  return cells;
}

/** One line of at most `most` cells, `…` at its end where something is left out. */
export function cutToCells(text: string, most: number): string {
  const line = cleanLine(text);
  if (cellsOf(line) <= most) return text.length > MOST_UNITS ? `${line}…` : line;
  let [kept, cells] = ["", 0];
  for (const { segment } of characters(line)) {
    cells += widthOf(segment);
    if (cells > most - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines of at most `width` cells, indent included, broken at spaces; a word longer than a line is cut. */
export function wrapCells(text: string, width: number, indent: string, hanging = indent): readonly string[] {
  const room = width - indent.length;
  const lines: string[] = [];
  let line = "";
  for (const word of cleanLine(text).split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (cellsOf(longer) <= room || line === "") line = cutToCells(longer, room);
    else {
      lines.push(line);
      line = cutToCells(word, room);
    }
  }
  return [...lines, line].map((each, index) => (index === 0 ? hanging : indent) + each);
}

function characters(text: string): Iterable<Intl.SegmentData> {
  return new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
}

function widthOf(character: string): number {
  return WIDE.test(character) ? 2 : 1;
}
