// A set of records as lines: each by its title, then by its most telling sentences, as many as the room holds. What
// a sentence tells is judged by what cannot be said in other words: figures, names in code, quotes.
import { readSentences } from "../../facts/language/sentences.ts";
import { oneLine } from "../../facts/ledger-text.ts";
import type { SummarizedNote } from "./summarized-note.ts";

export interface NoteLinesRequest {
  /** Oldest first. */
  readonly notes: readonly SummarizedNote[];
  /** Tokens of all lines. */
  readonly room: number;
  readonly count: (text: string) => number;
  readonly redact: (text: string) => string;
  /** Choices that code found in the notes, by the note's id: a sentence that holds one comes first. */
  readonly decisions: ReadonlyMap<number, readonly string[]>;
  /** False: titles alone, where a model writes the rest. */
  readonly isTelling: boolean;
}

const TITLE_UNITS = 100;
const SENTENCE_UNITS = 300;
/** Of a note: what comes later is rarely what it is about, and a note may be a book. */
const MOST_SENTENCES = 40;
const MOST_UNITS = 12_000;
const HARD = /`[^`\n]{1,200}`|"[^"\n]{1,200}"|\d[\d.,:/-]{0,30}|[\p{L}\d]{1,60}[_/][\p{L}\d_./-]{1,200}|\p{Ll}\p{Lu}/gu;

/** How notes begin what others will look for: choices, causes, what was learnt, what is open. */
const LABEL =
  /^\W{0,4}(?:decid|decis|décid|entsch|elegi|reject|rule|regl|cause|causa|ursache|root|why|por ?qu|learn|aprend|fix|open|todo|决定|決定|原因)/iu;

interface NoteLine {
  readonly note: SummarizedNote;
  readonly title: string;
  /** Most telling first, with their place in the note. */
  readonly waiting: { readonly at: number; readonly text: string }[];
  readonly chosen: { readonly at: number; readonly text: string }[];
}

/** One line a note, oldest first; where the room ends, the oldest are counted only. */
export function noteLines(request: NoteLinesRequest): readonly string[] {
  const { notes, room, count } = request;
  const lines: NoteLine[] = [];
  let left = room;
  for (const note of [...notes].reverse()) {
    const line = lineOf(note, request);
    left -= count(`${rendered(line)}\n`);
    if (left < 0 && lines.length > 0) break;
    lines.unshift(line);
  }
  if (request.isTelling) fill(lines, left, count);
  const unnamed = notes.length - lines.length;
  const more = unnamed === 0 ? [] : [`(${unnamed.toLocaleString("en-US")} earlier notes are not listed.)`];
  return [...more, ...lines.map(rendered)];
}

/** In rounds, a sentence a note, so that no note takes the room of the others; the newest first, if it is scarce. */
function fill(lines: readonly NoteLine[], room: number, count: (text: string) => number): void {
  let left = room;
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const { waiting, chosen } of lines.toReversed()) {
      const next = waiting.shift();
      if (next === undefined) continue;
      isGrowing = true;
      const tokens = count(` ${next.text}`) + 1;
      if (tokens > left) continue;
      chosen.push(next);
      left -= tokens;
    }
  }
}

function lineOf(note: SummarizedNote, { redact, decisions }: NoteLinesRequest): NoteLine {
  const { id, title, text } = note;
  const named = oneLine(redact(title.trim() === "" ? text : title), TITLE_UNITS);
  const waiting = tellingSentences(redact(text.slice(0, MOST_UNITS)), named, decisions.get(id) ?? []);
  return { note, title: named, waiting, chosen: [] };
}

function tellingSentences(text: string, title: string, decisions: readonly string[]): { at: number; text: string }[] {
  const sentences = readSentences(text)
    .slice(0, MOST_SENTENCES)
    .map(({ text }, at) => ({ at, text: oneLine(text, SENTENCE_UNITS) }))
    .filter(({ text }) => text !== "" && text !== title);
  // Hard things a length, where a long sentence may hold more; the opening says what the note is about.
  const worth = ({ at, text }: (typeof sentences)[number]) =>
    ((text.match(HARD)?.length ?? 0) +
      (at === 0 ? 1.5 : 0.5) +
      (isAmong(text, decisions) || LABEL.test(text) ? 3 : 0)) /
    Math.sqrt(text.length + 40);
  return sentences.toSorted((a, b) => worth(b) - worth(a) || a.at - b.at);
}

function isAmong(sentence: string, texts: readonly string[]): boolean {
  return texts.some((text) => text.includes(sentence) || sentence.includes(text));
}

function rendered({ note, title, chosen }: NoteLine): string {
  const told = chosen
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join(" ");
  return `- [${note.label}] ${title}${told === "" ? "" : `: ${told}`}`;
}
