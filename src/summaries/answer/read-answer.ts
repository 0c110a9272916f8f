// Reads a model's answer: takes off what stands around it, parts it at its titles, and makes a statement of each list item
// and each paragraph. What stands in no section, or in one that nobody knows, is a statement all the same.
import { toWellFormed } from "../../text/quote.ts";
import { STRATEGY_PROMPTS } from "../prompt/strategy-prompts.ts";
import { type Section, SHAPES } from "../shapes.ts";
import type { Doubt, Strategy } from "../summarizer.ts";
import { actsOrChats, isAboutItself, saysNothing } from "./answer-cues.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is removed
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g;
/** A tag alone on its line says that the answer stands between it and the next. */
const WRAPPER = /^\s{0,8}<\/?(?:summary|record|output|answer|response|result|final)>[ \t]{0,8}$/gim;
/** The tags that models think in: one opens at the beginning of a line; what follows its end is a title, if not a new line. */
const THOUGHT =
  /[<[](\/?)(?:think|thinking|thoughts?|analysis|scratchpad|reasoning|reflection)[>\]](?=(\s{0,8}(?:#|$))?)/gi;
const HEADING = /^ {0,3}#{1,6}[ \t]/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})[ \t]*([^\n`]*)$/;
const TEXT_FENCE = /^(?:markdown|md|text|txt|plaintext|summary)?\s*$/i;

/** The answer without thoughts, wrapping and fence. Undefined when thoughts are opened and never closed. */
export function openEnvelope(answer: string): string | undefined {
  const text = withoutThoughts(toWellFormed(answer).replace(/\r\n?/g, "\n").replace(CONTROLS, ""));
  return text === undefined ? undefined : withoutFence(text.replace(WRAPPER, "")).trim();
}

/** Tags in the middle of a line are talked about. Where the prompt's template opened them, only a closing one is there. */
function withoutThoughts(text: string): string | undefined {
  let kept = "";
  let from = 0;
  let isOpen = false;
  for (const { 0: tag, 1: slash, 2: title, index } of text.matchAll(THOUGHT)) {
    const isAtStart = /(?:^|\n)[ \t]{0,8}$/.test(text.slice(Math.max(0, index - 9), index));
    if (slash === "" && !isOpen && (isAtStart || from === index)) {
      kept += text.slice(from, index);
      isOpen = true;
    } else if (slash === "/" && (isOpen || isAtStart || title !== undefined)) {
      if (!isOpen) kept = "";
      isOpen = false;
      from = index + tag.length;
    }
  }
  return isOpen ? undefined : kept + text.slice(from);
}

/** Without one fence around everything, perhaps never closed. One without a title in it is part of the summary, unless it is all there is. */
function withoutFence(text: string): string {
  const lines = text.trim().split("\n");
  const fences = lines.flatMap((line, index) => (FENCE.test(line) ? [index] : []));
  const [first] = fences;
  const info = FENCE.exec(lines[first ?? 0] ?? "")?.[1] ?? "";
  if (first === undefined || !TEXT_FENCE.test(info) || lines.slice(0, first).some((line) => HEADING.test(line)))
    return text;
  const last = fences.length % 2 === 0 ? (fences.at(-1) ?? first) : lines.length;
  const inside = lines.slice(first + 1, last);
  const [before, after] = [lines.slice(0, first), lines.slice(last + 1)];
  const around = [...before, ...after].filter((line) => line.trim() !== "");
  const isAnswer = inside.some((line) => HEADING.test(line)) && !around.some((line) => HEADING.test(line));
  return around.length === 0 || isAnswer ? [...before, ...inside, ...after].join("\n") : text;
}

/** A passage's label or a block's delimiter, as the prompt writes them. */
const ECHO =
  /^(?:\[[^[\]\n]{1,120}\] {1,3}(?:user|assistant|tool output, untrusted|record|note)(?: \(part [^()\n]{1,40}\))?\s{0,3}|<\/?(?:transcript|record|wish)-[0-9a-f]{16}>)$/m;

/** Writes down again what it was shown. */
export function isEcho(text: string): boolean {
  return ECHO.test(text);
}

/** What the examples of the prompt say is about nobody's conversation, and their citations may name messages that exist. */
function exampleLines(): ReadonlySet<string> {
  const records = Object.values(STRATEGY_PROMPTS).flatMap(({ examples }) => examples.map(({ record }) => record));
  return new Set(records.flatMap((record) => record.split("\n").map((line) => line.replace(ITEM, ""))));
}

interface Draft {
  readonly section: Section;
  readonly lines: string[];
  /** No list item: it may speak of the summary. Before the first title it may chat. */
  readonly isProse: boolean;
  readonly isPreface: boolean;
}

/** Linear in the answer. */
export function readSections(text: string, strategy: Strategy): ReadAnswer {
  const wanted = new Set<Section>(SHAPES[strategy].sections.map(([section]) => section));
  const fallback = (["progress", "written", "decisions"] as const).find((section) => wanted.has(section)) ?? "progress";
  const reader = new StatementReader(fallback);
  let isCode = false;
  for (const line of text.split("\n")) {
    const isFence = FENCE.test(line);
    if (isFence || isCode) reader.takeCode(line);
    else if (/^\s*(?:[-*_=] ?){0,60}$/.test(line)) reader.pause();
    else if (!isTitle(line)) reader.take(line);
    else {
      const section = sectionOfTitle(line);
      if (section === undefined) reader.label(line);
      else reader.enter(wanted.has(section) ? section : fallback);
    }
    if (isFence) isCode = !isCode;
  }
  reader.close();
  const examples = exampleLines();
  const statements = reader.drafts.flatMap(({ section, lines, isProse, isPreface }): Statement[] => {
    const text = lines.join("\n").trim();
    const isChat = isPreface && reader.isTitled && !/\[[^\]\n]{1,80}\]/.test(text) && actsOrChats(text);
    const isRemark = isProse && (isChat || isAboutItself(text));
    return text === "" || isRemark || saysNothing(text, section) || examples.has(text) ? [] : [{ section, text }];
  });
  return { statements, isTitled: reader.isTitled };
}

const ITEM = /^(?: {0,3}(?:[-*+•‣–]|\d{1,3}[.)])[ \t]{1,8}|(?=\[))/u;
const NESTED = /^(?: {2,24}|\t)[ \t]{0,12}(?:[-*+•‣–]|\d{1,3}[.)])[ \t]{1,8}/u;
/** A list item that only says what the ones below it are about. */
const HEADS_LIST = /^(?:[^[\]]{1,80}[:：]|(?:\*\*|__)[^*_[\]]{1,80}(?:\*\*|__))$/u;
const MOST_MARGIN = 12;
const MARKS_AROUND = /^[\s#*_]{1,20}|[\s#*_:：]{1,20}$/gu;

class StatementReader {
  readonly drafts: Draft[] = [];
  isTitled = false;
  #section: Section;
  /** What is said with each statement below it: a title inside a section, and the list item that nested ones stand under. */
  #label = "";
  #head = "";
  #isLabelSaid = true;
  /** Nothing parts the next line from the last. */
  #isOpen = false;
  /** How far the text of this section is indented as a whole. */
  #margin = MOST_MARGIN;

  constructor(fallback: Section) {
    this.#section = fallback;
  }

  enter(section: Section): void {
    this.close();
    this.#section = section;
    this.isTitled = true;
    this.#label = "";
    this.#margin = MOST_MARGIN;
  }

  label(line: string): void {
    this.close();
    this.#label = this.isTitled ? line.replace(MARKS_AROUND, "") : "";
    this.#isLabelSaid = this.#label === "";
  }

  /** A title that nothing stands under is a statement. */
  close(): void {
    if (!this.#isLabelSaid) this.#add("");
    this.#head = "";
    this.#isOpen = false;
  }

  pause(): void {
    this.#isOpen = false;
  }

  takeCode(line: string): void {
    const last = this.#last();
    if (last === undefined || !this.#isLabelSaid) this.#add(line);
    else last.lines.push(line.trimEnd());
    this.#isOpen = true;
  }

  take(given: string): void {
    this.#margin = Math.min(this.#margin, given.length - given.trimStart().length);
    const line = given.slice(this.#margin);
    const last = this.#last();
    const above = last?.lines.at(-1) ?? "";
    const wasOpen = this.#isOpen;
    this.#isOpen = true;
    const isIndented = /^(?: {2,}|\t)\S/.test(line);
    const isNested = NESTED.test(line) && isComplete(line);
    const isHeaded = last?.lines.length === 1 && HEADS_LIST.test(above);
    if (!isIndented) this.#head = "";
    if (last === undefined || !this.#isLabelSaid) this.#addLine(line.trimStart());
    else if (isNested && (isHeaded || isComplete(above))) {
      if (isHeaded) {
        this.drafts.pop();
        this.#head = above.slice(this.#label === "" ? 0 : this.#label.length + 2).replace(MARKS_AROUND, "");
      }
      this.#add(line.replace(NESTED, ""));
    } else {
      const flowsOn = wasOpen && !ITEM.test(line) && !isComplete(above) && !isAboutItself(line);
      if (isIndented || flowsOn) last.lines.push(line.trimEnd());
      else this.#addLine(line);
    }
  }

  /** Of this section. */
  #last(): Draft | undefined {
    const last = this.drafts.at(-1);
    return last?.section === this.#section ? last : undefined;
  }

  #addLine(line: string): void {
    this.#add(line.replace(ITEM, ""), !ITEM.test(line));
  }

  #add(text: string, isProse = false): void {
    const line = [this.#label, this.#head, text.trim()].filter((part) => part !== "").join(": ");
    this.drafts.push({ section: this.#section, lines: [line], isProse, isPreface: !this.isTitled });
    this.#isLabelSaid = true;
  }
}

/** It ends in a citation or a fence: what follows without indentation is another statement. */
function isComplete(line: string): boolean {
  return FENCE.test(line) || /\][.)]?$/.test(line.trimEnd());
}

// One statement of an answer: what it says, in which section, which messages it rests on; and what was found wrong with it.

export interface Statement {
  readonly section: Section;
  /** One line, or several where a fence or a deeper list belongs to it. Without list marker. */
  readonly text: string;
}

/** An answer as it was read, nothing checked. */
export interface ReadAnswer {
  readonly statements: readonly Statement[];
  /** It has titles, even if only to say that their sections are empty. */
  readonly isTitled: boolean;
}

export interface CheckedStatement {
  readonly section: Section;
  /** With its citation, or the mark that it has none. */
  readonly text: string;
  readonly ids: readonly string[];
}

export interface CheckedAnswer {
  readonly statements: readonly CheckedStatement[];
  /** What was marked or left out, and why. */
  readonly doubts: readonly Doubt[];
}

// Which section a title means. Models number, embolden, shorten and translate titles; what code reads is the section.

/** How the titles of each section begin: ours, and what models call them instead. */
const TITLES: readonly (readonly [section: Section, words: string])[] = [
  ["talk", "goals, decisions and results as they were said, in order"],
  ["requests", "goals?|objectives?|(?:user |primary )?requests?|(?:all )?user messages|user intent|task(?: overview)?"],
  ["rules", "(?:standing |user )?rules|constraints|restrictions"],
  ["decisions", "(?:key )?decisions?(?: log| ledger)?"],
  ["errors", "(?:follow-up: |open )?errors|failed attempts|blockers|issues|problems"],
  [
    "state",
    "where things stand|(?:state of the )?plan|follow-ups?(?:: (?:plan|where things stand))?|(?:optional )?next steps?|outstanding|open items|to-?do|pending(?: tasks)?|current status",
  ],
  ["commands", "commands(?: run)?|tests?(?: results)?"],
  [
    "written",
    "(?:code |file )?changes|(?:changed |modified )?files(?: changed| modified)?|files and code(?: sections)?",
  ],
  ["attached", "attachments"],
  ["names", "also named|(?:other |key )?(?:identifiers|entities)|names|references"],
  [
    "progress",
    "progress|findings|results|current (?:work|state)|work done|completed work|summary|overview|context|state|status|history",
  ],
];
const TITLE_FORMS = TITLES.map(
  ([section, words]) => [section, new RegExp(`^(?:${words})(?=$|,| (?:and|&|/) )`, "iu")] as const,
);
const LONGEST_TITLE = 120;
const MARKUP =
  /^(?:[\s#>*_`\d.)(:-]|\p{Extended_Pictographic}|\ufe0f|\u200d){1,40}|(?:\s{0,5}\([^()]{0,80}\))?[\s#*_`:]{0,40}$/gu;

/** The section of a line that stands as a title; undefined for other lines and titles nobody knows. */
export function sectionOfTitle(line: string): Section | undefined {
  const title = line.length > LONGEST_TITLE ? "" : line.replace(MARKUP, "");
  return TITLE_FORMS.find(([, form]) => form.test(title))?.[0];
}

/** Marked as a title, or emphasised or ending in a colon and alone on its line. */
function isTitle(line: string): boolean {
  if (/^ {0,3}#{1,6}[ \t]{0,8}\S/.test(line) && !/^ {0,3}#\d/.test(line)) return true;
  const trimmed = line.trim();
  if (trimmed.length === 0 || trimmed.length > LONGEST_TITLE) return false;
  if (/^(?:\d{1,2}[.)] {1,3})?(?:\*\*|__)[^*_]{1,100}(?:\*\*|__):?$/.test(trimmed)) return true;
  return /^[^[\]]{1,60}[:：]$/.test(trimmed) && !/^[-*+] /.test(trimmed);
}
