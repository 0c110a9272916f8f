// The policy of the conversation part: when to act, what to keep, how small to become. Keys as in the
// configuration, camelCase; defaults are the spec's.
import type { Strategy } from "../summaries/summarizer.ts";

export interface ConversationPolicy {
  /** Share of the window at which compaction starts, 0-1. */
  readonly triggerPct: number;
  /** Tokens at which compaction starts, whichever of the two comes first. */
  readonly triggerTokens?: number;
  /** Share of the window at which a summary is started in the background, so that the trigger finds it written. Off when absent. */
  readonly preparePct?: number;
  /** Tokens at which it is, whichever of the two comes first. */
  readonly prepareTokens?: number;
  /** Tokens kept free for the next input and tool answers. */
  readonly hardCapBuffer: number;
  readonly keepRecentTurns: number;
  readonly keepToolIoPairs: number;
  readonly rolesNeverPrune: readonly string[];
  readonly strategy: Strategy;
  /** Share of the window that a compaction aims at. Default: `triggerPct` - 0.10. */
  readonly targetPct?: number;
  /** Tokens that a compaction aims at, instead of the share. */
  readonly targetTokens?: number;
  readonly summaryMaxTokens: number | "auto";
  readonly onSummaryFailure: "pruning-only" | "extractive" | "keep";
  /** Tools whose latest state is carried item by item, besides the to-do tools known by name. */
  readonly stateTools: readonly string[];
  readonly shortenToolResults: boolean;
  /** At the floor a user message larger than the room is shortened in place, marked, instead of raising `InsufficientBudget`. */
  readonly shortenUserMessages: boolean;
  /** Bytes of JSON above which the oldest images become placeholders. Off when absent. */
  readonly maxRequestBytes?: number;
  /** Leaves the reasoning of finished turns out of the recent layer. */
  readonly stripReasoning: boolean;
}

export const DEFAULT_POLICY: ConversationPolicy = {
  triggerPct: 0.85,
  hardCapBuffer: 1500,
  keepRecentTurns: 6,
  keepToolIoPairs: 4,
  rolesNeverPrune: ["system", "developer"],
  strategy: "task_state",
  summaryMaxTokens: "auto",
  onSummaryFailure: "pruning-only",
  stateTools: [],
  shortenToolResults: true,
  shortenUserMessages: false,
  stripReasoning: false,
};
