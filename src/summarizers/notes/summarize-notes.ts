// Writes one text that stands for a set of notes, with the shared summarizers: a line a note, then what the summarizer
// makes of their facts. The ledger cites `step.message`; a note has neither, so it is cited by a step that no text will
// name, and the finished text says the note's label instead.
import { cite, type Ledger } from "../../facts/ledger.ts";
import type { Passage, Strategy, Summarizer, Summary } from "../summarizer.ts";
import { nameLines } from "./name-lines.ts";
import { documentFacts, noteFacts } from "./note-facts.ts";
import { noteLines } from "./note-lines.ts";
import { type Standing, standingLines } from "./standing-lines.ts";
import { type NoteForm, noteText, type SummarizedNote } from "./summarized-note.ts";

export interface NotesRequest {
  /** Oldest first, no two of them copies. */
  readonly notes: readonly SummarizedNote[];
  /** What the text is aimed at; a line of titles for each note may take it a little above. */
  readonly maxTokens: number;
  /** Default `record`. */
  readonly form?: NoteForm;
  readonly summarizer: Summarizer;
  readonly strategy: Strategy;
  readonly count: (text: string) => number;
  /** Applied to all that leaves a note. */
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
}

/** Sections under headings of level 2, by line; without a title, without a blank line around it. */
export type NotesSummary = Pick<Summary, "text" | "source">;

const FIRST_STEP = 777;
/** Of the cap, for the choices and rules: they come before all else, but not instead of it. */
const STANDING_SHARE = 0.5;
/** Of the cap, for names by code, where there are so many. */
const NAMES_SHARE = 0.3;
/** Of what is left, for the lines of the notes; the rest is for facts that code finds in them, or for a model's text. */
const LINES_SHARE = {
  record: { extractive: 0.75, model: 0.4 },
  document: { extractive: 0.85, model: 0.4 },
};
/** Less is no room for a text. */
const LEAST_TEXT = 40;

/** Throws what the summarizer throws, and the signal's reason. */
export async function summarizeNotes(request: NotesRequest): Promise<NotesSummary> {
  const { notes, maxTokens, form = "record", redact, summarizer, signal } = request;
  const step = unusedStep(notes);
  const reword = rewording(notes, step);
  const count = countAsRead(request, step, reword);
  const ledger = await noteFacts(notes, step, redact, signal);
  const standing =
    form === "document"
      ? await standingLines({ notes, ledger, room: maxTokens * STANDING_SHARE, count, redact, signal })
      : NONE_APART;
  const above = standing.lines.join("\n");
  const names = (said: string, room: number) =>
    form === "document" ? nameLines({ notes, identifiers: ledger.identifiers, said, room, count }).join("\n") : "";
  const sizeOf = (text: string) => (text === "" ? 0 : count(text));
  const left = maxTokens - sizeOf(above) - sizeOf(names(above, maxTokens * NAMES_SHARE));
  const { kind } = summarizer;
  const lines = [
    "## Notes",
    ...noteLines({
      ...{ notes, form, count, redact, told: standing.told, isTelling: kind === "extractive" },
      room: left * LINES_SHARE[form][kind],
      decisions: decisionsOf(notes, ledger),
    }),
  ].join("\n");
  const rest = Math.floor(left - count(lines));
  const summary =
    rest < LEAST_TEXT && kind === "extractive"
      ? undefined
      : await summarizeFacts(request, {
          ledger: form === "document" ? documentFacts(ledger) : ledger,
          ...{ step, count, maxTokens: Math.max(LEAST_TEXT, rest) },
        });
  const parts = [above, lines, reword(summary?.text ?? "")].filter((part) => part !== "");
  const body = parts.join("\n\n");
  const below = names(body, maxTokens - count(body));
  return { text: below === "" ? body : `${body}\n\n${below}`, source: summary?.source ?? "extractive" };
}

function decisionsOf(notes: readonly SummarizedNote[], { decisions }: Ledger): ReadonlyMap<number, readonly string[]> {
  return new Map(
    notes.map(({ id }) => [id, decisions.filter(({ source }) => source.message === id).map(({ text }) => text)]),
  );
}

const NONE_APART: Standing = { lines: [], told: [] };

function summarizeFacts(
  { notes, summarizer, strategy, redact, signal }: NotesRequest,
  { step, ...rest }: { ledger: Ledger; step: number; maxTokens: number; count: (text: string) => number },
): Promise<Summary> {
  return summarizer.summarize({
    passages: notes.map((note) => passageOf(note, step, redact)),
    about: "notes",
    strategy,
    ...rest,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A number of step that stands in no note: what carries it in the finished text was written by the summarizers. */
function unusedStep(notes: readonly SummarizedNote[]): number {
  let step = FIRST_STEP;
  while (notes.some((note) => noteText(note).includes(`${step}.`))) step++;
  return step;
}

function passageOf(note: SummarizedNote, step: number, redact: (text: string) => string): Passage {
  const { id, at } = note;
  return {
    id: cite({ step, message: id }),
    source: "record",
    text: redact(noteText(note)),
    ...(at === undefined ? {} : { at }),
  };
}

/** What a text about notes calls differently than one about a conversation. */
const TITLES = new Map([
  ["Progress (the assistant's own reports)", "What they say"],
  ["Values in force", "Values"],
]);

/** Citations and titles as the readers of the notes know them. */
function rewording(notes: readonly SummarizedNote[], step: number): (text: string) => string {
  const labels = new Map(notes.map(({ id, label }) => [String(id), label]));
  const cited = new RegExp(`\\b${step}\\.(\\d{1,15})\\b`, "g");
  return (text) =>
    text
      .replace(cited, (whole, id: string) => labels.get(id) ?? whole)
      .replace(/^## (.{1,100})$/gm, (_, title: string) => `## ${TITLES.get(title) ?? title}`);
}

/** A label that is longer than the citation it stands for takes room, too. */
function countAsRead(
  { notes, count }: NotesRequest,
  step: number,
  reword: (text: string) => string,
): (text: string) => number {
  const isLonger = notes.some(({ id, label }) => label.length > cite({ step, message: id }).length);
  return isLonger ? (text) => count(reword(text)) : count;
}
