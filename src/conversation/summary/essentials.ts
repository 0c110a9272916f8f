// Holds a summary against what is essential in the ledger: what it lacks is added by code while there is room, and
// what finds no room is counted, so that a report never says less than the truth.
import type { Ledger } from "../../facts/ledger.ts";
import { type EssentialFact, essentialFacts, valuableFacts } from "../../facts/ledger-text.ts";
import type { Summary } from "../../summarizers/summarizer.ts";
import { heldTexts } from "../../text/held-texts.ts";
import { neutraliseFrames } from "../../text/neutralise.ts";

const TITLE = "\n\n## Carried by code";

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
  const isExtractive = summary.source === "extractive";
  const valuable = isExtractive ? [] : valuableFacts(shown);
  const everyEssential = essentialFacts(shown);
  const held = heldTexts(
    summary.text,
    [...everyEssential, ...valuable].flatMap(({ needle }) => spellings(needle)),
  );
  const lacks = ({ needle }: EssentialFact) => !spellings(needle).some((spelling) => held.has(spelling));
  const essential = everyEssential.filter(lacks);
  if (isExtractive) return { ...summary, missing: essential.length };
  const wanted = [...valuable.filter(lacks), ...essential];
  if (wanted.length === 0) return { ...summary, missing: 0 };
  const added = new Set<EssentialFact>();
  let room = maxTokens - count(summary.text) - count(TITLE);
  for (const fact of [...wanted].reverse()) {
    const tokens = count(`${fact.line}\n`);
    if (tokens > room) continue;
    added.add(fact);
    room -= tokens;
  }
  const missing = essential.filter((fact) => !added.has(fact)).length;
  if (added.size === 0) return { ...summary, missing };
  const lines = wanted.filter((fact) => added.has(fact)).map(({ line }) => line);
  return { text: `${summary.text}${TITLE}\n${lines.join("\n")}`, source: "model+ledger", missing };
}

/** In a text of ours our own delimiters are neutralised. */
function spellings(needle: string): readonly string[] {
  return [needle, neutraliseFrames(needle)];
}
