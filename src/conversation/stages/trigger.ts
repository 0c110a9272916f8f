// Decides whether to compact now. Pure: figures in, decision out. The share is taken of the whole window, the
// overrun of the budget (rulings, Conversation 1 and 5).
import type { ConversationPolicy } from "../policy.ts";

export type TriggerReason =
  | "manual"
  | "over_trigger_pct"
  | "over_trigger_tokens"
  | "over_budget"
  | "over_request_bytes"
  | "below_trigger"
  | "waiting_for_growth"
  | "disabled";

export interface TriggerInput {
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
  readonly isEnabled: boolean;
  /** After a landing above the target: tokens below which another automatic round would gain nothing. */
  readonly waitUntil?: number | undefined;
}

export interface TriggerDecision {
  readonly triggered: boolean;
  readonly reason: TriggerReason;
}

export function decideTrigger(input: TriggerInput): TriggerDecision {
  if (input.isManual) return { triggered: true, reason: "manual" };
  if (!input.isEnabled) return { triggered: false, reason: "disabled" };
  const certain = input.tokens - (input.doubted ?? 0);
  if (certain > input.budget) return { triggered: true, reason: "over_budget" };
  // What is doubted is still doubted after a compaction: an overrun by it waits, or each turn would bring another.
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
