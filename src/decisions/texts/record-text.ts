// A decision as the text that a model is shown, and what of it a text of each level stands for.
import { extractFactsInTurns } from "../../facts/extract-facts.ts";
import type { Ledger } from "../../facts/ledger.ts";
import { cutAt } from "../../text/cut.ts";
import type { Decision } from "../decision.ts";
import type { DecisionText } from "../decision-log.ts";

/** Where a model and the ledger find the record: there is one. */
export const RECORD = { step: 1, message: 1 } as const;

/** Of a field, so much is shown: what a line or three can hold stands at the beginning. */
const MOST_OF_FIELD = 4000;
const MOST_REASONS = 12;

export function recordText(decision: Decision): string {
  const { text, category, date, context, reasons, pattern, outcome, actualResult, lessons } = decision;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["Decision", text],
    ["Category", category],
    ["Date", date],
    ["Context", context],
    ...reasons.slice(0, MOST_REASONS).map((reason) => [`Why (${reason.type})`, reason.text] as const),
    ["Pattern", pattern],
    ["Outcome", outcome],
    ["Result", actualResult],
    ["Learned", lessons],
  ];
  return lines
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([label, value = ""]) => `${label}: ${cutAt(value, MOST_OF_FIELD)}`)
    .join("\n");
}

/** What the level leaves out, and the text has to make up for. */
export function replacedText(decision: Decision, level: DecisionText["level"]): string {
  if (level === "digest") return decision.text;
  const { context, reasons, actualResult, lessons } = decision;
  return [context, ...reasons.map(({ text }) => text), actualResult, lessons]
    .filter((text) => text !== undefined)
    .join("\n");
}

/** The record is an agent's own words: nothing in it is a user's wish or a tool's finding. */
export function recordFacts(record: string): Promise<Ledger> {
  const view = {
    role: "assistant",
    parts: [{ kind: "text", text: record }],
    isProtected: false,
    isIrreplaceable: false,
    joinsNext: false,
  } as const;
  return extractFactsInTurns([{ view, source: RECORD }], (text) => text);
}
