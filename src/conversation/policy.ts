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

// Decides whether to compact now. Pure: figures in, decision out. The share is taken of the whole window, the
// overrun of the budget (rulings, Conversation 1 and 5).

export const TRIGGER_REASONS = [
  "manual",
  "asked_by_host",
  "over_trigger_pct",
  "over_trigger_tokens",
  "over_budget",
  "over_request_bytes",
  "below_trigger",
  "waiting_for_growth",
  "disabled",
] as const;

export type TriggerReason = (typeof TRIGGER_REASONS)[number];

interface TriggerInput {
  /** Estimated tokens of everything that would be sent. */
  readonly tokens: number;
  /** Those of them that compaction cannot win, and that may not be there at all. */
  readonly doubted?: number;
  readonly maxContextTokens: number;
  readonly budget: number;
  readonly policy: Pick<ConversationPolicy, "triggerPct" | "triggerTokens" | "maxRequestBytes">;
  /** Bytes of the request, where the policy has a ceiling for them. */
  readonly bytes?: number | undefined;
  readonly isManual: boolean;
  readonly isAutomatic?: boolean | undefined;
  readonly isEnabled: boolean;
  /** After a landing above the target: tokens below which another automatic round would gain nothing. */
  readonly waitUntil?: number | undefined;
}

export interface TriggerDecision {
  readonly triggered: boolean;
  readonly reason: TriggerReason;
}

export function decideTrigger(input: TriggerInput): TriggerDecision {
  if (input.isManual) return { triggered: true, reason: input.isAutomatic === true ? "asked_by_host" : "manual" };
  if (!input.isEnabled) return { triggered: false, reason: "disabled" };
  const certain = input.tokens - (input.doubted ?? 0);
  if (certain > input.budget) return { triggered: true, reason: "over_budget" };
  // Compaction cannot win doubted tokens back. If they alone exceed the budget every turn would compact again, so that waits.
  const reason = input.tokens > input.budget ? "over_budget" : reachedTrigger(input);
  const isWaiting = certain < (input.waitUntil ?? 0);
  if (reason !== undefined && !isWaiting) return { triggered: true, reason };
  // Too many bytes are refused like too many tokens: nothing is gained by waiting.
  if ((input.bytes ?? 0) > (input.policy.maxRequestBytes ?? Number.POSITIVE_INFINITY)) {
    return { triggered: true, reason: "over_request_bytes" };
  }
  return { triggered: false, reason: reason === undefined ? "below_trigger" : "waiting_for_growth" };
}

/** The share or the tokens, whichever comes first. */
function reachedTrigger({ tokens, maxContextTokens, policy }: TriggerInput): TriggerReason | undefined {
  if (tokens / maxContextTokens >= policy.triggerPct) return "over_trigger_pct";
  return tokens >= (policy.triggerTokens ?? Number.POSITIVE_INFINITY) ? "over_trigger_tokens" : undefined;
}
