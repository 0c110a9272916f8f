// Writes one text that stands for a set of notes, with the shared summarizers: a line a note, then what the summarizer
// makes of their facts. The ledger cites `step.message`; a note has neither, so it is cited by a step that no text will
// name, and the finished text says the note's label instead.
import { cite, type Ledger } from "../../facts/ledger.ts";
import { createPacer } from "../../tokens/turns/pacer.ts";
import type { Passage, Strategy, Summarizer, Summary } from "../summarizer.ts";
import { documentLines } from "./document/document-lines.ts";
import type { ReadDocument } from "./document/document-part.ts";
import { nextLines } from "./document/next-lines.ts";
import { readDocument } from "./document/read-document.ts";
import { standingLines } from "./document/standing-lines.ts";
import { nameLines } from "./name-lines.ts";
import { documentFacts, noteFacts } from "./note-facts.ts";
import { noteLines } from "./note-lines.ts";
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
export interface NotesSummary extends Pick<Summary, "text" | "source"> {
  /** Choices and rules of documents, and documents, that have no room in the text. */
  readonly leftOut: number;
}

const FIRST_STEP = 777;
/** Of the cap, for the choices and rules: they come before all else, but not instead of it. */
const STANDING_SHARE = 0.3;
/** The same where the cap is so small that little else has room. */
const SMALL = { tokens: 200, share: 0.7 };
/** Of the cap, for what was still to be done. */
const NEXT_SHARE = 0.12;
/** Of the cap, for names by code, where there are so many. */
const NAMES_SHARE = 0.3;
/** Of what is left, for the lines of the notes; the rest is for facts that code finds in records, or for a model's text. */
const LINES_SHARE = {
  record: { extractive: 0.75, model: 0.4 },
  document: { extractive: 1, model: 0.4 },
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
  const documents = form === "document" ? await readDocuments(notes, redact, signal) : [];
  const settled = await standingLines({
    documents,
    ledger,
    room: maxTokens * (maxTokens < SMALL.tokens ? SMALL.share : STANDING_SHARE),
    count,
    redact,
    signal,
  });
  const next = nextLines(documents, { room: maxTokens * NEXT_SHARE, count });
  const above = [settled, next].flatMap(({ lines }) => (lines.length === 0 ? [] : [lines.join("\n")])).join("\n\n");
  const names = (said: string, room: number) =>
    form === "document" ? nameLines({ notes, identifiers: ledger.identifiers, said, room, count }).join("\n") : "";
  const sizeOf = (text: string) => (text === "" ? 0 : count(text));
  const left = maxTokens - sizeOf(above) - sizeOf(names(above, maxTokens * NAMES_SHARE));
  const { kind } = summarizer;
  const told = { room: left * LINES_SHARE[form][kind], count, redact, isTelling: kind === "extractive" };
  const lines = [
    "## Notes",
    ...(form === "document"
      ? documentLines({ ...told, documents, told: [...settled.told, ...next.told] })
      : noteLines({ ...told, notes, decisions: decisionsOf(notes, ledger) })),
  ].join("\n");
  const rest = Math.floor(left - count(lines));
  const summary =
    rest < LEAST_TEXT && kind === "extractive"
      ? undefined
      : await summarizeFacts(request, {
          ledger: form === "document" ? documentFacts(ledger) : ledger,
          ...{ step, count, maxTokens: Math.max(LEAST_TEXT, rest) },
        });
  const listed = lines.split("\n").filter((line) => line.startsWith("- [")).length;
  const leftOut = settled.leftOut + (form === "document" ? notes.length - listed : 0);
  const parts = [above, lines, reword(summary?.text ?? "")].filter((part) => part !== "");
  const body = parts.join("\n\n");
  const below = names(body, maxTokens - count(body));
  return { text: below === "" ? body : `${body}\n\n${below}`, source: summary?.source ?? "extractive", leftOut };
}

function decisionsOf(notes: readonly SummarizedNote[], { decisions }: Ledger): ReadonlyMap<number, readonly string[]> {
  return new Map(
    notes.map(({ id }) => [id, decisions.filter(({ source }) => source.message === id).map(({ text }) => text)]),
  );
}

async function readDocuments(
  notes: readonly SummarizedNote[],
  redact: (text: string) => string,
  signal: AbortSignal | undefined,
): Promise<readonly ReadDocument[]> {
  const pacer = createPacer();
  const documents: ReadDocument[] = [];
  for (const note of notes) {
    signal?.throwIfAborted();
    if (pacer.isDue()) await pacer.pause();
    documents.push(readDocument(note, redact));
  }
  return documents;
}

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
