// The lines of a block without the marks of the items and quotes around it, so that the same block is found again
// wherever it stands; and what marks these are.
import type { Block, Container } from "../../../text/markdown/outline.ts";
import type { MemoryFile } from "../../memory-file.ts";

const QUOTE_MARK = /^[ \t]{0,12}>[ \t]?/;
const ITEM_MARK = /^[ \t]{0,200}(?:[-+*]|\d{1,9}[.)])(?:[ \t]{1,4}(?![ \t])|[ \t]|$)/;
const INDENT = /^[ \t]*/;

export interface BlockReader {
  read(block: Block): readonly string[];
  /** Positions of the containers around it, the outermost first. */
  around(block: Block): readonly number[];
  /** `>` of a quote, `-` of any bullet, `3.` as it is written. */
  markOf(container: number): string;
}

export function createBlockReader({ lines, outline }: MemoryFile): BlockReader {
  const { containers } = outline;
  const marks = new Map<number, string>();

  /** Its mark with the indentation before and the blanks behind it; nothing for a quote. */
  const markOf = (at: number): string => {
    const known = marks.get(at);
    const container = containers[at];
    if (known !== undefined || container === undefined) return known ?? "";
    const mark =
      container.kind === "quote" ? "" : (ITEM_MARK.exec(strip(container.from, around(container.parent)))?.[0] ?? "");
    marks.set(at, mark);
    return mark;
  };
  /** The outermost first. */
  const around = (innermost: number | undefined): readonly number[] => {
    const found: number[] = [];
    for (let at = innermost; at !== undefined; at = containers[at]?.parent) found.push(at);
    return found.reverse();
  };
  const strip = (line: number, outer: readonly number[]): string => {
    let rest = lines[line]?.text ?? "";
    for (const at of outer) rest = stripOne(rest, line, containers[at], markOf(at));
    return rest;
  };

  return {
    read(block) {
      const outer = around(block.container);
      const stripped: string[] = [];
      for (let line = block.from; line < block.to; line += 1) stripped.push(strip(line, outer));
      return stripped;
    },
    around: ({ container }) => around(container),
    markOf(at) {
      if (containers[at]?.kind === "quote") return ">";
      const mark = markOf(at).trim();
      return /^\d/.test(mark) ? mark : "-";
    },
  };
}

function stripOne(text: string, line: number, container: Container | undefined, mark: string): string {
  if (container?.kind === "quote") return text.replace(QUOTE_MARK, "");
  if (line === container?.from) return text.slice(mark.length);
  const [indent = ""] = INDENT.exec(text) ?? [];
  return text.slice(Math.min(indent.length, mark.length));
}
