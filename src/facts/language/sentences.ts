// Splits what was said into sentences and list items, and leaves out what was only pasted: code, quotes, tables,
// tagged blocks, log lines. Whether a sentence means anything is for others.
import { isPasted, isProse, lastClosings, pastedEnd } from "./pasted.ts";

export interface Sentence {
  readonly text: string;
  /** A list item, or part of one. */
  readonly isItem: boolean;
  /** An item, or one of the lines that stand like items directly under a heading or a lead-in. */
  readonly isListed: boolean;
  /** The lines it stands under: the section's heading, the lead-in of its list. */
  readonly under: readonly string[];
}

interface Block {
  text: string;
  readonly isItem: boolean;
  isListed: boolean;
  readonly under: readonly string[];
}

const ITEM =
  /^\s{0,12}(?:[-*+•·–—]|\(?\d{1,3}[.):）、]|\(?[a-hA-H][.)])\s+(?=\S)|^\s{0,12}(?:\d{1,2}[、．）]|[①-⑳])\s*(?=\S)/u;
const INLINE_LIST = /^([^:：\n]{2,80})[:：]\s*(?=(?:\(?1[.)、）]|①)\s*\S)/u;
const INLINE_ITEM = /(?:^|[\s;；,，。])(?:\(?\d{1,2}[.)、）]|[①-⑳])\s*(?=\S)/u;
const HEADING = /^\s{0,3}#{1,6}\s+(.{1,120}?)\s*#*$/u;
const BOLD_LINE = /^\s{0,3}\*\*(.{1,100}?)\*\*:?\s*$/u;
const END = /[.!?]+["'”’)\]*_`]{0,3}(?=\s|$)|[。！？；!?]+[」』”)）]?/gu;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|z\.B|bzw|ca|p\.ej|ej|Nr|No|Dr|Mr|Mrs|St|resp)\.$/iu;
/** What stands in such a tag stands under its name as under a heading. */
const RULE_TAG =
  /^\s*<(\/?)((?:[\w:-]{0,30}[_-])?(?:rule|guideline|constraint|convention)s?)>\s*(?:(\S[^\n]{0,2000}?)<\/\2>)?$/iu;
/** `src/a.ts:3:14 ...`: what a tool found there. */
const FOUND_AT = /^\S{1,200}:\d{1,7}:?\s/u;
const COLON = /[:：]$/u;
const WRAP_WIDTH = 60;

export function readSentences(text: string): readonly Sentence[] {
  return readBlocks(text).flatMap(({ text: words, isItem, isListed, under }) => {
    const inline = INLINE_LIST.exec(words);
    if (inline === null) return splitSentences(words).map((sentence) => ({ text: sentence, isItem, isListed, under }));
    const items = words.slice(inline[0].length).split(INLINE_ITEM);
    return items
      .filter((item) => item.trim() !== "")
      .map((item) => ({
        text: item.trim().replace(/[,;，；]$/u, ""),
        isItem: true,
        isListed: true,
        under: [...under, inline[1] ?? ""],
      }));
  });
}

/** Sentences of one paragraph, trimmed. */
export function splitSentences(paragraph: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of paragraph.matchAll(END)) {
    const end = match.index + match[0].length;
    if (match[0] === "." && ABBREVIATION.test(paragraph.slice(Math.max(start, end - 12), end))) continue;
    sentences.push(paragraph.slice(start, end));
    start = end;
  }
  sentences.push(paragraph.slice(start));
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== "");
}

function readBlocks(text: string): readonly Block[] {
  const lines = text.split("\n");
  const closings = lastClosings(lines);
  const reader = new BlockReader();
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trimEnd();
    const end = pastedEnd(lines, at, closings);
    if (end === undefined) reader.read(line);
    else {
      reader.close();
      at = end;
    }
  }
  reader.close();
  return reader.blocks;
}

