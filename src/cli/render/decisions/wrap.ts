// Texts of a record as lines of a terminal: broken at spaces, never longer than what is asked for in words.
import { cutAtCodePoint } from "../../../text/cut.ts";
import { oneLine } from "../table.ts";

const WIDEST = 100;

export interface WrapOptions {
  /** Cells of a line, indent included. */
  readonly width: number;
  readonly indent: string;
  /** The text begins with it. */
  readonly head?: string;
  /** Stands before the first line in place of the indent. */
  readonly hanging?: string;
  /** Most lines; what is left out is marked. */
  readonly lines?: number;
}

/** Its line ends count as spaces. A word longer than a line stands on one of its own. */
export function wrapText(
  text: string,
  { width, indent, head = "", hanging = indent, lines = Number.POSITIVE_INFINITY }: WrapOptions,
): string[] {
  const room = Math.max(20, Math.min(WIDEST, width) - indent.length);
  const wrapped: string[] = [];
  const indented = (all: readonly string[]) => all.map((each, index) => (index === 0 ? hanging : indent) + each);
  let line = head;
  for (const word of oneLine(text.replace(/\s{1,1000}/g, " ")).split(" ")) {
    const longer = line === "" || line === head ? line + word : `${line} ${word}`;
    if (lengthOf(longer) <= room || line === "" || line === head) line = longer;
    else {
      wrapped.push(line);
      line = word;
      if (wrapped.length >= lines) return indented([...wrapped.slice(0, -1), `${wrapped.at(-1)} …`]);
    }
  }
  return indented([...wrapped, line]);
}

/** One line of at most `width` characters. */
export function shortLine(text: string, width: number): string {
  const line = oneLine(text.replace(/\s{1,1000}/g, " "));
  return lengthOf(line) <= width ? line : `${cutAtCodePoint(line, Math.max(1, width - 1)).trimEnd()}…`;
}

function lengthOf(text: string): number {
  return text.length > 1000 ? text.length : Array.from(text).length;
}
