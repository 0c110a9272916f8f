// Writes one text that stands for a set of notes: what they settled, what was to be done next, then a line a note, its
// title first. Sections of all notes are ranked together, so each has as much of the room as it is worth. With a model
// its text comes first, and the lines say what it does not.
import { EMPTY_LEDGER } from "../facts/ledger.ts";
import { findRuleSentences } from "../facts/rules.ts";
import { type HeadingKind, labelKind, SAYS_DECIDED, says } from "../language/words.ts";
import { figure } from "../text/figures.ts";
import { oneLine } from "../text/quote.ts";
import { piecesOf } from "../text/words.ts";
import { runInTurns } from "../tokens/stepwise.ts";
import { type NoteSection, sectionsOf } from "./note-sections.ts";
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
const DENIED = 6;
const SENTENCE_UNITS = 400;
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
  const ranked = await runInTurns(rankPieces(units, ({ worth }) => worth, count));
  const pieces = ranked.filter(({ unit, start, end }) => !isNameAlone(units[unit] as NoteUnit, start, end));
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
  const shared = sharedBeginning(notes.map(({ title }) => title));
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
      lead: `[${label}] ${oneLine(redact(title).slice(shared), TITLE_UNITS)}`.trim(),
      stays: "lead",
    };
    return [...[settled, next].filter((unit) => unit.text !== ""), named];
  });
  return units.reverse().flat();
}

const FEWEST_TITLES = 4;
const SHORTEST_REST = 4;

/** Units of the two words and more that all titles begin with: told in every line they would say nothing. */
function sharedBeginning([first = "", ...others]: readonly string[]): number {
  if (others.length + 1 < FEWEST_TITLES) return 0;
  const isShared = (words: string) =>
    [first, ...others].every((title) => title.startsWith(words) && title.length >= words.length + SHORTEST_REST);
  const starts = [...first.matchAll(/ /gu)].slice(1).map(({ index }) => index + 1);
  return starts.findLast((end) => isShared(first.slice(0, end))) ?? 0;
}

/** A path or a name on a line of its own says nothing, where the note says more. */
function isNameAlone({ text, section }: NoteUnit, start: number, end: number): boolean {
  const said = text.slice(start, end).trim();
  return section === "talk" && said !== text.trim() && /^[\x21-\x7e]+$/u.test(said) && /[/\\._]/u.test(said);
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
    const [sentence = ""] = /[^\n]+?(?:[.!?。](?=\s|$)|$)/u.exec(text.slice(start, start + SENTENCE_UNITS)) ?? [];
    // Somebody's own words; and what is not so, or is not to be done.
    return { tokens, factor: says(sentence, "denies") ? DENIED : text[start] === ">" ? TELLING : factor };
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
  const forms = formsOf(units);
  for (const [index, unit] of units.entries()) {
    const pieces = chosen.get(index);
    if (pieces === undefined) continue;
    const { label, lead, section, text } = unit;
    const told = toldUnder(unit, pieces, forms);
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
function toldUnder(
  { text, headings, section }: NoteUnit,
  pieces: readonly RankedPiece[],
  forms: ReadonlySet<string>,
): readonly string[] {
  let above = "";
  return headings.flatMap(({ start, words }, at) => {
    const end = headings[at + 1]?.start ?? text.length;
    const own = pieces.filter((piece) => piece.start >= start && piece.start < end);
    if (own.length === 0) return [];
    const told = joinPieces(text.slice(0, end), own, false)
      .replace(/(?<![.!?。！？…])\s*\n\s*/gu, "; ")
      .replace(/\s*\n\s*/gu, " ");
    const kind = section === "talk" ? undefined : labelKind(words);
    // What a note begins with is what it is about: the label that the form of all puts there says nothing.
    const isForm = section === "talk" && at === 0 && forms.has(words);
    if (words === "" || isForm || kind === "settled" || kind === "next") return [told];
    const isBelow = section === "talk" && above !== "" && words.startsWith(above);
    const heading = isBelow ? words.slice(above.length) : words;
    above = /^.{1,80}?: /u.exec(words)?.[0] ?? "";
    return [`${heading}: ${told}`];
  });
}

/** Headings with which most notes begin. */
function formsOf(units: readonly NoteUnit[]): ReadonlySet<string> {
  const openings = units.flatMap(({ section, headings: [first] }) =>
    section === "talk" && first !== undefined ? [first.words] : [],
  );
  return new Set(openings.filter((words) => openings.filter((other) => other === words).length * 2 > openings.length));
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
