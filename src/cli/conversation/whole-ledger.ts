// The ledger of a whole conversation, and how much of it a summary of a given size holds.
import { extractFacts } from "../../facts/extract-facts.ts";
import type { Ledger } from "../../facts/ledger.ts";
import { writeRecords } from "../../summaries/record.ts";
import { runThrough } from "../../tokens/stepwise.ts";
import type { ConversationSource } from "../files/conversation-source.ts";

/** As if every message had left in one compaction; `null` is one that was lost. */
export function wholeLedger(
  { messages, format }: Pick<ConversationSource, "messages" | "format">,
  redact: (text: string) => string,
  step = 1,
): Ledger {
  const inputs = messages.flatMap((message, index) =>
    message === null ? [] : [{ view: format.view(message), source: { step, message: index + 1 } }],
  );
  return extractFacts(inputs, redact);
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
  const records = runThrough(writeRecords({ ledger, strategy: "task_state", count, header: [] }, SIZES));
  return records.map(({ units }, at) => ({ tokens: SIZES[at] as number, ...units }));
}
