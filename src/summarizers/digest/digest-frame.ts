// How the text of a digest speaks of what it was made from.
import type { Passage, SummaryRequest } from "../summarizer.ts";

/** Lines that open the text. */
export function describeMaterial(request: SummaryRequest): readonly string[] {
  return FRAMES[request.about ?? "conversation"].describe(request);
}

/** Where the facts are that found no room. */
export function elsewhere(omitted: number, { about = "conversation" }: SummaryRequest): string {
  return `\n(${FRAMES[about].elsewhere(omitted.toLocaleString("en-US"))})`;
}

const FRAMES = {
  conversation: {
    describe: (request: SummaryRequest) => [describePassages(request)],
    elsewhere: (count: string) => `${count} further facts found no room here; look into the originals before guessing.`,
  },
  notes: {
    describe: () => [],
    elsewhere: (count: string) => `${count} further facts are in the notes only: read them by id before guessing.`,
  },
  decisions: {
    describe: () => [],
    elsewhere: (count: string) => `${count} further facts are in the records only: read them by id before guessing.`,
  },
} as const;

/** What is covered is told where it costs no fact. */
function describePassages({ passages, maxTokens, goal }: SummaryRequest): string {
  if (goal !== undefined && goal.tokens < maxTokens) return "A number in brackets names the original message.";
  const by = (source: Passage["source"]) => passages.filter((passage) => passage.source === source).length;
  const parts = [`${by("user")} from the user`, `${by("assistant")} from the assistant`, `${by("tool")} from tools`];
  const count = passages.length.toLocaleString("en-US");
  return `Covers ${count} passages since the last record (${parts.join(", ")}). A number in brackets names the original message.`;
}
