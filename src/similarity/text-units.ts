// Takes a text apart as a reader does, into the sentences of its headings, list items and paragraphs. Marks of Markdown fall
// away.
import { createTokenReader, literalTokens, type TokenReader } from "./fact-tokens.ts";

export type Tokens = readonly string[];

const FENCE = /^\s{0,12}(?:```|~~~)/;
/** Not "> 5 ms". */
const QUOTE = /^\s{0,12}(?:>\s{0,3}){1,12}(?![\d\s>=])/;
const RULE = /^\s{0,12}(?:-{3,200}|={3,200}|\*{3,200}|_{3,200})\s*$/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/;
const ITEM = /^\s*(?:[-*+•‣◦▪·–]\s|(?=\d{1,4}[.)]\s))\s*(.*)$/u;
const TASK = /^\[([ xX])\]\s/;
const SENTENCE_END = /[.!?]["')\]]?\s+|。/gu;

/**
 * The tokens of all that is said, headings included, in reading order; a line of code is a sentence. Linear in the text. Whoever
 * reads many texts gives one reader of tokens, which looks up the words it knows.
 */
export function readSentences(text: string, tokensOf: TokenReader = createTokenReader()): readonly Tokens[] {
  const sentences: Tokens[] = [];
  const add = (tokens: Tokens) => {
    if (tokens.length > 0) sentences.push(tokens);
  };
  let pending = "";
  /** The pending text is whole. */
  const flush = () => {
    const whole = pending.trim();
    pending = "";
    const task = TASK.exec(whole)?.[1];
    if (task !== undefined) add([task === " " ? "[ ]" : "[x]"]);
    for (const sentence of splitSentences(task === undefined ? whole : whole.slice(4))) add(tokensOf(sentence));
  };
  let isCode = false;
  for (const raw of evenOut(text).split("\n")) {
    const isFence = FENCE.test(raw);
    if (isFence || isCode) {
      flush();
      isCode = isCode !== isFence;
      add(literalTokens(raw));
      continue;
    }
    const line = raw.replace(QUOTE, "");
    const heading = HEADING.exec(line)?.[1];
    const item = ITEM.exec(line)?.[1];
    const isRow = line.trimStart().startsWith("|");
    const isNone = line.trim() === "" || RULE.test(line) || isTableRule(line);
    if (isNone || heading !== undefined || item !== undefined || isRow) flush();
    if (isNone) continue;
    if (heading !== undefined) add(tokensOf(heading.replace(/\s#{1,6}\s*$/, "")));
    else if (item !== undefined) pending = item;
    else pending = pending === "" ? line : `${pending} ${line.trim()}`;
    if (isRow) flush();
  }
  flush();
  return sentences;
}

function isTableRule(line: string): boolean {
  return line.includes("|") && line.includes("-") && /^[\s|:-]{3,2000}$/.test(line);
}

function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(SENTENCE_END)) {
    // "3. Mai", and the number of an item, end none.
    if (end.startsWith(".") && /(?<![\p{L}\p{N}.,:/-])\d{1,4}$/u.test(text.slice(Math.max(from, index - 6), index)))
      continue;
    sentences.push(text.slice(from, index + end.length));
    from = index + end.length;
  }
  sentences.push(text.slice(from));
  return sentences;
}

// One way of writing where typesetting knows several: widths, quotes, dashes, invisible characters, emphasis. Whatever
// may carry meaning stays: a struck-out word stays struck out, an exponent stays one.

const SUPERSCRIPT = /[⁰¹²³⁴-⁹]{1,40}/gu;
const FRACTION = /(?=[¼-¾⅐-⅞])/gu;
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/gu;
/** Bounded, so that stars and lines without an end cost no more than their number. */
const STARS = /(?<![A-Za-z0-9/*.\\])\*{1,3}(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\*{1,3}(?![A-Za-z0-9/*\\])/gu;
const UNDERLINES = /(?<![\p{L}\p{N}_])_{1,2}(?=[^\s_])([^_\n]{1,300}?)(?<=[^\s_])_{1,2}(?![\p{L}\p{N}_])/gu;
/** An empty list, object or text is a value, not a pair of brackets to be dropped. */
const EMPTY_VALUE = /\[\]|\{\}|(?<![^\s(=:])(?:""|'')(?![^\s.,;:)])/g;
const EMPTY_SIGNS: Readonly<Record<string, string>> = { "[]": "⌷", "{}": "◊", '""': "⌑", "''": "⌑" };
const IS_ASCII = /^\p{ASCII}*$/u;
/** `__init__` is a name. */
const ONE_NAME = /^[^\s]*$/u;

function evenOut(text: string): string {
  const even = IS_ASCII.test(text) ? text : evenCharacters(text);
  const lines = even.includes("\r") ? even.replace(/\r\n?/g, "\n") : even;
  const plain = lines.includes("*") ? lines.replace(STARS, "$1") : lines;
  const marked = plain.includes("~~") ? plain.replace(/~~/g, " ~~ ") : plain;
  const struck = marked.replace(EMPTY_VALUE, (value) => ` ${EMPTY_SIGNS[value] ?? value} `);
  if (!struck.includes("_")) return struck;
  return struck.replace(UNDERLINES, (whole, inner: string) =>
    ONE_NAME.test(inner) && whole.startsWith("__") ? whole : inner,
  );
}

function evenCharacters(text: string): string {
  return text
    .replace(SUPERSCRIPT, (digits) => `^${digits}`)
    .replace(FRACTION, " ")
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(/[‘’‛ʼ]/gu, "'")
    .replace(/[“”„‟«»「」『』]/gu, '"')
    .replace(/(?<=\d)[‐‑‒–](?=\d)/gu, "-")
    .replace(/[‐‑]/gu, "-")
    .replace(/−/gu, "-")
    .replace(/[‒—―]/gu, " - ")
    .replace(/[→⇒➜➔]/gu, " -> ");
}
