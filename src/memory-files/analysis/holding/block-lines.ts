// The lines of a block without the marks of the items and quotes around it, so that the same block is found again
// wherever it stands.
import type { Block, Container } from "../../../text/markdown/outline.ts";
import type { MemoryFile } from "../../memory-file.ts";

const QUOTE_MARK = /^[ \t]{0,12}>[ \t]?/;
const ITEM_MARK = /^[ \t]{0,200}(?:[-+*]|\d{1,9}[.)])(?:[ \t]{1,4}(?![ \t])|[ \t]|$)/;
const INDENT = /^[ \t]*/;

export interface BlockLines {
  readonly lines: readonly string[];
  /** Of the ordered item that the block begins, as it is written: `3.`. */
  readonly number: string | undefined;
}

export interface BlockReader {
  read(block: Block): BlockLines;
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
      for (const at of outer) markOf(at);
      const stripped: string[] = [];
      for (let line = block.from; line < block.to; line += 1) stripped.push(strip(line, outer));
      const opens = containers[block.container ?? -1]?.from === block.from;
      const mark = opens ? markOf(block.container ?? -1).trim() : "";
      return { lines: stripped, number: /^\d/.test(mark) ? mark : undefined };
    },
  };
}

function stripOne(text: string, line: number, container: Container | undefined, mark: string): string {
  if (container?.kind === "quote") return text.replace(QUOTE_MARK, "");
  if (line === container?.from) return text.slice(mark.length);
  const [indent = ""] = INDENT.exec(text) ?? [];
  return text.slice(Math.min(indent.length, mark.length));
}
