// The ledger of a whole conversation, and how much of it a summary of a given size holds.
import { extractFacts } from "../../facts/extract-facts.ts";
import type { Ledger } from "../../facts/ledger.ts";
import type { Redactor } from "../../redaction/redacted.ts";
import { chooseDigest } from "../../summarizers/extractive-summarizer.ts";
import type { Strategy } from "../../summarizers/summarizer.ts";
import type { ConversationSource } from "../input/conversation-source.ts";

/** As if every message had left in one compaction. */
export function wholeLedger({ messages, format }: ConversationSource, redactor: Redactor): Ledger {
  const inputs = messages.map((message, index) => ({
    view: format.view(message),
    source: { step: 1, message: index + 1 },
  }));
  return extractFacts(inputs, (text) => redactor.text(text));
}

export interface BudgetShare {
  /** Size of the summary. */
  readonly tokens: number;
  /** Lines of the ledger that fit, of all. */
  readonly kept: number;
  readonly all: number;
}

const SIZES = [1000, 2000, 4000, 8000, 16_000];

export function sharesByBudget(ledger: Ledger, count: (text: string) => number): readonly BudgetShare[] {
  const strategy: Strategy = "task_state";
  return SIZES.map((tokens) => {
    const { kept, all } = chooseDigest({ passages: [], ledger, strategy, maxTokens: tokens, count });
    return { tokens, kept: kept.length, all: all.length };
  });
}
