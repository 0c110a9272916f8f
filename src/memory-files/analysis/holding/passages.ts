// Takes a part of a file apart into passages, each with a text that only the same passage has: letter by letter, but for
// runs of blanks and the places where lines are wrapped.
import { type Block, type HeadingBlock, isHeading } from "../../../text/markdown/outline.ts";
import type { MemoryFile } from "../../memory-file.ts";
import { type BlockReader, createBlockReader } from "./block-lines.ts";
import { carriesNothing } from "./carries-nothing.ts";

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

export function isLiteral({ kind }: Block): boolean {
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
        key: `${placeOf(block, reader, seen)}${textOf(block, reader.read(block))}`,
        line: block.from,
        isInside: block.container !== undefined,
      };
    }
  }
}

/** The items and quotes around it, those marked that it opens. */
function placeOf(block: Block, reader: BlockReader, seen: Set<number>): string {
  let place = "";
  for (const at of reader.around(block)) {
    place += seen.has(at) ? "  " : `${reader.markOf(at)} `;
    seen.add(at);
  }
  return place;
}

function textOf(block: Block, lines: readonly string[]): string {
  const text = isLiteral(block) ? literalLines(block, lines) : literalText(lines.join("\n"));
  return `${block.kind}\n${text}`;
}

export function literalText(text: string): string {
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
