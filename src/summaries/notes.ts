// Writes one text that stands for a set of notes: what they settled, what was to be done next, then a line a note, its
// title first. Sections of all notes are ranked together, so each has as much of the room as it is worth. With a model
// its text comes first, and the lines say what it does not.
import { EMPTY_LEDGER } from "../facts/ledger.ts";
import { findRuleSentences } from "../facts/rules.ts";
import { type HeadingKind, headingKind, labelKind, SAYS_DECIDED } from "../language/words.ts";
import { figure } from "../text/figures.ts";
import { oneLine } from "../text/quote.ts";
import { piecesOf } from "../text/words.ts";
import { runInTurns } from "../tokens/stepwise.ts";
import { type RankedPiece, rankPieces } from "./rank.ts";
import { type Chosen, fillRoom, joinPieces } from "./record.ts";
import type { Passage, Strategy, Summarizer, Summary } from "./summarizer.ts";
import type { Unit } from "./units.ts";

/** A note as it is summarized, wherever it is kept: in a store of rows, in a file of Markdown. */
export interface SummarizedNote {
  /** Whole number, its own among the notes. */
  readonly id: number;
  /** How the finished text cites it, in brackets: `#12`, `2031-02-03`. */
  readonly label: string;
  /** Empty where it has none. */
  readonly title: string;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly at?: string;
}

export interface NotesRequest {
  /** Oldest first, no two of them copies. */
  readonly notes: readonly SummarizedNote[];
  /** Cap of the text; where even the titles take more, the oldest notes are counted only. */
  readonly maxTokens: number;
  readonly summarizer: Summarizer;
  readonly strategy: Strategy;
  readonly count: (text: string) => number;
  /** Applied to all that leaves a note. */
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
}

/** Sections under headings of level 2, by line; without a title, without a blank line around it. */
interface NotesSummary extends Pick<Summary, "text" | "source"> {
  /** Notes that are not named in the text, and lines of choices and rules that do not stand there. */
  readonly leftOut: number;
}

/** Headings of level 2 that the text may have; with a model's text those of its shape. */
export const NOTES_TITLES = { settled: "Decisions and rules", next: "Next steps", notes: "Notes" } as const;

/** Of the cap, what a model is asked for. */
const MODEL_SHARE = 0.5;
const TITLE_UNITS = 100;
/** Of a note: what comes later is rarely what it is about, and a note may be a book. */
const MOST_UNITS = 12_000;
/** Of what was settled, of what comes next, of the rest; of the rest lessons, causes and aims tell more. */
const WORTH = { decisions: 8, state: 1.5, talk: 1 } as const;
const TELLING = 3;
const TOLD_ELSEWHERE = "(told above or in other notes)";
/** A line that is shorter may stand in many notes without being a repeat. */
const SHORTEST_REPEAT = 8;

/** What a note says of one kind. */
interface NoteUnit extends Unit {
  /** Of its note. */
  readonly label: string;
  /** Where each begins in the text. */
  readonly headings: readonly { readonly start: number; readonly words: string }[];
}

/** Throws what the summarizer throws, and the signal's reason. */
export async function summarizeNotes(request: NotesRequest): Promise<NotesSummary> {
  const { maxTokens, count, summarizer, signal } = request;
  signal?.throwIfAborted();
  const told = summarizer.kind === "model" ? await askModel(request) : undefined;
  const units = unitsOfNotes(request);
  const header = told === undefined ? [] : [told.text];
  const pieces = await runInTurns(rankPieces(units, ({ worth }) => worth, count));
  const { text, chosen } = await runInTurns(
    fillRoom(units, pieces, {
      room: maxTokens,
      count,
      // A choice or a rule stands here whatever a model says of it.
      beside: "",
      leadsShare: 1,
      render: (picked) => [...header, ...rendered(units, picked)].join("\n\n"),
    }),
  );
  signal?.throwIfAborted();
  return { text, source: told?.source ?? "extractive", leftOut: unnamed(units, chosen) + unsaid(units, chosen) };
}

