// Puts the lines of a section together to statements: list items and paragraphs, with the lines that belong to them. What
// a line is (title, label, text) is told to it.
import type { Section } from "../../shapes.ts";
import { isAboutItself } from "./answer-cues.ts";

export const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const ITEM = /^(?: {0,3}(?:[-*+•‣–]|\d{1,3}[.)])[ \t]{1,8}|(?=\[))/u;
const NESTED = /^(?: {2,24}|\t)[ \t]{0,12}(?:[-*+•‣–]|\d{1,3}[.)])[ \t]{1,8}/u;
/** A list item that only says what the ones below it are about. */
const HEADS_LIST = /^(?:[^[\]]{1,80}[:：]|(?:\*\*|__)[^*_[\]]{1,80}(?:\*\*|__))$/u;
const MOST_MARGIN = 12;
const MARKS_AROUND = /^[\s#*_]{1,20}|[\s#*_:：]{1,20}$/gu;

export interface Draft {
  readonly section: Section;
  readonly lines: string[];
  /** Stands before the first title. */
  readonly isPreface: boolean;
}

export interface StatementReader {
  /** A title of a section. */
  enter(next: Section): void;
  /** A title inside a section (`**Done:**`, `### src/a.ts`) is said with each statement below it. */
  label(line: string): void;
  /** A blank line: what follows without indentation is another statement. */
  pause(): void;
  take(line: string, isCode: boolean): void;
  statements(): readonly Draft[];
}

export function createReader(fallback: Section): StatementReader {
  const drafts: Draft[] = [];
  let section = fallback;
  let isPreface = true;
  let isOpen = false;
  let label = "";
  /** Of the list item that nested ones stand under. */
  let head = "";
  /** How far the list of this section is indented as a whole. */
  let margin = MOST_MARGIN;
  const add = (text: string) => drafts.push({ section, lines: [text.trim()], isPreface });
  /** True when the line is a statement of its own though it stands under another: it has its own citation. */
  const takeNested = (line: string, last: Draft | undefined): boolean => {
    if (last?.section !== section || !NESTED.test(line) || !isComplete(line)) return false;
    const above = last.lines.at(-1) ?? "";
    if (last.lines.length === 1 && HEADS_LIST.test(above)) {
      drafts.pop();
      head = `${above.replace(MARKS_AROUND, "")}: `;
    } else if (!isComplete(above)) return false;
    add(head + line.replace(NESTED, ""));
    return true;
  };
  return {
    enter(next) {
      section = next;
      isPreface = false;
      isOpen = false;
      label = "";
      head = "";
      margin = MOST_MARGIN;
    },
    label(line) {
      isOpen = false;
      label = isPreface ? "" : `${line.replace(MARKS_AROUND, "")}: `;
    },
    pause() {
      isOpen = false;
    },
    take(given, isCode) {
      const last = drafts.at(-1);
      const indent = given.length - given.trimStart().length;
      if (!isCode) margin = Math.min(margin, indent);
      const line = isCode ? given : given.slice(margin);
      const wasOpen = isOpen;
      isOpen = true;
      if (!isCode && takeNested(line, last)) return;
      const isIndented = /^(?: {2,}|\t)\S/.test(line);
      if (!isIndented) head = "";
      const flowsOn = wasOpen && !ITEM.test(line) && !isComplete(last?.lines.at(-1)) && !isAboutItself(line);
      if (last?.section === section && (isCode || isIndented || flowsOn)) last.lines.push(line.trimEnd());
      else add(label + line.replace(ITEM, ""));
    },
    statements: () => drafts,
  };
}

/** It ends in a citation or a fence: what follows without indentation is another statement. */
function isComplete(line = ""): boolean {
  return FENCE.test(line) || /\][.)]?$/.test(line.trimEnd());
}
