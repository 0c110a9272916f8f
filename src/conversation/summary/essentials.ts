// Holds a summary against what is essential in the ledger: what it lacks is added by code while there is room, and
// what finds no room is counted, so that a report never says less than the truth.
import type { Ledger } from "../../facts/ledger.ts";
import { type EssentialFact, essentialFacts } from "../../facts/ledger-text.ts";
import type { Summary } from "../../summarizers/summarizer.ts";
import { neutralise } from "./summary-frame.ts";

export interface CompletedSummary {
  readonly text: string;
  readonly source: Summary["source"];
  /** Essential facts that the text does not hold whole. */
  readonly missing: number;
}

/** A model's answer is completed from the ledger; an extractive text holds what its cap allows already. */
export function completeSummary(
  summary: Summary,
  shown: Ledger,
  maxTokens: number,
  count: (text: string) => number,
): CompletedSummary {
  const missing = essentialFacts(shown).filter((fact) => !holds(summary.text, fact));
  if (summary.source === "extractive" || missing.length === 0) return { ...summary, missing: missing.length };
  const title = "\n\n## Carried by code";
  const added: string[] = [];
  let room = maxTokens - count(summary.text) - count(title);
  for (const { line } of [...missing].reverse()) {
    const tokens = count(`${line}\n`);
    if (tokens > room) continue;
    added.unshift(line);
    room -= tokens;
  }
  if (added.length === 0) return { ...summary, missing: missing.length };
  const text = `${summary.text}${title}\n${added.join("\n")}`;
  return { text, source: "model+ledger", missing: missing.length - added.length };
}

function holds(text: string, { needle }: EssentialFact): boolean {
  return text.includes(needle) || text.includes(neutralise(needle));
}