/** Of each note what it settled, what comes next, and the rest under its name. A line that stands in several notes is the last one's. */
function unitsOfNotes({ notes, count, redact }: NotesRequest): readonly NoteUnit[] {
  const known = new Set<string>();
  const units = notes.toReversed().map(({ label, title, text }, back): readonly NoteUnit[] => {
    const sections = sectionsOf(redact(text.slice(0, MOST_UNITS)));
    const own = withSettledApart(sections)
      .map((section) => ({ ...section, text: withoutKnown(section.text, known) }))
      .filter((section) => section.text !== "");
    const source = { step: 1, message: notes.length - back };
    const base = { label, source, author: "assistant", isTalk: true } as const;
    const [settled, next, rest] = (["decisions", "state", "talk"] as const).map((section) => ({
      ...base,
      ...joined(
        own.filter(({ kind }) => sectionOf(kind) === section),
        count,
      ),
      ...{ section, lead: "", worth: WORTH[section] },
    })) as [NoteUnit, NoteUnit, NoteUnit];
    const named: NoteUnit = {
      ...rest,
      lead: `[${label}] ${oneLine(redact(title), TITLE_UNITS)}`.trim(),
      stays: "lead",
    };
    return [...[settled, next].filter((unit) => unit.text !== ""), named];
  });
  return units.reverse().flat();
}

function joined(
  sections: readonly NoteSection[],
  count: (text: string) => number,
): Pick<NoteUnit, "text" | "headings" | "pieceAt"> {
  const headings: { start: number; words: string; factor: number; tokens: number }[] = [];
  let text = "";
  for (const { heading, kind, text: own } of sections) {
    const factor = kind === "learnt" || kind === "aim" ? TELLING : 1;
    headings.push({ start: text.length, words: heading, factor, tokens: count(heading) + 1 });
    text += `${own}\n`;
  }
  const pieceAt = (start: number) => {
    const { factor, tokens } = headings.findLast((one) => one.start <= start) ?? { factor: 1, tokens: 0 };
    // Somebody's own words.
    return { tokens, factor: text[start] === ">" ? TELLING : factor };
  };
  return { text, headings, pieceAt };
}

function sectionOf(kind: HeadingKind | undefined): keyof typeof WORTH {
  return kind === "settled" ? "decisions" : kind === "next" ? "state" : "talk";
}

/** A rule or a choice is settled wherever it stands. */
function withSettledApart(sections: readonly NoteSection[]): readonly NoteSection[] {
  return sections.flatMap((section) => {
    const { heading, kind, text } = section;
    if (kind === "settled") return [section];
    const settled: string[] = [];
    const rest = text.split("\n").flatMap((line) => {
      const said = piecesOf(line).map(({ start, end }) => line.slice(start, end).trim());
      const own = said.filter((sentence) => SAYS_DECIDED.test(sentence) || findRuleSentences(sentence).length > 0);
      if (own.length === 0) return [line];
      settled.push(...own);
      const left = said.filter((sentence) => !own.includes(sentence));
      return left.length === 0 ? [] : [left.join(" ")];
    });
    if (settled.length === 0) return [section];
    return [
      { heading, kind, text: rest.join("\n") },
      { heading, kind: "settled", text: settled.join("\n") },
    ];
  });
}

function withoutKnown(text: string, known: Set<string>): string {
  const lines = text.split("\n").filter((line) => {
    const key = line.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
    return key.length < SHORTEST_REPEAT || (!known.has(key) && known.add(key));
  });
  return lines.join("\n");
}