/** Puts lines together to paragraphs and items, and remembers what they stand under. */
class BlockReader {
  readonly blocks: Block[] = [];
  #section: readonly string[] = [];
  #leadIn: readonly string[] = [];
  /** The item that a deeper list stands under. */
  #parent: { readonly shape: string; readonly text: string } | undefined;
  #open: Block | undefined;
  /** No blank line has come since the heading or the lead-in. */
  #isListing = false;
  /** The lines since then that are no items. */
  #lines: Block[] = [];
  #width = 0;

  close(): void {
    this.#open = undefined;
    this.#endListing();
  }

  #endListing(): void {
    if (!areLikeItems(this.#lines)) for (const line of this.#lines) line.isListed = false;
    this.#lines = [];
    this.#isListing = false;
  }

  read(line: string): void {
    const heading = HEADING.exec(line)?.[1] ?? BOLD_LINE.exec(line)?.[1];
    const [, slash, tag, tagged] = RULE_TAG.exec(line) ?? [];
    if (heading !== undefined) this.#startSection([heading]);
    else if (tag !== undefined && tagged !== undefined) this.#startTagged(tag, tagged);
    else if (tag !== undefined) this.#startSection(slash === "" ? [tag] : []);
    else if (line === "" || isPasted(line)) this.close();
    else this.#readWords(line);
  }

  #startSection(section: readonly string[]): void {
    this.#section = section;
    this.#leadIn = [];
    this.#parent = undefined;
    this.close();
    this.#isListing = true;
  }

  #startTagged(tag: string, text: string): void {
    this.close();
    this.blocks.push({ text: clean(text), isItem: true, isListed: true, under: [tag] });
  }

  #readWords(line: string): void {
    const marker = ITEM.exec(line)?.[0];
    if (marker !== undefined) this.#startItem(marker, clean(line.slice(marker.length)));
    else if (this.#open !== undefined && continues(this.#open.text, this.#width, line))
      this.#open.text += ` ${clean(line)}`;
    else this.#startParagraph(clean(line));
    if (this.#open?.isItem === false && COLON.test(this.#open.text)) {
      this.#leadIn = [this.#open.text];
      this.#endListing();
      this.#isListing = true;
    }
    this.#width = line.length;
  }

  #startItem(marker: string, text: string): void {
    const shape = marker.replace(/[\p{L}\p{N}]+/gu, "1");
    if (this.#parent?.shape === shape) this.#parent = undefined;
    const above = this.#parent === undefined ? [] : [this.#parent.text];
    this.#start({ text, isItem: true, isListed: true, under: [...this.#section, ...this.#leadIn, ...above] });
    if (this.#parent === undefined && COLON.test(text)) this.#parent = { shape, text };
  }

  #startParagraph(text: string): void {
    const isListed = this.#isListing && !COLON.test(text);
    const block = { text, isItem: false, isListed, under: [...this.#section, ...(isListed ? this.#leadIn : [])] };
    this.#start(block);
    if (isListed) this.#lines.push(block);
    else this.#leadIn = [];
    this.#parent = undefined;
  }

  #start(block: Block): void {
    this.#open = block;
    this.blocks.push(block);
  }
}

/** As of one who left out the bullets: several lines, each of one statement. A paragraph, code or a log is no list. */
function areLikeItems(lines: readonly Block[]): boolean {
  const isLikeItem = (text: string) => isProse(text) && !FOUND_AT.test(text) && splitSentences(text).length === 1;
  return lines.length > 1 && lines.every(({ text }) => isLikeItem(text));
}

/** Hard-wrapped prose: the line before was long and did not end. */
function continues(text: string, width: number, line: string): boolean {
  return width >= WRAP_WIDTH && !/[.!?:;。！？：；]["'”)]?$/u.test(text) && /^\s*[\p{L}\p{N}`'"(*]/u.test(line);
}

function clean(line: string): string {
  return line
    .trim()
    .replace(/<(?!REDACTED>)\/?[A-Za-z][\w:-]{0,60}>/gu, " ")
    .replaceAll("**", "")
    .trim();
}
