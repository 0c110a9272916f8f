// Puts the sizes together: target, room for the summary, what stays, what is shortened at the floor, and what
// leaves. Touches no store.
import { nextTurn } from "../../tokens/turns/pacer.ts";
import { draftSummary, FRAME_TOKENS, summaryCap } from "../summary/summary-room.ts";
import { describeRemoval, layersOf } from "./describe-removal.ts";
import { fit, floorFit } from "./fit.ts";
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
  const cap = summaryCap(parts, target - floor.tokens, atFloor.shown, target / Math.max(1, read.total));
  const draft = isNothingLeaving ? undefined : await draftSummary(atFloor, cap, parts, read.previousSummary, input);
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
  return {
    target,
    summaryTokens: Math.max(summaryTokens, Math.min(cap, FRAME_TOKENS)),
    fit: chosen,
    expectedTokens: draft === undefined ? 0 : chosen.tokens - tokensWon + draftTokens,
    ...layersOf(read, chosen),
    ...(isDrafted ? atFloor : await describeRemoval(choice, chosen, cut)),
    shortened,
    draft: isDrafted ? draft : undefined,
  };
}
