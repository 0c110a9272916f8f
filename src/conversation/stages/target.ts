// The size that a compaction aims at when nobody asks for one: the policy's tokens, else its share of the window,
// else as far below the trigger as the spec's default share is below its.
import type { ConversationParts } from "../conversation-parts.ts";

const TRIGGER_DISTANCE = 0.1;
const LEAST_SHARE = 0.05;

export function targetOf({ policy, maxContextTokens }: Pick<ConversationParts, "policy" | "maxContextTokens">): number {
  const { triggerPct, triggerTokens, targetPct, targetTokens } = policy;
  if (targetTokens !== undefined) return targetTokens;
  if (targetPct !== undefined) return Math.floor(targetPct * maxContextTokens);
  const share = Math.max(LEAST_SHARE, triggerPct - TRIGGER_DISTANCE);
  const byShare = Math.floor(share * maxContextTokens);
  if (triggerTokens === undefined) return byShare;
  return Math.min(byShare, Math.floor((triggerTokens * share) / triggerPct));
}
