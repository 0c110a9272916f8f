// The figures that a policy comes to in a window: one set, for trigger, fit and everything that reports.
import type { ConversationParts } from "../conversation-parts.ts";
import { targetOf } from "../stages/target.ts";

export interface Limits {
  readonly max_context_tokens: number;
  /** What the result must fit. */
  readonly budget: number;
  /** Size at which automatic compaction starts. */
  readonly trigger_tokens: number;
  /** Size that it aims at. */
  readonly target_tokens: number;
}

export function describeLimits(parts: Pick<ConversationParts, "policy" | "maxContextTokens" | "budget">): Limits {
  const { policy, maxContextTokens, budget } = parts;
  const byShare = Math.ceil(policy.triggerPct * maxContextTokens);
  return {
    max_context_tokens: maxContextTokens,
    budget,
    trigger_tokens: Math.min(byShare, policy.triggerTokens ?? byShare, budget + 1),
    target_tokens: Math.min(targetOf(parts), budget),
  };
}
