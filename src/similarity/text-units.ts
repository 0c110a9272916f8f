// Takes a text apart as a reader does: headings, list items, paragraphs, sentences. Marks of Markdown fall away; what
// an item stands under is kept, since "deploy on Friday" says one thing below "Always" and another below "Never".
import { createTokenReader, literalTokens, type TokenReader } from "./fact-tokens.ts";

export type Tokens = readonly string[];

/** A paragraph, an item of a list, a line of a table or of code. */
export interface Unit {
  /** Headings and items it stands under, and the sentence that leads in to a list; the outermost first. */
  readonly context: readonly Tokens[];
  readonly sentences: readonly Tokens[];
}

interface Level {
  /** Headings: negative, by rank. Items: their indentation. A sentence that leads in: -0.5. */
  readonly depth: number;
  readonly tokens: Tokens;
  hasContent: boolean;
}

const LEAD_IN = -0.5;
const FENCE = /^\s{0,12}(?:```|~~~)/;
/** Not "> 5 ms". */
const QUOTE = /^\s{0,12}(?:>\s{0,3}){1,12}(?![\d\s>=])/;
const RULE = /^\s{0,12}(?:-{3,200}|={3,200}|\*{3,200}|_{3,200})\s*$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*)$/;
const ITEM = /^(\s*)(?:[-*+•‣◦▪·–]|(?=\d{1,4}[.)]\s))\s*(.*)$/u;
const BULLET = /^\s*(?:[-*+•‣◦▪·–]\s|\d{1,4}[.)]\s)/u;
const TASK = /^\[([ xX])\]\s/;
const SENTENCE_END = /[.!?]["')\]]?\s+|。/gu;

export interface ReadText {
  /** In reading order, but for headings with nothing below them. */
  readonly units: readonly Unit[];
  /** All that is said, headings included, in reading order. */
  readonly sentences: readonly Tokens[];
}

/** Linear in the text. Whoever reads many texts gives one reader of tokens, which looks up the words it knows. */
export function readUnits(text: string, tokensOf: TokenReader = createTokenReader()): ReadText {
  return new UnitReader(tokensOf).read(evenOut(text));
}

class UnitReader {
  readonly units: Unit[] = [];
  readonly sentences: Tokens[] = [];
  readonly tokensOf: TokenReader;
  readonly levels: Level[] = [];
  pending = "";
  /** Of the pending text; undefined for a paragraph. */
  indent: number | undefined;
  isCode = false;

  constructor(tokensOf: TokenReader) {
    this.tokensOf = tokensOf;
  }

  read(text: string): ReadText {
    for (const line of text.split("\n")) this.readLine(line);
    this.flush();
    this.leave(Number.NEGATIVE_INFINITY);
    return { units: this.units, sentences: this.sentences };
  }

  readLine(raw: string): void {
    if (FENCE.test(raw)) {
      this.flush();
      this.isCode = !this.isCode;
      this.add([literalTokens(raw)]);
    } else if (this.isCode) this.add([literalTokens(raw)]);
    else this.readProse(raw.replace(QUOTE, ""));
  }

  readProse(line: string): void {
    const heading = HEADING.exec(line);
    if (line.trim() === "") this.flush();
    else if (RULE.test(line) || isTableRule(line)) this.flush();
    else if (heading !== null) {
      this.flush();
      const tokens = this.tokensOf((heading[2] ?? "").replace(/\s#{1,6}\s*$/, ""));
      if (isSaid(tokens)) this.sentences.push(tokens);
      this.enter({ depth: (heading[1] ?? "").length - 10, tokens, hasContent: false });
    } else if (BULLET.test(line)) {
      this.flush();
      const [, space = "", content = ""] = ITEM.exec(line) ?? [];
      this.pending = content;
      this.indent = space.replace(/\t/g, "    ").length;
    } else if (line.trimStart().startsWith("|")) {
      this.flush();
      this.pending = line;
      this.flush();
    } else this.pending = this.pending === "" ? line : `${this.pending} ${line.trim()}`;
  }

  /** The pending text is whole. */
  flush(): void {
    const text = this.pending.trim();
    if (text === "") return;
    const { indent } = this;
    this.pending = "";
    this.indent = undefined;
    const task = TASK.exec(text);
    const sentences = splitSentences(task === null ? text : text.slice(4))
      .map(this.tokensOf)
      .filter(isSaid);
    const marked = task === null ? sentences : [[task[1] === " " ? "[ ]" : "[x]"], ...sentences];
    if (indent === undefined) {
      this.leave(LEAD_IN);
      this.add(marked);
      if (text.endsWith(":")) this.enter({ depth: LEAD_IN, tokens: marked.at(-1) ?? [], hasContent: true });
    } else {
      this.leave(indent);
      this.add(marked);
      this.enter({ depth: indent, tokens: marked.flat(), hasContent: true });
    }
  }

  enter(level: Level): void {
    this.leave(level.depth);
    if (level.tokens.length > 0) this.levels.push(level);
  }

  /** A heading without anything below it is all that it says. */
  leave(depth: number): void {
    for (let last = this.levels.at(-1); last !== undefined && last.depth >= depth; last = this.levels.at(-1)) {
      this.levels.pop();
      if (last.hasContent) continue;
      this.units.push({ context: this.levels.map(({ tokens }) => tokens), sentences: [last.tokens] });
      this.fill();
    }
  }

  add(sentences: readonly Tokens[]): void {
    if (!sentences.some(isSaid)) return;
    for (const sentence of sentences) this.sentences.push(sentence);
    this.units.push({ context: this.levels.map(({ tokens }) => tokens), sentences });
    this.fill();
  }

  fill(): void {
    for (let at = this.levels.length - 1; at >= 0; at -= 1) {
      const level = this.levels[at];
      if (level === undefined || level.hasContent) return;
      level.hasContent = true;
    }
  }
}

function isSaid(tokens: Tokens): boolean {
  return tokens.length > 0;
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
