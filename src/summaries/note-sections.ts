// A note in its sections: what stands under one heading, lead-in ("Checked:") or label ("Decision: ..."). What a heading
// says of its kind holds for all below it.
import { type HeadingKind, headingKind, labelKind } from "../language/words.ts";

export interface NoteSection {
  /** Without marks, what leads in behind it. Empty where there is none. */
  readonly heading: string;
  readonly kind: HeadingKind | undefined;
  /** A line an item, without the marks of lists. */
  readonly text: string;
}

/** A heading, or a lead-in, which is deeper than all headings: by its indentation. */
interface Level {
  readonly depth: number;
  readonly words: string;
  kind: HeadingKind | undefined;
}

const LEAD = 10;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/u;
const FENCE = /^\s{0,12}(?:```|~~~)/u;
const BREAK = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/u;
const ITEM = /^\s{0,40}(?:[-*+•]|\d{1,3}[.)])\s+/u;
const LEAD_IN = /^.{1,80}[:：]$|^\*\*[^*]{1,80}\*\*$/u;
const LABEL = /^([^:：]{2,40}?)\s*[:：]\s*(?=\S)/u;
const NO_WORDS = /^[\s|:*_=-]*$/u;
const DONE = /^(?:✅|☑|\[[xX]\])/u;

export function sectionsOf(note: string): readonly NoteSection[] {
  const reader = new SectionReader();
  let isCode = false;
  for (const line of note.split(/\r\n|[\n\r\u2028\u2029]/u)) {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode) reader.add(line);
    else reader.read(line);
  }
  return reader.sections.map(({ lines, ...section }) => ({ ...section, text: withoutRows(lines).join("\n") }));
}

/** So many lines of one form are rows of a log or a table: the first shows what they are, the rest is counted. */
const FEWEST_ROWS = 5;
const FORM_UNITS = 30;

function withoutRows(lines: readonly string[]): readonly string[] {
  const forms = lines.map((line) => formOf(line.trim()));
  const counts = new Map<string, number>();
  for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1);
  return lines.flatMap((line, at) => {
    const form = forms[at] ?? "";
    const count = counts.get(form) ?? 1;
    if (count < FEWEST_ROWS || form.length < FORM_UNITS / 2) return [line];
    return forms.indexOf(form) === at ? [`${line.trim()} (and ${count - 1} more lines of this form)`] : [];
  });
}

/** How it begins, whatever its figures and letters. */
function formOf(line: string): string {
  return line
    .slice(0, FORM_UNITS * 2)
    .replace(/\d+/gu, "0")
    .replace(/(?<!\p{L})[A-Za-z](?!\p{L})/gu, "X")
    .replace(/\s+/gu, " ")
    .slice(0, FORM_UNITS);
}

class SectionReader {
  readonly sections: { readonly heading: string; readonly kind: HeadingKind | undefined; readonly lines: string[] }[] =
    [];
  #path: readonly Level[] = [];
  /** What is told next begins a section. */
  #isOpen = true;

  read(line: string): void {
    const [, marks, title] = HEADING.exec(line) ?? [];
    if (marks !== undefined && title !== undefined) this.#open(marks.length, plain(title));
    // Behind a thematic break something else begins, if only a footer.
    else if (BREAK.test(line)) this.#path = this.#path.filter(({ depth }) => depth === 1);
    else if (!NO_WORDS.test(line)) this.#readWords(line);
  }

  #readWords(line: string): void {
    const isItem = ITEM.test(line);
    const depth = LEAD + (isItem ? 1 : 0) + line.length - line.trimStart().length;
    const words = line.replace(ITEM, "").trim();
    // An item ends what led into a deeper one; a paragraph any list, unless it is all that was led into.
    if (isItem) this.#path = this.#path.filter((level) => level.depth < depth || level.depth < LEAD);
    else if (!this.#isOpen) this.#path = this.#path.filter((level) => level.depth < LEAD);
    const told = plain(words);
    const [said = "", label] = LABEL.exec(told) ?? [];
    if (LEAD_IN.test(words)) this.#open(depth, told);
    else if (label !== undefined && labelKind(label) !== undefined) this.add(told.slice(said.length), label);
    else this.add(told);
  }

  /** `label` is what the line itself began with. */
  add(line: string, label?: string): void {
    const isLed = (this.#path.at(-1)?.depth ?? 0) >= LEAD;
    const above = this.#path.slice(isLed ? -2 : -1).map(({ words }) => words);
    const heading = [...above, ...(label === undefined ? [] : [label])].join(": ");
    const under = this.#path.findLast((level) => level.kind !== undefined);
    const kind = (label === undefined ? undefined : labelKind(label)) ?? under?.kind;
    if (kind === "next" && DONE.test(line)) return;
    // A heading that says the choice itself ("Decision: keep it") has reasons below it: the first will do.
    if (under?.kind === "settled" && LABEL.test(under.words)) under.kind = undefined;
    const last = this.sections.at(-1);
    if (last === undefined || this.#isOpen || last.heading !== heading || last.kind !== kind)
      this.sections.push({ heading, kind, lines: [line] });
    else last.lines.push(line);
    this.#isOpen = false;
  }

  #open(depth: number, words: string): void {
    this.#path = [...this.#path.filter((level) => level.depth < depth), { depth, words, kind: headingKind(words) }];
    this.#isOpen = true;
  }
}

/** Without marks of emphasis, signs before the words, and the colon behind a lead-in. */
function plain(words: string): string {
  return words
    .replaceAll("**", "")
    .replace(/^(?:(?![✅❌])\p{Extended_Pictographic}|\uFE0F|\s)+/u, "")
    .replace(/\s*[:：]$/u, "")
    .trim();
}
