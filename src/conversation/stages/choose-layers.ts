// Puts the sizes together: target, room for the summary, what stays, what is shortened at the floor, and what
// leaves. Touches no store.
import type { ConversationInput, ConversationParts } from "../conversation-parts.ts";
import { draftSummary, FRAME_TOKENS, summaryCap } from "../summary/summary-room.ts";
import { describeRemoval, layersOf } from "./describe-removal.ts";
import { fit, floorFit } from "./fit.ts";
import type { Layers, LayersInput } from "./layers.ts";
import { shortenAtFloor } from "./shorten-at-floor.ts";

/** A second text of the same ledger may be a little longer than the first. */
const DRAFT_MARGIN = 1.05;

/** Throws `InsufficientBudget` when the parts that cannot shrink exceed the budget. */
export async function chooseLayers(choice: LayersInput): Promise<Layers> {
  const { input, read, parts } = choice;
  const target = targetOf(input, parts);
  const fitInput = { units: read.units, policy: parts.policy, fixedTokens: read.fixedTokens, target, summaryTokens: 0 };
  const floor = floorFit(fitInput);
  const atFloor = describeRemoval(choice, floor);
  const isNothingLeaving = atFloor.removed.length === 0;
  const cap = summaryCap(parts, target - floor.tokens, atFloor.shown, target / Math.max(1, read.total));
  const draft = isNothingLeaving ? undefined : await draftSummary(atFloor, cap, parts, read.previousSummary, input);
  const draftTokens = draft === undefined ? cap : parts.counter.countText(draft.text);
  const needed = draft === undefined ? cap : Math.min(cap, Math.ceil(draftTokens * DRAFT_MARGIN) + FRAME_TOKENS);
  const summaryTokens = isNothingLeaving ? 0 : needed;
  const chosen = fit({ ...fitInput, summaryTokens });
  const isFloor = chosen.stays.every((stays, position) => stays === floor.stays[position]);
  const { shortened, tokensWon } = shortenAtFloor(choice, chosen, summaryTokens, target);
  const isDrafted = isFloor && shortened.size === 0;
  return {
    target,
    summaryTokens: Math.max(summaryTokens, Math.min(cap, FRAME_TOKENS)),
    fit: chosen,
    expectedTokens: draft === undefined ? 0 : chosen.tokens - tokensWon + draftTokens,
    ...layersOf(read, chosen),
    ...(isDrafted ? atFloor : describeRemoval(choice, chosen, shortened)),
    shortened,
    draft: isDrafted ? draft : undefined,
  };
}

function targetOf(input: ConversationInput, { policy, maxContextTokens, budget }: ConversationParts): number {
  const share = policy.targetPct ?? Math.max(0.05, policy.triggerPct - 0.1);
  return Math.min(input.targetTokens ?? Math.floor(share * maxContextTokens), budget);
}
