// Takes a part of a file apart into passages, each with a text that only the same passage has: letter by letter, but for
// runs of blanks and the places where lines are wrapped.
import { type Block, type Container, type HeadingBlock, isHeading } from "../../text/markdown/outline.ts";
import type { MemoryFile } from "../workspace.ts";
import { carriesNothing } from "./surroundings.ts";

/** A heading at the top level with those above it. */
export interface Heading {
  readonly key: string;
  readonly text: string;
  readonly level: number;
  /** Headings above it. */
  readonly depth: number;
  readonly line: number;
  /** Nothing is lost without it. */
  readonly isBare: boolean;
  readonly parent: Heading | undefined;
}

export interface Passage {
  /** Equal for passages that are the same, in the same items and quotes. */
  readonly key: string;
  readonly line: number;
  /** Of a list or a quote. */
  readonly isInside: boolean;
  readonly depth?: undefined;
}

/** Taken as they are, line by line. */
const LITERAL: ReadonlySet<Block["kind"]> = new Set(["code", "table", "html", "definition", "front_matter"] as const);

function isLiteral({ kind }: Block): boolean {
  return LITERAL.has(kind);
}

export function isPassage(read: Passage | Heading): read is Passage {
  return read.depth === undefined;
}

export function headingFrom(block: HeadingBlock, parent: Heading | undefined, date?: string): Heading {
  let above = parent;
  while (above !== undefined && above.level >= block.level) above = above.parent;
  let isBare: boolean | undefined;
  return {
    key: literalText(block.text),
    text: block.text,
    level: block.level,
    depth: above === undefined ? 1 : above.depth + 1,
    line: block.from,
    // Worked out when asked for: in most notes nothing is compared.
    get isBare() {
      isBare ??= carriesNothing(block.text, block.level === 1 ? { date } : undefined);
      return isBare;
    },
    parent: above,
  };
}

/** Of these blocks of the file, which stand under `above`. Headings at the top level come as themselves. */
export function* readPassages(
  file: MemoryFile,
  blocks: readonly Block[],
  above: Heading | undefined,
): Generator<Passage | Heading> {
  const reader = createBlockReader(file);
  const seen = new Set<number>();
  let under = above;
  for (const block of blocks) {
    if (block.kind === "rule" || block.kind === "front_matter") continue;
    if (isHeading(block) && block.container === undefined) {
      under = headingFrom(block, under);
      yield under;
    } else {
      yield {
        key: `${blockPlace(block, reader, seen)}${blockText(block, reader.read(block))}`,
        line: block.from,
        isInside: block.container !== undefined,
      };
    }
  }
}

/** The items and quotes around it, those marked that it opens. */
function blockPlace(block: Block, reader: BlockReader, seen: Set<number>): string {
  let place = "";
  for (const at of reader.around(block)) {
    place += seen.has(at) ? "  " : `${reader.markOf(at)} `;
    seen.add(at);
  }
  return place;
}

function blockText(block: Block, lines: readonly string[]): string {
  const text = isLiteral(block) ? literalLines(block, lines) : literalText(lines.join("\n"));
  return `${block.kind}\n${text}`;
}

function literalText(text: string): string {
  return text
    .normalize("NFC")
    .trim()
    .replace(/[ \t]*\n[ \t]*/g, " ")
    .replace(/[ \t]+/g, " ");
}

/** Without the indentation of its first line; a table without blanks at both ends of a line. */
function literalLines({ kind }: Block, lines: readonly string[]): string {
  if (kind === "table") return lines.map((line) => line.trim()).join("\n");
  const indent = lines[0]?.match(/^[ \t]*/)?.[0].length ?? 0;
  return lines.map((line) => (line.slice(0, indent).trim() === "" ? line.slice(indent) : line)).join("\n");
}

// The lines of a block without the marks of the items and quotes around it, so that the same block is found again
// wherever it stands; and what marks these are.

const QUOTE_MARK = /^[ \t]{0,12}>[ \t]?/;
const ITEM_MARK = /^[ \t]{0,200}(?:[-+*]|\d{1,9}[.)])(?:[ \t]{1,4}(?![ \t])|[ \t]|$)/;
const INDENT = /^[ \t]*/;

interface BlockReader {
  read(block: Block): readonly string[];
  /** Positions of the containers around it, the outermost first. */
  around(block: Block): readonly number[];
  /** `>` of a quote, `-` of any bullet, `3.` as it is written. */
  markOf(container: number): string;
}

function createBlockReader({ lines, outline }: MemoryFile): BlockReader {
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

// A file as the guard of similarity/ can read it: headings in one form, without blocks that must be compared line by
// line.

export function plainText({ lines }: MemoryFile, blocks: readonly Block[], from: number, to: number): string {
  const text = lines.slice(from, to).map((line) => line.text);
  for (const block of blocks) {
    if (isLiteral(block)) text.fill("", block.from - from, block.to - from);
    else if (isHeading(block) && block.container === undefined) {
      text.fill("", block.from - from, block.to - from);
      text[block.from - from] = `${"#".repeat(block.level)} ${block.text}`;
    }
  }
  return text.join("\n");
}
