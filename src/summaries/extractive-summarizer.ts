// The default summarizer: writes the summary from the ledger alone. Deterministic, needs no model, and never longer than
// its cap.

import { runInTurns } from "../tokens/stepwise.ts";
import { writeRecord } from "./record.ts";
import type { Passage, Summarizer, Summary, SummaryRequest } from "./summarizer.ts";

export function createExtractiveSummarizer(): Summarizer {
  return { kind: "extractive", summarize: summarizeByCode };
}

async function summarizeByCode(request: SummaryRequest): Promise<Summary> {
  const { ledger, strategy, maxTokens, count } = request;
  const written = { ledger, strategy, room: maxTokens, count };
  const full = await runInTurns(writeRecord({ ...written, header: headerOf(request) }));
  // In a room for a few words what was said takes the place of the line that explains it.
  const { text, left } = full.text === "" ? await runInTurns(writeRecord({ ...written, header: [] })) : full;
  const covers = `Covers ${request.passages.length.toLocaleString("en-US")} passages.`;
  return { text: text === "" ? covers : text, source: "extractive", left };
}

/** What the text was made from, and what whoever asked for it wished. */
export function headerOf({ passages, about = "conversation", note }: SummaryRequest): readonly string[] {
  const by = (source: Passage["source"]) => passages.filter((passage) => passage.source === source).length;
  const parts = [`${by("user")} from the user`, `${by("assistant")} from the assistant`, `${by("tool")} from tools`];
  const covers = `Covers ${passages.length.toLocaleString("en-US")} passages since the last record (${parts.join(", ")}). A number in brackets names the original message; "…" marks what was left out; of two statements that differ the later one holds.`;
  return [...(about === "conversation" ? [covers] : []), ...(note ? [`Asked for with the note: ${note}`] : [])];
}
