// Puts the sizes together: target, room for the summary, what stays, what is shortened at the floor, and what
// leaves. Touches no store.
import { nextTurn } from "../../tokens/turns/pacer.ts";
import { draftSummary, FRAME_TOKENS, LEAST_SUMMARY_TOKENS, summaryCap, summaryGoal } from "../summary/summary-room.ts";
import { describeRemoval, layersOf } from "./describe-removal.ts";
import { firmTokens, fit, floorFit } from "./fit.ts";
import type { Layers, LayersInput } from "./layers.ts";
import { attachmentsOnly } from "./shortening/attachments-only.ts";
import { ceilingInTokens } from "./shortening/byte-room.ts";
import { refuseTooManyBytes } from "./shortening/refuse-bytes.ts";
import { shortenAtFloor } from "./shortening/shorten-at-floor.ts";
import { targetOf } from "./target.ts";

/** A second text of the same ledger may be a little longer than the first. */
const DRAFT_MARGIN = 1.05;

/** Throws `InsufficientBudget` when the parts that cannot shrink exceed the budget. */
export async function chooseLayers(choice: LayersInput): Promise<Layers> {
  const { input, read, parts } = choice;
  const asked = Math.min(input.targetTokens ?? targetOf(parts), parts.budget);
  const ceiling = ceilingInTokens(choice);
  const target = Math.min(asked, ceiling.goalTokens);
  const onlyAttachments = attachmentsOnly(choice, target);
  if (onlyAttachments !== undefined) return onlyAttachments;
  const fitInput = { units: read.units, policy: parts.policy, fixedTokens: read.fixedTokens, target, summaryTokens: 0 };
  const floor = floorFit(fitInput);
  const atFloor = await describeRemoval(choice, floor);
  const isNothingLeaving = atFloor.removed.length === 0;
  const room = target - floor.tokens;
  const share = target / Math.max(1, read.total);
  const most = parts.budget - firmTokens(fitInput, floor);
  const cap = summaryCap(parts, { room, most }, atFloor.shown, share);
  // What the floor takes too much may still be shortened.
  const hoped = summaryGoal({ room: Math.max(room, LEAST_SUMMARY_TOKENS), share }, parts, input);
  const draft = isNothingLeaving
    ? undefined
    : await draftSummary(atFloor, { cap, goal: hoped }, parts, read.previousSummary, input);
  await nextTurn();
  const draftTokens = draft === undefined ? cap : parts.counter.countText(draft.text);
  const needed = draft === undefined ? cap : Math.min(cap, Math.ceil(draftTokens * DRAFT_MARGIN) + FRAME_TOKENS);
  const summaryTokens = isNothingLeaving ? 0 : needed;
  const chosen = fit({ ...fitInput, summaryTokens });
  const isFloor = chosen.stays.every((stays, position) => stays === floor.stays[position]);
  const { shortened, cut, tokensWon } = shortenAtFloor(choice, chosen, { summaryTokens, target, ...ceiling });
  const { removed } = layersOf(read, chosen);
  // Nothing can give: the list stays as it is, unless it is too large to be sent.
  if (shortened.size === 0 && removed.every((index) => read.replaced.has(index)))
    refuseTooManyBytes(read, read.messages, parts.policy);
  const isDrafted = isFloor && cut.size === 0;
  const removal = isDrafted ? atFloor : await describeRemoval(choice, chosen, cut);
  const kept = chosen.tokens - tokensWon;
  // What was cut out of messages that stay is told by the summary alone: the draft did not know of it, and its cap is too small.
  const named =
    cut.size === 0 || draft === undefined ? 0 : summaryCap(parts, { room: target - kept, most }, removal.shown, share);
  return {
    target,
    summaryTokens: Math.max(summaryTokens, Math.min(cap, FRAME_TOKENS), Math.min(named, parts.budget - kept)),
    goal: draft === undefined ? undefined : summaryGoal({ room: target - kept, share }, parts, input),
    fit: chosen,
    expectedTokens: draft === undefined ? 0 : kept + draftTokens,
    ...layersOf(read, chosen),
    ...removal,
    shortened,
    draft: isDrafted ? draft : undefined,
  };
}
