// The contract of summarizing: passages and a ledger in, a text within a cap out. Knows nothing of providers,
// so decisions and notes use the same summarizers as conversations.
import type { Ledger } from "../facts/ledger.ts";

export const STRATEGIES = ["task_state", "decision_log", "code_delta", "brief"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** A quotable piece of what is to be summarized. `id` is what citations name: `1.12`. */
export interface Passage {
  readonly id: string;
  readonly source: "user" | "assistant" | "tool" | "record" | "note";
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly at?: string;
}

export interface SummaryRequest {
  readonly passages: readonly Passage[];
  readonly ledger: Ledger;
  readonly strategy: Strategy;
  /** Hard cap of the answer, in tokens of `count`. */
  readonly maxTokens: number;
  readonly count: (text: string) => number;
  /** Text of the summary that this one replaces. */
  readonly previous?: string;
  /** Wishes of whoever asked for the compaction, in their words. */
  readonly note?: string;
  readonly signal?: AbortSignal;
}

export interface Summary {
  readonly text: string;
  readonly source: "extractive" | "model" | "model+ledger";
}

export interface Summarizer {
  readonly kind: "extractive" | "model";
  /** Throws `CompactError(SummarizationFailed)`; never returns an empty text. */
  summarize(request: SummaryRequest): Promise<Summary>;
}
