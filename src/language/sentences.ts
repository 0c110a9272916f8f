// Splits what was said into sentences and list items, and leaves out what was only pasted: code, quotes, tables,
// tagged blocks, log lines. Whether a sentence means anything is for others.
import { isPasted, lastClosings, pastedEnd } from "./pasted.ts";

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
