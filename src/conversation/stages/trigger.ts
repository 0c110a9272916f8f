// Decides whether to compact now. Pure: figures in, decision out. The share is taken of the whole window, the
// overrun of the budget (rulings, Conversation 1 and 5).
import type { ConversationPolicy } from "../policy.ts";

export type TriggerReason =
  | "manual"
  | "over_trigger_pct"
  | "over_budget"
  | "below_trigger"
  | "waiting_for_growth"
  | "disabled";

export interface TriggerInput {
  /** Estimated tokens of everything that would be sent. */
  readonly tokens: number;
  readonly maxContextTokens: number;
  readonly budget: number;
  readonly policy: Pick<ConversationPolicy, "triggerPct">;
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
  if (input.tokens > input.budget) return { triggered: true, reason: "over_budget" };
  if (input.tokens / input.maxContextTokens < input.policy.triggerPct)
    return { triggered: false, reason: "below_trigger" };
  if (input.tokens < (input.waitUntil ?? 0)) return { triggered: false, reason: "waiting_for_growth" };
  return { triggered: true, reason: "over_trigger_pct" };
}
