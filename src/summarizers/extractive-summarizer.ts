// The default summarizer: writes the summary from the ledger alone. Deterministic, needs no model, and never
// longer than its cap: as the cap shrinks, whole lines go, least valuable first, and the text says how many.
import { CompactError } from "../errors.ts";
import { type DigestLine, digestLines, SECTIONS } from "./digest-lines.ts";
import type { Passage, Strategy, Summarizer, Summary, SummaryRequest } from "./summarizer.ts";

/** Strategies whose texts are written; the others need facts that the ledger does not hold yet. */
const WRITTEN: readonly Strategy[] = ["task_state", "brief"];

export function createExtractiveSummarizer(): Summarizer {
  return { kind: "extractive", summarize: async (request) => writeDigest(request) };
}

function writeDigest(request: SummaryRequest): Summary {
  if (!WRITTEN.includes(request.strategy)) {
    throw new CompactError("InvalidConfig", `The strategy ${request.strategy} cannot be written without a model yet.`, {
      hint: `Use one of: ${WRITTEN.join(", ")}.`,
    });
  }
  const header = [
    describePassages(request.passages),
    ...(request.note ? [`Asked for with the note: ${request.note}`] : []),
  ];
  const lines = digestLines(request);
  const kept = chooseLines(lines, request.maxTokens - request.count(header.join("\n")), request.count);
  for (;;) {
    const text = [...header, ...render(kept, lines.length - kept.length)].join("\n");
    if (request.count(text) <= request.maxTokens || kept.length === 0) return { text, source: "extractive" };
    kept.pop();
  }
}

/** Most valuable lines first, as long as they fit; a line that does not fit does not stop smaller ones. */
function chooseLines(lines: readonly DigestLine[], room: number, count: (text: string) => number): DigestLine[] {
  const chosen: DigestLine[] = [];
  let left = room - SECTIONS.length * 8;
  for (const line of [...lines].sort((a, b) => a.rank - b.rank || b.order - a.order)) {
    const tokens = count(`${line.text}\n`);
    if (tokens > left) continue;
    chosen.push(line);
    left -= tokens;
  }
  return chosen;
}

function render(kept: readonly DigestLine[], omitted: number): readonly string[] {
  const rendered: string[] = [];
  for (const section of SECTIONS) {
    const lines = kept.filter((line) => line.section === section).sort((a, b) => a.order - b.order);
    if (lines.length > 0) rendered.push("", `## ${section}`, ...lines.map((line) => line.text));
  }
  if (omitted > 0)
    rendered.push(
      "",
      `(${omitted.toLocaleString("en-US")} further facts are in the archive only; search it before guessing.)`,
    );
  return rendered;
}

function describePassages(passages: readonly Passage[]): string {
  const by = (source: Passage["source"]) => passages.filter((passage) => passage.source === source).length;
  const parts = [`${by("user")} from the user`, `${by("assistant")} from the assistant`, `${by("tool")} from tools`];
  return `Covers ${passages.length.toLocaleString("en-US")} passages since the last record (${parts.join(", ")}). A number in brackets names the archived message.`;
}
