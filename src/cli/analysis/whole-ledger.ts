// The ledger of a whole conversation, and how much of it a summary of a given size holds.
import { extractFacts } from "../../facts/extract-facts.ts";
import type { Ledger } from "../../facts/ledger.ts";
import type { Redactor } from "../../redaction/redacted.ts";
import { writeRecord } from "../../summaries/record.ts";
import { runThrough } from "../../tokens/turns/stepwise.ts";
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
  /** Messages, files, commands and the like of which something fits, of all. */
  readonly kept: number;
  readonly all: number;
}

const SIZES = [1000, 2000, 4000, 8000, 16_000];

export function sharesByBudget(ledger: Ledger, count: (text: string) => number): readonly BudgetShare[] {
  return SIZES.map((tokens) => {
    const { units } = runThrough(writeRecord({ ledger, strategy: "task_state", room: tokens, count, header: [] }));
    return { tokens, ...units };
  });
}
