// The lines of a text that could be a repeat of another, and what each may be compared with. What is a repeat is decided
// beside this file.
import type { Block, Container, Outline } from "../../../text/markdown/outline.ts";
import { readLists } from "./read-lists.ts";

export interface Entry {
  readonly line: number;
  /** Entries mean the same within one group only. */
  readonly group: string;
}

/** A shorter paragraph is a word in passing, an answer, a label. */
const SHORTEST = 10;
const LEADS_IN = /[:：][*_ \t]{0,9}$/u;
/** A line all in bold or italics stands for a heading. */
const LABEL = /^[ \t]{0,3}([*_]{1,3})[^*_]{1,200}\1[ \t]{0,9}$/u;
const NUMBERED = /^[ \t]{0,99}\d{1,9}[.)]/;

/** `sections`: by line, something that tells its section from others, and whether a heading above it speaks of steps. */
export interface Surroundings {
  readonly sections: readonly number[];
  readonly isProcedure: (line: number) => boolean;
}

export function listEntries(texts: readonly string[], outline: Outline, around: Surroundings): readonly Entry[] {
  const lists = readLists(texts, outline);
  const entries: Entry[] = [];
  for (const block of outline.blocks) {
    const text = texts[block.from] ?? "";
    const item = itemAt(outline, block);
    if (item === undefined || !isLoneLine(item, block, text)) continue;
    const list = lists.get(item);
    if (list === undefined || list.hasLabels || list.isOfSteps) continue;
    entries.push({ line: block.from, group: `item ${around.sections[block.from] ?? 0} ${list.first}` });
  }
  const found = [...entries, ...listParagraphs(texts, outline), ...listNeighbours(texts, outline)];
  return found.filter(({ line }) => !around.isProcedure(line));
}

/** The item whose first block this is; none within a quote, whose words are another's. */
function itemAt(outline: Outline, { container, from }: Block) {
  const found = container === undefined ? undefined : outline.containers[container];
  return found?.kind === "item" && found.from === from && !isQuoted(outline, container) ? found : undefined;
}

/** An item of one line without children. Numbered ones are steps, which may well be done twice. */
function isLoneLine(item: Container, block: Block, text: string): boolean {
  return isOneLine(item) && isOneLine(block) && block.kind === "paragraph" && !NUMBERED.test(text);
}

/** Those of one line: only where nothing but blank lines stands between, since any other line may give them a meaning. */
function listParagraphs(texts: readonly string[], { blocks }: Outline): readonly Entry[] {
  const found: Entry[] = [];
  let first = 0;
  for (const [index, block] of blocks.entries()) {
    const text = texts[block.from] ?? "";
    const last = blocks[index - 1];
    const isNext = last !== undefined && isSaying(last, text) && texts[last.from] === text;
    if (!isSaying(block, text)) continue;
    if (!isNext) first = block.from;
    if (!isIntroducing(blocks[index + 1])) found.push({ line: block.from, group: `paragraph ${first}` });
  }
  return found;
}

/** A paragraph of one line, at the top, that is more than a label. */
function isSaying(block: Block, text: string): boolean {
  const { kind, container } = block;
  return kind === "paragraph" && container === undefined && isOneLine(block) && isLong(text) && !isLabel(text);
}

function isLong(text: string): boolean {
  return text.trim().length > SHORTEST;
}

function isOneLine({ from, to }: { readonly from: number; readonly to: number }): boolean {
  return to - from === 1;
}

function isLabel(text: string): boolean {
  return LEADS_IN.test(text) || LABEL.test(text);
}

/** Before such a block a paragraph says what it is. */
function isIntroducing(next: Block | undefined): boolean {
  return next !== undefined && (next.container !== undefined || next.kind === "code" || next.kind === "table");
}

/** Lines of a longer paragraph: only those written twice in a row. */
function listNeighbours(texts: readonly string[], outline: Outline): readonly Entry[] {
  const found: Entry[] = [];
  for (const block of outline.blocks) {
    if (block.kind !== "paragraph" || isOneLine(block) || isQuoted(outline, block.container)) continue;
    for (let line = block.from + 1; line < block.to; line += 1) {
      const text = texts[line] ?? "";
      if (text !== texts[line - 1] || !isLong(text) || LEADS_IN.test(text)) continue;
      const first = found.at(-1)?.line === line - 1 ? (found.at(-1)?.group ?? "") : `row ${line - 1}`;
      if (first === `row ${line - 1}`) found.push({ line: line - 1, group: first });
      found.push({ line, group: first });
    }
  }
  return found;
}

function isQuoted({ containers }: Outline, container: number | undefined): boolean {
  for (let at = container; at !== undefined; at = containers[at]?.parent) {
    if (containers[at]?.kind === "quote") return true;
  }
  return false;
}
