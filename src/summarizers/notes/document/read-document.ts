// Reads a Markdown note into the parts that it is told in: paragraphs and list items, each with its heading and lead-in.
// Code is not told, tables and logs are summed. Which parts are told is decided elsewhere.
import { splitSentences } from "../../../facts/language/sentences.ts";
import { oneLine } from "../../../facts/ledger-text.ts";
import { type Block, isHeading, type Outline } from "../../../text/markdown/outline.ts";
import { scanMarkdown } from "../../../text/markdown/scan-markdown.ts";
import type { SummarizedNote } from "../summarized-note.ts";
import { alikeRuns, type Summed, sumAlike, sumLog } from "./alike-rows.ts";
import { isContrast, isPointing, piecesOf, sentencesOf } from "./bound-sentences.ts";
import type { Part, ReadDocument } from "./document-part.ts";
import { bareKindOf, kindOf } from "./heading-kinds.ts";
import { cleanLines, hasWords, isBoldLine, isDone, labelOf, plainWords } from "./plain-lines.ts";
import { type Item, itemsFrom, joinedItem } from "./read-items.ts";
import { readTable } from "./read-table.ts";

/** Of a note: it may be a book. */
const MOST_PARTS = 400;
/** A list that a sentence behind it speaks of: told with it up to here. */
const MOST_BOUND_UNITS = 600;
const LEAD = /[:：]$/u;
const LEAD_MARK = /[:：]?$/u;
/** A longer lead-in is a sentence, which may speak of anything. */
const LONGEST_KIND = 40;
const LONGEST_LEAD = 160;
/** A longer item is read as a paragraph. */
const LONGEST_ITEM = 400;
const LONGEST_SENTENCE = 600;
const LONGEST_COMMAND = 160;

/** `redact` is applied before anything is read. */
export function readDocument(note: SummarizedNote, redact: (text: string) => string): ReadDocument {
  const lines = redact(note.text).split("\n");
  const reader = new DocumentReader(lines, scanMarkdown(lines));
  return { note, ...reader.read() };
}

class DocumentReader {
  readonly #parts: Part[] = [];
  readonly #summed: string[] = [];
  readonly #lines: readonly string[];
  readonly #outline: Outline;
  /** Headings that the text stands under, by level. */
  #headings: string[] = [];
  /** A line in bold: leads in what stands below, up to the next one. */
  #bold = "";
  #lead = "";

  constructor(lines: readonly string[], outline: Outline) {
    this.#lines = lines;
    this.#outline = outline;
  }

  read(): Omit<ReadDocument, "note"> {
    const { blocks } = this.#outline;
    for (let at = 0; at < blocks.length && this.#parts.length < MOST_PARTS; ) {
      const { items, to } = itemsFrom(this.#lines, this.#outline, at);
      if (items.length > 0) this.#readList(items);
      else this.#readBlock(blocks[at] as Block);
      at = Math.max(to, at + 1);
    }
    return { parts: this.#parts, summed: this.#summed };
  }

  #readBlock(block: Block): void {
    const lines = this.#lines.slice(block.from, block.to);
    if (isHeading(block)) this.#open(block.level, block.text);
    else if (block.kind === "paragraph") this.#readParagraph(lines);
    else if (block.kind === "code") this.#readCode(lines);
    else if (block.kind === "table") this.#readTable(lines);
    else if (block.kind === "rule") this.#bold = "";
    else return;
    if (block.kind !== "paragraph") this.#lead = "";
  }

  #open(level: number, text: string): void {
    this.#headings = [...this.#headings.slice(0, level)];
    this.#headings[level] = plainWords(text);
    this.#bold = "";
    this.#lead = "";
  }

