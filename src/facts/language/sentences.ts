// Splits what was said into sentences and list items, and leaves out what was only pasted: code, quotes, tables,
// tagged blocks, log lines. Whether a sentence means anything is for others.

export interface Sentence {
  readonly text: string;
  /** A list item, or part of one. */
  readonly isItem: boolean;
  /** The lines it stands under: the section's heading, the lead-in of its list. */
  readonly under: readonly string[];
}

interface Block {
  text: string;
  readonly isItem: boolean;
  readonly under: readonly string[];
}

const ITEM =
  /^\s{0,12}(?:[-*+•·]|\(?\d{1,3}[.):）、]|\(?[a-hA-H][.)])\s+(?=\S)|^\s{0,12}(?:\d{1,2}[、．）]|[①-⑳])\s*(?=\S)/u;
const INLINE_LIST = /^([^:：\n]{2,80})[:：]\s*(?=(?:\(?1[.)、）]|①)\s*\S)/u;
const INLINE_ITEM = /(?:^|[\s;；,，。])(?:\(?\d{1,2}[.)、）]|[①-⑳])\s*(?=\S)/u;
const HEADING = /^\s{0,3}#{1,6}\s+(.{1,120}?)\s*#*$/u;
const BOLD_LINE = /^\s{0,3}\*\*(.{1,100}?)\*\*:?\s*$/u;
const FENCE = /^\s{0,12}(?:```|~~~)/u;
const OPEN_TAG = /^\s*<([A-Za-z][\w:-]{0,60})>\s*$/u;
const END = /[.!?]+["'”’)\]*_`]{0,3}(?=\s|$)|[。！？；!?]+[」』”)）]?/gu;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|z\.B|bzw|ca|p\.ej|ej|Nr|No|Dr|Mr|Mrs|St|resp)\.$/iu;
/** Tagged blocks that hold an instruction, not something pasted. */
const INSTRUCTION_TAG = /rule|instruction|guideline|constraint|polic|command-args|important|prompt|system/iu;
const COLON = /[:：]$/u;
const WRAP_WIDTH = 60;
/** Longer lines are data, not speech. */
const LONGEST_LINE = 20_000;

export function readSentences(text: string): readonly Sentence[] {
  return readBlocks(text).flatMap(({ text: words, isItem, under }) => {
    const inline = INLINE_LIST.exec(words);
    if (inline === null) return splitSentences(words).map((sentence) => ({ text: sentence, isItem, under }));
    const items = words.slice(inline[0].length).split(INLINE_ITEM);
    return items
      .filter((item) => item.trim() !== "")
      .map((item) => ({
        text: item.trim().replace(/[,;，；]$/u, ""),
        isItem: true,
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
  const closings = lastPlaces(lines);
  const reader = new BlockReader();
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trimEnd();
    const end = FENCE.test(line) ? fenceEnd(lines, at) : taggedEnd(line, at, closings);
    if (end === undefined) reader.read(line);
    else {
      reader.close();
      at = end;
    }
  }
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
  #width = 0;

  close(): void {
    this.#open = undefined;
  }

  read(line: string): void {
    const heading = HEADING.exec(line)?.[1] ?? BOLD_LINE.exec(line)?.[1];
    if (heading !== undefined) this.#startSection(heading);
    else if (line === "" || isPasted(line)) this.close();
    else this.#readWords(line);
  }

  #startSection(heading: string): void {
    this.#section = [heading];
    this.#leadIn = [];
    this.#parent = undefined;
    this.close();
  }

  #readWords(line: string): void {
    const marker = ITEM.exec(line)?.[0];
    if (marker !== undefined) this.#startItem(marker, clean(line.slice(marker.length)));
    else if (this.#open !== undefined && continues(this.#open.text, this.#width, line))
      this.#open.text += ` ${clean(line)}`;
    else this.#startParagraph(clean(line));
    if (this.#open?.isItem === false && COLON.test(this.#open.text)) this.#leadIn = [this.#open.text];
    this.#width = line.length;
  }

  #startItem(marker: string, text: string): void {
    const shape = marker.replace(/[\p{L}\p{N}]+/gu, "1");
    if (this.#parent?.shape === shape) this.#parent = undefined;
    const above = this.#parent === undefined ? [] : [this.#parent.text];
    this.#start({ text, isItem: true, under: [...this.#section, ...this.#leadIn, ...above] });
    if (this.#parent === undefined && COLON.test(text)) this.#parent = { shape, text };
  }

  #startParagraph(text: string): void {
    this.#start({ text, isItem: false, under: this.#section });
    this.#leadIn = [];
    this.#parent = undefined;
  }

  #start(block: Block): void {
    this.#open = block;
    this.blocks.push(block);
  }
}

/** The line that closes a tagged block of pasted text; undefined where none begins, or where it is never closed. */
function taggedEnd(line: string, at: number, closings: ReadonlyMap<string, number>): number | undefined {
  const tag = OPEN_TAG.exec(line)?.[1];
  if (tag === undefined || INSTRUCTION_TAG.test(tag)) return undefined;
  const end = closings.get(`</${tag}>`) ?? -1;
  return end > at ? end : undefined;
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

function isPasted(line: string): boolean {
  if (line.length > LONGEST_LINE) return true;
  return /^\s*(?:>|\||[+-]{1,3}\s{2,}|@@|\d+[:│|]|at \S+ \(|Traceback|File ")/u.test(line) || /[│█┃⋮]/u.test(line);
}

function fenceEnd(lines: readonly string[], start: number): number {
  for (let at = start + 1; at < lines.length; at += 1) if (FENCE.test(lines[at] ?? "")) return at;
  return lines.length;
}

/** Where each line that only closes a tag stands last. */
function lastPlaces(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    const closing = line.length < 80 && line.includes("</") ? line.trim() : "";
    if (closing.startsWith("</")) places.set(closing, at);
  }
  return places;
}

/** Speech, not code or a log: mostly letters once code spans and paths are left out. */
export function isProse(sentence: string): boolean {
  const spoken = sentence.includes("`") ? sentence.replace(/`[^`\n]{0,200}`/g, "x") : sentence;
  const words = spoken.includes("/") ? spoken.replace(/\S{0,80}\/\S{0,80}/g, "x") : spoken;
  if (/=>|\(\);|[{};]$|::|\bself\.|^#|^\d+\s|^\S+\(/.test(words)) return false;
  let others = 0;
  for (let at = 0; at < words.length; at += 1) if (!isLetterOrSpace(words.charCodeAt(at))) others += 1;
  return others <= words.length * 0.25;
}

function isLetterOrSpace(unit: number): boolean {
  if (unit > 0x7f) return unit >= 0xc0 && !(unit >= 0x2000 && unit <= 0x2fff) && !(unit >= 0x3000 && unit <= 0x303f);
  return unit === 0x20 || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}
