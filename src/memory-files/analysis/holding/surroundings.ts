// What of a file, memory or note, may change what its sections say without standing in them: its name, its front matter,
// what stands before its first heading, raw HTML that is still open.
import { type Block, type HeadingBlock, isHeading } from "../../../text/markdown/outline.ts";
import { type MemoryFile, textOf } from "../../memory-file.ts";
import { narrows } from "./carries-nothing.ts";
import { speaksOfOthers } from "./speaks-of-others.ts";

export interface Surroundings {
  /** Its front matter says more than what it is called and when it was written. */
  readonly narrow: boolean;
  /** What is said before the first heading may speak of what stands below. */
  readonly introduced: boolean;
  /** Line of the first raw HTML: whatever stands below it may be struck or folded away. */
  readonly html: number;
}

/** Front matter that says nothing of what is true. */
const HARMLESS_KEYS = new Set("title date created updated tags type id author".split(" "));
const OPEN_TAG = /<(?:del|s|strike|details|template|ins|blockquote|div)\b/i;
const LABEL = /[:：]\s{0,9}(?:\*\*|__|\*|_)?\s{0,9}$/;

export function readSurroundings(file: MemoryFile): Surroundings {
  const { blocks } = file.outline;
  const html = blocks.find((block) => isOpenHtml(file, block))?.from ?? Number.POSITIVE_INFINITY;
  return { narrow: frontMatterNarrows(file), introduced: introduces(file, blocks), html };
}

/** A paragraph that names what comes next. */
export function isLabel(file: MemoryFile, block: Block | undefined): boolean {
  if (block === undefined || isHeading(block)) return false;
  return LABEL.test(textOf(file, block.from, block.to).trimEnd().slice(-40));
}

/** Comments and nothing else, each of them closed. */
export function isComment(file: MemoryFile, block: Block): boolean {
  if (block.kind !== "html") return false;
  const text = textOf(file, block.from, block.to).trim();
  let at = 0;
  while (at < text.length) {
    if (!text.startsWith("<!--", at)) return false;
    const end = text.indexOf("-->", at);
    if (end < 0) return false;
    at = end + "-->".length;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
  return true;
}

/** Of what a reader does not see. */
export function isSilent(file: MemoryFile, block: Block): boolean {
  if (block.kind === "rule" || block.kind === "front_matter") return true;
  return isComment(file, block) && !narrows(textOf(file, block.from, block.to));
}

/** A reader of what stands beside it would read that otherwise. */
export function bearsOnOthers(file: MemoryFile, block: Block): boolean {
  return !isSilent(file, block) && speaksOfOthers(textOf(file, block.from, block.to));
}

function isOpenHtml(file: MemoryFile, block: Block): boolean {
  if (block.kind === "html") return !isComment(file, block);
  return block.kind === "paragraph" && OPEN_TAG.test(textOf(file, block.from, block.to));
}

function frontMatterNarrows(file: MemoryFile): boolean {
  const block = file.outline.blocks.find(({ kind }) => kind === "front_matter");
  if (block === undefined) return false;
  return file.lines.slice(block.from, block.to).some(({ text }) => {
    if (/^\s*$|^(?:---|\+\+\+|\.\.\.)\s*$/.test(text)) return false;
    const key = /^([A-Za-z]{1,20})\s{0,9}[:=]/.exec(text)?.[1];
    const isItem = /^\s{0,20}- /.test(text);
    return (
      (!isItem && (key === undefined || !HARMLESS_KEYS.has(key.toLowerCase()))) ||
      narrows(text.replace(/^\w+\s*[:=]/, ""))
    );
  });
}

function introduces(file: MemoryFile, blocks: readonly (Block | HeadingBlock)[]): boolean {
  const first = blocks.findIndex((block) => isHeading(block) && block.container === undefined);
  return first > 0 && blocks.slice(0, first).some((block) => bearsOnOthers(file, block));
}
