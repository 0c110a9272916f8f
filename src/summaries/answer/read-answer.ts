// Reads a model's answer: takes off what stands around it, parts it at its titles, and makes a statement of each list item
// and each paragraph. What stands in no section, or in one that nobody knows, is a statement all the same.
import { toWellFormed } from "../../text/quote.ts";
import { STRATEGY_PROMPTS } from "../prompt/strategy-prompts.ts";
import { type Section, SHAPES } from "../shapes.ts";
import type { Strategy } from "../summarizer.ts";
import { actsOrChats, isAboutItself, saysNothing } from "./answer-cues.ts";
import { isTitle, sectionOfTitle } from "./section-titles.ts";
import type { ReadAnswer, Statement } from "./statement.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is removed
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g;
/** A tag alone on its line says that the answer stands between it and the next. */
const WRAPPER = /^\s{0,8}<\/?(?:summary|record|output|answer|response|result|final)>[ \t]{0,8}$/gim;
/** The tags that models think in: one opens at the beginning of a line; what follows its end is a title, if not a new line. */
const THOUGHT =
  /[<[](\/?)(?:think|thinking|thoughts?|analysis|scratchpad|reasoning|reflection)[>\]](?=(\s{0,8}(?:#|$))?)/gi;
const HEADING = /^ {0,3}#{1,6}[ \t]/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})[ \t]*([^\n`]*)$/;
const TEXT_FENCE = /^(?:markdown|md|text|txt|plaintext|summary|json)?\s*$/i;

/** The answer without thoughts, wrapping and fence. Undefined when thoughts are opened and never closed. */
export function openEnvelope(answer: string): string | undefined {
  const text = withoutThoughts(toWellFormed(answer).replace(/\r\n?/g, "\n").replace(CONTROLS, ""));
  return text === undefined ? undefined : asMarkdown(withoutFence(text.replace(WRAPPER, "")).trim());
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
  const around = [...lines.slice(0, first), ...lines.slice(last + 1)];
  const isAll = around.every((line) => line.trim() === "");
  const isAnswer = inside.some((line) => HEADING.test(line)) && !around.some((line) => HEADING.test(line));
  return isAll || isAnswer ? [...lines.slice(0, first), ...inside, ...lines.slice(last + 1)].join("\n") : text;
}

/** An object with a section a key. */
function asMarkdown(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const sections = Object.entries(JSON.parse(text) as Record<string, unknown>).map(([title, said]) => {
      const items = [said ?? []].flat().map((item) => `- ${typeof item === "string" ? item : JSON.stringify(item)}`);
      return `## ${title.replaceAll("_", " ")}\n${typeof said === "string" ? said : items.join("\n")}`;
    });
    return sections.join("\n\n");
  } catch {
    return text;
  }
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
  const hasTitles = reader.titled.size > 0;
  const examples = exampleLines();
  const statements = reader.drafts.flatMap(({ section, lines, isProse, isPreface }): Statement[] => {
    const text = lines.join("\n").trim();
    const isChat = isPreface && hasTitles && !/\[[^\]\n]{1,80}\]/.test(text) && actsOrChats(text);
    const isRemark = isProse && (isChat || isAboutItself(text));
    return text === "" || isRemark || saysNothing(text, section) || examples.has(text) ? [] : [{ section, text }];
  });
  return { statements, titled: reader.titled };
}

const ITEM = /^(?: {0,3}(?:[-*+•‣–]|\d{1,3}[.)])[ \t]{1,8}|(?=\[))/u;
const NESTED = /^(?: {2,24}|\t)[ \t]{0,12}(?:[-*+•‣–]|\d{1,3}[.)])[ \t]{1,8}/u;
/** A list item that only says what the ones below it are about. */
const HEADS_LIST = /^(?:[^[\]]{1,80}[:：]|(?:\*\*|__)[^*_[\]]{1,80}(?:\*\*|__))$/u;
const MOST_MARGIN = 12;
const MARKS_AROUND = /^[\s#*_]{1,20}|[\s#*_:：]{1,20}$/gu;

class StatementReader {
  readonly drafts: Draft[] = [];
  readonly titled = new Set<Section>();
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
    this.titled.add(section);
    this.#label = "";
    this.#margin = MOST_MARGIN;
  }

  label(line: string): void {
    this.close();
    this.#label = this.titled.size === 0 ? "" : line.replace(MARKS_AROUND, "");
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
    this.drafts.push({ section: this.#section, lines: [line], isProse, isPreface: this.titled.size === 0 });
    this.#isLabelSaid = true;
  }
}

/** It ends in a citation or a fence: what follows without indentation is another statement. */
function isComplete(line: string): boolean {
  return FENCE.test(line) || /\][.)]?$/.test(line.trimEnd());
}
