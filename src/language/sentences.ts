// Splits what was said into sentences and list items, and leaves out what was only pasted: code, quotes, tables,
// tagged blocks, log lines; and which sentence is speech. Whether one means anything is for others.
import { cutAt } from "../text/quote.ts";

const ITEM =
  /^\s{0,12}(?:[-*+•·–—]|\(?\d{1,3}[.):）、]|\(?[a-hA-H][.)])\s+(?=\S)|^\s{0,12}(?:\d{1,2}[、．）]|[①-⑳])\s*(?=\S)/u;
const INLINE_LIST = /^([^:：\n]{2,80})[:：]\s*(?=(?:\(?1[.)、）]|①)\s*\S)/u;
const INLINE_ITEM = /(?:^|[\s;；,，。])(?:\(?\d{1,2}[.)、）]|[①-⑳])\s*(?=\S)/u;
/** Markdown's, a line in bold, a tag alone on its line. */
const HEADING = /^\s{0,3}(?:#{1,6}\s+\S.{0,120}|\*\*[^*]{1,100}\*\*:?\s*|<\/?[\w:-]{1,60}>)$/u;
const END = /[.!?]+["'”’)\]*_`]{0,3}(?=\s|$)|[。！？；!?]+[」』”)）]?/gu;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|z\.B|bzw|ca|p\.ej|ej|Nr|No|Dr|Mr|Mrs|St|resp)\.$/iu;
const WRAP_WIDTH = 60;

/** Sentences and list items, each in one line. */
export function readSentences(text: string): readonly string[] {
  return readBlocks(text).flatMap((block) => {
    const lead = INLINE_LIST.exec(block)?.[0];
    if (lead === undefined) return splitSentences(block);
    const items = block.slice(lead.length).split(INLINE_ITEM);
    return items.map((item) => item.trim().replace(/[,;，；]$/u, "")).filter((item) => item !== "");
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

/** Paragraphs and items; hard-wrapped lines are put together. */
function readBlocks(text: string): readonly string[] {
  const lines = text.split("\n");
  const closings = lastClosings(lines);
  const blocks: string[] = [];
  /** Length of the line that the next one may continue; 0 where none may. */
  let width = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trimEnd();
    const end = pastedEnd(lines, at, closings);
    if (end !== undefined || line === "" || HEADING.test(line) || isPasted(line)) {
      width = 0;
      at = end ?? at;
      continue;
    }
    const marker = ITEM.exec(line)?.[0];
    const words = clean(line.slice(marker?.length ?? 0));
    if (marker === undefined && width > 0 && continues(blocks.at(-1) ?? "", width, line))
      blocks.push(`${blocks.pop()} ${words}`);
    else blocks.push(words);
    width = line.length;
  }
  return blocks;
}

/** Hard-wrapped prose: the line before was long and did not end. */
function continues(text: string, width: number, line: string): boolean {
  return (
    width >= WRAP_WIDTH && !/[.!?:;。！？：；]["'”)]?$/u.test(text.slice(-2)) && /^\s*[\p{L}\p{N}`'"(*]/u.test(line)
  );
}

function clean(line: string): string {
  return line
    .trim()
    .replace(/<(?!REDACTED>)\/?[A-Za-z][\w:-]{0,60}>/gu, " ")
    .replaceAll("**", "")
    .trim();
}

/** At most `limit` units, cut between words, an ellipsis for the rest. */
export function cutWords(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const short = cutAt(text, limit - 1);
  const space = short.lastIndexOf(" ");
  return `${(space > limit / 2 ? short.slice(0, space) : short).trimEnd()}…`;
}

// What stands in a message but was only pasted into it.

const FENCE = /^\s{0,12}(?:```|~~~)/u;
const OPEN_TAG = /^\s*<([A-Za-z][\w:-]{0,60})>\s*$/u;
/** Tagged blocks that hold what a user asks for, not something pasted. */
const INSTRUCTION_TAG =
  /rule|instruction|guideline|constraint|polic|command-args|important|prompt|system|user|task|query|request|feedback/iu;
/** Longer lines are data, not speech. */
const LONGEST_LINE = 20_000;

/** Where the pasted block that begins at this line ends; undefined where none begins. */
function pastedEnd(lines: readonly string[], at: number, closings: ReadonlyMap<string, number>): number | undefined {
  const line = (lines[at] ?? "").trimEnd();
  return FENCE.test(line) ? fenceEnd(lines, at) : taggedEnd(line, at, closings);
}

/** The line that closes a tagged block of pasted text; undefined where none begins, or where it is never closed. */
function taggedEnd(line: string, at: number, closings: ReadonlyMap<string, number>): number | undefined {
  const tag = OPEN_TAG.exec(line)?.[1];
  if (tag === undefined || INSTRUCTION_TAG.test(tag)) return undefined;
  const end = closings.get(`</${tag}>`) ?? -1;
  return end > at ? end : undefined;
}

export function isPasted(line: string): boolean {
  if (line.length > LONGEST_LINE) return true;
  return /^\s*(?:>|\||[+-]{1,3}\s{2,}|@@|\d+[:│|]|at \S+ \(|Traceback|File ")/u.test(line) || /[│█┃⋮]/u.test(line);
}

function fenceEnd(lines: readonly string[], start: number): number {
  for (let at = start + 1; at < lines.length; at += 1) if (FENCE.test(lines[at] ?? "")) return at;
  return lines.length;
}

/** Where each line that only closes a tag stands last. */
function lastClosings(lines: readonly string[]): ReadonlyMap<string, number> {
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
