// The text that stands for the notes of a topic: how large it may be, and what it says of itself. Written by the shared
// summarizers.
import { type SummarizedNote, summarizeNotes } from "../../summaries/notes.ts";
import type { Strategy, Summarizer, Summary } from "../../summaries/summarizer.ts";
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

/** Of the tokens of the notes. */
const SHARE = 0.45;
const LEAST_TOKENS = 250;
const MOST_TOKENS = 2500;

/** Throws what the summarizer throws. */
export async function summarizeTopic(request: TopicSummaryRequest): Promise<TopicSummary> {
  const { notes, family, copies, summarizer, count, redact, strategy, signal } = request;
  const size = notes.reduce((sum, note) => sum + count(noteText(note)), 0);
  const maxTokens = Math.max(LEAST_TOKENS, Math.min(MOST_TOKENS, Math.floor(size * SHARE)));
  const summarized = notes.map(summarizedNote);
  const { text, source } = await summarizeNotes({
    notes: summarized,
    maxTokens,
    summarizer,
    strategy,
    count,
    redact,
    signal,
  });
  const number = (notes.length + copies).toLocaleString("en-US");
  return {
    title: `Compacted ${number} notes on ${family}`,
    content: `${spanOf(notes)} A number in brackets is the id of a note.\n\n${text}`,
    source,
  };
}

function summarizedNote(row: Observation): SummarizedNote {
  const { id, title, content } = row;
  const at = createdAt(row);
  return { id, label: `#${id}`, title, text: content, ...(at === undefined ? {} : { at: isoTime(at) }) };
}

function spanOf(notes: readonly Observation[]): string {
  const day = (note: Observation | undefined) => (note === undefined ? "" : isoTime(createdAt(note) ?? 0).slice(0, 10));
  const [first, last] = [day(notes[0]), day(notes.at(-1))];
  return `Stands for ${notes.length} notes ${first === last ? `of ${first}` : `from ${first} to ${last}`}.`;
}
