// Writes one text that stands for a set of notes: a line a note, its title first, then as much of it as the room holds,
// ranked like everything else. With a model its text comes first, and the lines say what it does not.
import { findRuleSentences } from "../facts/kinds/rules.ts";
import { EMPTY_LEDGER } from "../facts/ledger.ts";
import { oneLine } from "../text/quote.ts";
import { runInTurns } from "../tokens/turns/stepwise.ts";
import { fillRoom, joinPieces } from "./record.ts";
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
export interface NotesSummary extends Pick<Summary, "text" | "source"> {
  /** Notes that are not named in the text. */
  readonly leftOut: number;
}

/** Of the cap, what a model is asked for. */
const MODEL_SHARE = 0.5;
const TITLE_UNITS = 100;
/** Of a note: what comes later is rarely what it is about, and a note may be a book. */
const MOST_UNITS = 12_000;
/** A note is worth 1; one that holds a rule more. */
const RULE_WORTH = 1.5;

/** Throws what the summarizer throws, and the signal's reason. */
export async function summarizeNotes(request: NotesRequest): Promise<NotesSummary> {
  const { notes, maxTokens, count, summarizer, signal } = request;
  signal?.throwIfAborted();
  const told = summarizer.kind === "model" ? await askModel(request) : undefined;
  const units = notes.map((note, index) => unitOf(note, index, request));
  const header = told === undefined ? [] : [told.text, ""];
  const { text, chosen } = await runInTurns(
    fillRoom(units, {
      room: maxTokens,
      count,
      beside: told?.text ?? "",
      leadsShare: 1,
      worthOf: ({ worth }) => worth,
      render: (picked) => {
        const lines = units.flatMap(({ lead, text }, index) => {
          const pieces = picked.get(index);
          if (pieces === undefined) return [];
          const words = joinPieces(text, pieces).replace(/\s*\n\s*/gu, "; ");
          return [`- ${lead}${words === "" ? "" : `: ${words}`}`];
        });
        const unnamed = units.length - lines.length;
        const more = unnamed === 0 ? [] : [`(${unnamed.toLocaleString("en-US")} notes are not listed.)`];
        return [...header, "## Notes", ...more, ...lines].join("\n");
      },
    }),
  );
  signal?.throwIfAborted();
  return { text, source: told?.source ?? "extractive", leftOut: units.length - chosen.size };
}

function unitOf({ label, title, text }: SummarizedNote, index: number, { redact }: NotesRequest): Unit {
  const read = redact(text.slice(0, MOST_UNITS));
  const named = oneLine(redact(title.trim() === "" ? text : title), TITLE_UNITS);
  return {
    section: "talk",
    author: "assistant",
    source: { step: 1, message: index + 1 },
    lead: `[${label}] ${named}`,
    text: title.trim() === "" && read.length <= TITLE_UNITS ? "" : read,
    worth: findRuleSentences(read).length > 0 ? RULE_WORTH : 1,
    stays: "lead",
  };
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