/** A line each for what was settled and what comes next, then a line a note. */
function rendered(units: readonly NoteUnit[], chosen: Chosen): readonly string[] {
  const [settled, next, notes]: [string[], string[], string[]] = [[], [], []];
  for (const [index, unit] of units.entries()) {
    const pieces = chosen.get(index);
    if (pieces === undefined) continue;
    const { label, lead, section, text } = unit;
    const told = toldUnder(unit, pieces);
    if (section === "talk") {
      const isNamed = told.length > 0 || lead !== `[${label}]`;
      const words = (isNamed ? told : [oneLine(text, TITLE_UNITS) || TOLD_ELSEWHERE]).join(" | ");
      notes.push(`- ${[lead, words].filter(Boolean).join(lead === `[${label}]` ? " " : ": ")}`);
    } else (section === "decisions" ? settled : next).push(...told.map((words) => `- [${label}] ${words}`));
  }
  return [
    [NOTES_TITLES.settled, unsaid(units, chosen), "more in the notes", settled] as const,
    [NOTES_TITLES.next, 0, "", next] as const,
    [NOTES_TITLES.notes, unnamed(units, chosen), "notes are not listed", notes] as const,
  ].flatMap(([title, number, what, lines]) => {
    const more = number === 0 ? [] : [`(${figure(number)} ${what}.)`];
    return lines.length + more.length === 0 ? [] : [[`## ${title}`, ...more, ...lines].join("\n")];
  });
}

/** What was chosen, by heading: a heading is said with what stands under it, and what two have in common once in a line. */
function toldUnder({ text, headings, section }: NoteUnit, pieces: readonly RankedPiece[]): readonly string[] {
  let above = "";
  return headings.flatMap(({ start, words }, at) => {
    const end = headings[at + 1]?.start ?? text.length;
    const own = pieces.filter((piece) => piece.start >= start && piece.start < end);
    if (own.length === 0) return [];
    const told = joinPieces(text.slice(0, end), own, false)
      .replace(/(?<![.!?。！？…])\s*\n\s*/gu, "; ")
      .replace(/\s*\n\s*/gu, " ");
    const kind = section === "talk" ? undefined : labelKind(words);
    if (words === "" || kind === "settled" || kind === "next") return [told];
    const isBelow = section === "talk" && above !== "" && words.startsWith(above);
    const heading = isBelow ? words.slice(above.length) : words;
    above = /^.{1,80}?: /u.exec(words)?.[0] ?? "";
    return [`${heading}: ${told}`];
  });
}

function unnamed(units: readonly NoteUnit[], chosen: Chosen): number {
  return units.filter(({ stays }, index) => stays === "lead" && !chosen.has(index)).length;
}

/** Lines of choices and rules of which nothing stands there. */
function unsaid(units: readonly NoteUnit[], chosen: Chosen): number {
  let sum = 0;
  for (const [index, { section, text }] of units.entries()) {
    if (section !== "decisions") continue;
    const pieces = chosen.get(index) ?? [];
    let at = 0;
    for (const line of text.split("\n")) {
      const end = at + line.length;
      if (line.trim() !== "" && !pieces.some((piece) => piece.start <= end && piece.end > at)) sum += 1;
      at = end + 1;
    }
  }
  return sum;
}

/** The notes are cited by their labels, which take the place of a message's number. */
function askModel({ notes, maxTokens, summarizer, strategy, count, redact, signal }: NotesRequest): Promise<Summary> {
  const passages = notes.map(({ label, title, text, at }): Passage => {
    const whole = title.trim() === "" ? text : `${title}\n\n${text}`;
    return { id: label, source: "record", text: redact(whole), ...(at === undefined ? {} : { at }) };
  });
  const cap = Math.max(1, Math.floor(maxTokens * MODEL_SHARE));
  return summarizer.summarize({
    passages,
    about: "notes",
    ledger: EMPTY_LEDGER,
    strategy,
    maxTokens: cap,
    count,
    ...(signal === undefined ? {} : { signal }),
  });
}

// A note in its sections: what stands under one heading, lead-in ("Checked:") or label ("Decision: ..."). What a heading
// says of its kind holds for all below it.

interface NoteSection {
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
