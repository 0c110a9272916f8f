// Writes the text that stands for the notes of a topic, with the shared summarizers. The ledger cites `step.message`;
// a note has neither, so it is cited by a step that no text will name, and the finished text says `#12` instead.

import { extractFactsInTurns } from "../../facts/extract-facts.ts";
import type { FactInput } from "../../facts/fact-message.ts";
import { cite } from "../../facts/ledger.ts";
import { oneLine } from "../../facts/ledger-text.ts";
import type { Passage, Strategy, Summarizer, Summary } from "../../summarizers/summarizer.ts";
import { isoTime } from "../../time.ts";
import { createdAt } from "../compaction/row-times.ts";
import type { Observation } from "../observation.ts";
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

/** A number of step that stands in no note: what carries it was written by the summarizers. */
const STEP = 777;
const SHARE = 1 / 3;
const LEAST_TOKENS = 200;
const MOST_TOKENS = 1500;
/** Of the cap, for the list of titles: what each note was about outlives any choice among their facts. */
const TITLES_SHARE = 0.45;
const TITLE_UNITS = 100;

/** Throws what the summarizer throws. */
export async function summarizeTopic(request: TopicSummaryRequest): Promise<TopicSummary> {
  const { notes, family, copies, count, redact, strategy, signal } = request;
  const size = notes.reduce((sum, note) => sum + count(noteText(note)), 0);
  const cap = Math.max(LEAST_TOKENS, Math.min(MOST_TOKENS, Math.floor(size * SHARE)));
  const titles = listTitles(notes, cap * TITLES_SHARE, request);
  const summary = await request.summarizer.summarize({
    passages: notes.map((note) => passageOf(note, redact)),
    about: "notes",
    ledger: await extractFactsInTurns(notes.map(factInput), redact),
    strategy,
    maxTokens: cap - count(titles),
    count,
    ...(signal === undefined ? {} : { signal }),
  });
  const number = (notes.length + copies).toLocaleString("en-US");
  return {
    title: `Compacted ${number} notes on ${family}`,
    content: [`${spanOf(notes)} A number in brackets is the id of a note.`, titles, reworded(summary.text, notes)].join(
      "\n\n",
    ),
    source: summary.source,
  };
}

/** One line a note, oldest first; where the room ends, the oldest are counted only. */
function listTitles(
  notes: readonly Observation[],
  room: number,
  { count, redact }: Pick<TopicSummaryRequest, "count" | "redact">,
): string {
  const lines: string[] = [];
  let left = room;
  for (const { id, title, content } of [...notes].reverse()) {
    const line = `- [#${id}] ${oneLine(redact(title.trim() === "" ? content : title), TITLE_UNITS)}`;
    left -= count(`${line}\n`);
    if (left < 0 && lines.length > 0) break;
    lines.unshift(line);
  }
  const unnamed = notes.length - lines.length;
  const more = unnamed === 0 ? [] : [`(${unnamed.toLocaleString("en-US")} earlier notes are not listed.)`];
  return ["## Titles", ...more, ...lines].join("\n");
}

function spanOf(notes: readonly Observation[]): string {
  const day = (note: Observation | undefined) => (note === undefined ? "" : isoTime(createdAt(note) ?? 0).slice(0, 10));
  const [first, last] = [day(notes[0]), day(notes.at(-1))];
  return `Stands for ${notes.length} notes ${first === last ? `of ${first}` : `from ${first} to ${last}`}.`;
}

/** Notes are an agent's own words: nothing in them is a user's wish or a tool's finding. */
function factInput(note: Observation): FactInput {
  return {
    view: {
      role: "assistant",
      parts: [{ kind: "text", text: note.content }],
      isProtected: false,
      isIrreplaceable: false,
      joinsNext: false,
    },
    source: { step: STEP, message: note.id },
  };
}

function passageOf(note: Observation, redact: (text: string) => string): Passage {
  const at = createdAt(note);
  return {
    id: cite({ step: STEP, message: note.id }),
    source: "record",
    text: redact(noteText(note)),
    ...(at === undefined ? {} : { at: isoTime(at) }),
  };
}

/** Citations as the store's readers know them; reports of an assistant are what the notes say. */
function reworded(text: string, notes: readonly Observation[]): string {
  const known = new Set(notes.map(({ id }) => id));
  return text
    .replace(new RegExp(`\\b${STEP}\\.(\\d{1,15})\\b`, "g"), (whole, id: string) =>
      known.has(Number(id)) ? `#${id}` : whole,
    )
    .replace(/^## Progress \(the assistant's own reports\)$/m, "## What they say");
}