  #readParagraph(raw: readonly string[]): void {
    const log = sumLog(raw);
    if (log !== undefined) this.#addSum(log);
    else this.#readWords(raw);
  }

  #readWords(raw: readonly string[]): void {
    const lines = cleanLines(raw);
    const [first = ""] = lines;
    this.#lead = "";
    if (lines.length === 1 && isBoldLine(raw[0] ?? "")) this.#bold = first.replace(LEAD_MARK, ":");
    else this.#readSentences(lines);
  }

  #readSentences(lines: readonly string[]): void {
    const sentences = sentencesOf(lines);
    const last = sentences.at(-1) ?? "";
    const told = LEAD.test(last) ? sentences.slice(0, -1) : sentences;
    if (told.length > 0 && isPointing(told[0] ?? "") && this.#bindBack(told)) return;
    for (const piece of piecesOf(told)) this.#add(piece, " ");
    if (LEAD.test(last) && last.length <= LONGEST_LEAD) this.#lead = last;
  }

  /** Puts sentences to the list or paragraph right above them, of which they speak. */
  #bindBack(sentences: readonly string[]): boolean {
    const { subject, parts } = { subject: this.#subject(), parts: this.#parts };
    let from = parts.length;
    let units = sentences.join(" ").length;
    while (from > 0) {
      const before = parts[from - 1];
      if (before === undefined || before.subject !== subject || before.isSum) break;
      units += before.sentences.join(" ").length;
      if (units > MOST_BOUND_UNITS) break;
      from -= 1;
    }
    const bound = parts.slice(from);
    const [first] = bound;
    if (first === undefined) return false;
    const above = bound.flatMap((part) => part.sentences);
    const glue = bound.some((part) => part.glue === "; ") ? "; " : " ";
    parts.splice(from, bound.length, { ...first, glue, sentences: [...above, ...sentences] });
    return true;
  }

  #readList(items: readonly Item[]): void {
    const runs = new Map(alikeRuns(items.map(({ text }) => text)));
    const start = this.#parts.length;
    for (let at = 0; at < items.length; ) {
      const end = runs.get(at);
      if (end !== undefined) this.#addSum(sumAlike(items.slice(at, end).map(({ text }) => text)));
      else this.#addItem(items[at] as Item, this.#parts.length > start);
      at = end ?? at + 1;
    }
    this.#lead = "";
  }

  #addItem(item: Item, hasBefore: boolean): void {
    const joined = joinedItem(item);
    if (item.children.length === 0 && item.text.length > LONGEST_ITEM) {
      for (const piece of piecesOf(splitSentences(item.text))) this.#add(piece, " ");
      return;
    }
    const last = this.#parts.at(-1);
    if (hasBefore && last !== undefined && !last.isSum && isContrast(item.text)) {
      this.#parts[this.#parts.length - 1] = { ...last, sentences: [...last.sentences, ...(joined ?? [item.text])] };
    } else if (joined !== undefined) this.#add(joined, "; ");
    else {
      const lead = this.#lead;
      if (!LEAD.test(item.text)) this.#add([item.text], "; ");
      this.#lead = item.text.length > LONGEST_LEAD ? "" : item.text.replace(LEAD_MARK, ":");
      for (const child of item.children) this.#addItem(child, false);
      this.#lead = lead;
    }
  }

  #readCode(raw: readonly string[]): void {
    const lines = raw.filter((line) => !/^\s*(?:`{3,}|~{3,})/u.test(line));
    const log = sumLog(lines);
    if (log !== undefined) this.#addSum(log);
    const [only = "", ...others] = lines.filter((line) => line.trim() !== "");
    const isCommand = only !== "" && others.length === 0 && only.length <= LONGEST_COMMAND && !only.includes("`");
    if (log === undefined && isCommand && this.#lead !== "") this.#add([`\`${only.trim()}\``], "; ");
  }

  #readTable(lines: readonly string[]): void {
    const table = readTable(lines);
    if ("told" in table) this.#add(table.told, "; ");
    else this.#addSum(table);
  }

  #addSum({ text, rows }: Summed): void {
    for (const row of rows) this.#summed.push(row);
    this.#add([text], "; ", true);
  }

  #subject(): string {
    return this.#headings.findLast((heading) => heading !== undefined && heading !== "") ?? "";
  }

  #add(sentences: readonly string[], glue: Part["glue"], isSum = false): void {
    const told = sentences.filter((sentence) => sentence !== "").map((one) => oneLine(one, LONGEST_SENTENCE));
    const isLeadIn = told.length === 1 && LEAD.test(told[0] ?? "");
    if (isLeadIn || !hasWords(told.join(" "))) return;
    const text = told.join(" ");
    const kind = isSum || (this.#kind(text) === "next" && isDone(text)) ? undefined : this.#kind(text);
    const lead = this.#lead === "" ? this.#bold : this.#lead;
    this.#parts.push({ at: this.#parts.length, subject: this.#subject(), kind, lead, sentences: told, glue, isSum });
  }

  /** The nearest that says one: a label, a lead-in, a line in bold, a heading. */
  #kind(text: string): Part["kind"] {
    const label = labelOf(text);
    const isLabelled = hasWords(text.slice(text.indexOf(label) + label.length));
    const leads = [this.#lead, this.#bold].filter((lead) => lead !== "" && lead.length <= LONGEST_KIND);
    return (
      (isLabelled ? bareKindOf(label) : undefined) ??
      leads.map((lead) => kindOf(lead)).find((kind) => kind !== undefined) ??
      this.#kindAbove()
    );
  }

  /** Of the nearest heading that says one. That of the whole note speaks of no part. */
  #kindAbove(): Part["kind"] {
    return this.#headings
      .slice(2)
      .map((heading) => (heading === undefined ? undefined : kindOf(heading)))
      .findLast((kind) => kind !== undefined);
  }
}
