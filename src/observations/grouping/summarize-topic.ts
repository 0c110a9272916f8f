// Writes the text that stands for the notes of a topic, with the shared summarizers. The ledger cites `step.message`;
// a note has neither, so it is cited by a step that no text will name, and the finished text says `#12` instead.

import { cite } from "../../facts/ledger.ts";
import type { Passage, Strategy, Summarizer, Summary } from "../../summarizers/summarizer.ts";
import { isoTime } from "../../time.ts";
import { createdAt } from "../compaction/row-times.ts";
import type { Observation } from "../observation.ts";
import { noteFacts } from "./note-facts.ts";
import { noteLines } from "./note-lines.ts";
import { noteText } from "./stale-notes.ts";

export interface TopicSummaryRequest {
  readonly family: string;
  /** Oldest first, no two of them copies. */
  readonly notes: readonly Observation[];
  /** Copies that leave with them. */
  readonly copies: number;
  readonly summarizer: Summarizer;
  readonly strategy: Strategy;
  readonly count: (text: string) => number;
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
}

export interface TopicSummary {
  readonly title: string;
  readonly content: string;
  readonly source: Summary["source"];
}

const FIRST_STEP = 777;
/** Of the tokens of the notes. */
const SHARE = 0.45;
const LEAST_TOKENS = 250;
const MOST_TOKENS = 2500;
/** Of the cap, for the lines of the notes; the rest is for facts that code finds in them, or for a model's text. */
const LINES_SHARE = { extractive: 0.75, model: 0.4 };
/** Less is no room for a text. */
const LEAST_TEXT = 40;

/** Throws what the summarizer throws. */
export async function summarizeTopic(request: TopicSummaryRequest): Promise<TopicSummary> {
  const { notes, family, copies, summarizer, count, redact, strategy, signal } = request;
  const size = notes.reduce((sum, note) => sum + count(noteText(note)), 0);
  const cap = Math.max(LEAST_TOKENS, Math.min(MOST_TOKENS, Math.floor(size * SHARE)));
  const { kind } = summarizer;
  const room = cap * LINES_SHARE[kind];
  const step = unusedStep(notes);
  const ledger = await noteFacts(notes, step, redact);
  const decisions = new Map(
    notes.map(({ id }) => [id, ledger.decisions.filter(({ source }) => source.message === id).map(({ text }) => text)]),
  );
  const isTelling = kind === "extractive";
  const lines = ["## Notes", ...noteLines({ notes, room, count, redact, decisions, isTelling })].join("\n");
  const left = Math.floor(cap - count(lines));
  const summary =
    left < LEAST_TEXT && kind === "extractive"
      ? undefined
      : await summarizer.summarize({
          passages: notes.map((note) => passageOf(note, step, redact)),
          about: "notes",
          ledger,
          strategy,
          maxTokens: Math.max(LEAST_TEXT, left),
          count,
          ...(signal === undefined ? {} : { signal }),
        });
  const number = (notes.length + copies).toLocaleString("en-US");
  const parts = [`${spanOf(notes)} A number in brackets is the id of a note.`, lines];
  return {
    title: `Compacted ${number} notes on ${family}`,
    content: [...parts, ...(summary === undefined ? [] : [reworded(summary.text, notes, step)])].join("\n\n"),
    source: summary?.source ?? "extractive",
  };
}

function spanOf(notes: readonly Observation[]): string {
  const day = (note: Observation | undefined) => (note === undefined ? "" : isoTime(createdAt(note) ?? 0).slice(0, 10));
  const [first, last] = [day(notes[0]), day(notes.at(-1))];
  return `Stands for ${notes.length} notes ${first === last ? `of ${first}` : `from ${first} to ${last}`}.`;
}

/** A number of step that stands in no note: what carries it in the finished text was written by the summarizers. */
function unusedStep(notes: readonly Observation[]): number {
  let step = FIRST_STEP;
  while (notes.some((note) => noteText(note).includes(`${step}.`))) step++;
  return step;
}

function passageOf(note: Observation, step: number, redact: (text: string) => string): Passage {
  const at = createdAt(note);
  return {
    id: cite({ step, message: note.id }),
    source: "record",
    text: redact(noteText(note)),
    ...(at === undefined ? {} : { at: isoTime(at) }),
  };
}

/** What a text about notes calls differently than one about a conversation. */
const TITLES = new Map([
  ["Progress (the assistant's own reports)", "What they say"],
  ["Values in force", "Values"],
]);

/** Citations and titles as the readers of the store know them. */
function reworded(text: string, notes: readonly Observation[], step: number): string {
  const known = new Set(notes.map(({ id }) => id));
  return text
    .replace(new RegExp(`\\b${step}\\.(\\d{1,15})\\b`, "g"), (whole, id: string) =>
      known.has(Number(id)) ? `#${id}` : whole,
    )
    .replace(/^## (.{1,100})$/gm, (_, title: string) => `## ${TITLES.get(title) ?? title}`);
}
