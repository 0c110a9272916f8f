// Puts the sizes together: target, room for the summary, what stays, what is shortened at the floor, and what
// leaves. Touches no store.
import { CompactError } from "../errors.ts";
import { nextTurn } from "../tokens/stepwise.ts";
import { attachmentsOnly, ceilingInTokens } from "./attachments.ts";
import { targetOf } from "./conversation-parts.ts";
import { refuseTooManyBytes } from "./insufficient-budget.ts";
import {
  describeRemoval,
  type Fit,
  type FitInput,
  fit,
  floorFit,
  type Layers,
  type LayersInput,
  layersOf,
} from "./layers.ts";
import { NEWEST_PAIR, type ReadConversation } from "./read-conversation.ts";
import { shortenAtFloor } from "./shorten.ts";
import { draftSummary, finalCap, frameTokens, summaryCap, worthwhileCap } from "./summary-room.ts";

/** A draft that takes less than this share of its room had nothing more to say: recent messages get the rest. */
const FILLED_SHARE = 0.85;
/** From this size on a manual compaction ends at this share of the list at most, if it can, whatever the window. */
const MANUAL = { leastTokens: 3000, share: 0.9 } as const;
/** A second text of the same ledger may be a little longer than the first. */
const DRAFT_MARGIN = 1.05;

/** Throws `InsufficientBudget` when the parts that cannot shrink exceed the budget. */
export async function chooseLayers(choice: LayersInput): Promise<Layers> {
  try {
    return await chooseWithin(choice);
  } catch (error) {
    const isTooLarge = CompactError.isInstance(error) && error.kind === "InsufficientBudget";
    const without = isTooLarge ? withoutNewestPair(choice) : undefined;
    if (without === undefined) throw error;
    return chooseWithin(without);
  }
}

/**
 * A step of thousands of calls fits nowhere, however short its results: their ids alone are more than the budget. Then it
 * leaves whole, as an older one would, and the summary stands for it. Undefined where it is not what makes the list too large.
 */
function withoutNewestPair(choice: LayersInput): LayersInput | undefined {
  const { read, parts } = choice;
  const newest = read.units.find(({ why }) => why === NEWEST_PAIR);
  if (newest === undefined || newest.tokens < parts.budget / 2 || !parts.policy.shortenToolResults) return undefined;
  const units = read.units.map((unit) => (unit === newest ? { ...unit, standing: "free" as const } : unit));
  const policy = { ...parts.policy, keepToolIoPairs: 0 };
  return { ...choice, read: { ...read, units }, parts: { ...parts, policy } };
}

async function chooseWithin(choice: LayersInput): Promise<Layers> {
  const { input, read, parts } = choice;
  const asked = Math.min(input.targetTokens ?? targetOf(parts), parts.budget, ceilingInTokens(choice).goalTokens);
  const onlyAttachments = attachmentsOnly(choice, asked);
  if (onlyAttachments !== undefined) return onlyAttachments;
  const isSized = choice.reason === "manual" && read.total >= MANUAL.leastTokens;
  const goal = isSized ? Math.floor(MANUAL.share * read.total) : Number.POSITIVE_INFINITY;
  const target = Math.min(asked, goal);
  const fitInput = { units: read.units, policy: parts.policy, fixedTokens: read.fixedTokens, target, summaryTokens: 0 };
  const floor = floorFit(fitInput);
  const isNothingLeaving = layersOf(read, floor).removed.length === 0;
  const wanted = isNothingLeaving ? 0 : summaryCap(parts, input, { target, room: target - floor.tokens });
  // A list that is small beside its window makes a short text.
  const cap = target < goal ? wanted : Math.min(wanted, worthwhileCap(parts, input, leavingTokens(read, floor)));
  const first = await layersWithin(choice, fit({ ...fitInput, summaryTokens: cap }), cap, target);
  return (await withMoreRecent(choice, fitInput, first)) ?? first;
}

/** What was left of the room, if anything, keeps more of the recent layer. */
async function withMoreRecent(choice: LayersInput, fitInput: FitInput, layers: Layers): Promise<Layers | undefined> {
  const { draft, summaryTokens } = layers;
  const { parts, input } = choice;
  if (draft === undefined) return undefined;
  const needed = Math.ceil((parts.counter.countText(draft.text) + frameTokens(parts, input)) * DRAFT_MARGIN);
  if (needed >= summaryTokens * FILLED_SHARE) return undefined;
  const wider = fit({ ...fitInput, summaryTokens: needed });
  return wider.tokens > layers.fit.tokens && wider.reachedTarget
    ? layersWithin(choice, wider, needed, fitInput.target)
    : undefined;
}

async function layersWithin(choice: LayersInput, chosen: Fit, cap: number, target: number): Promise<Layers> {
  const { input, read, parts } = choice;
  const ceiling = ceilingInTokens(choice);
  const { removed } = layersOf(read, chosen);
  const { shortened, cut, tokensWon } = shortenAtFloor(choice, chosen, { summaryTokens: cap, target, ...ceiling });
  // Nothing can give: the list stays as it is, unless it is too large to be sent.
  if (shortened.size === 0 && removed.every((index) => read.replaced.has(index)))
    refuseTooManyBytes(read, read.messages, parts.policy);
  const removal = await describeRemoval(choice, chosen, cut);
  await nextTurn();
  const kept = chosen.tokens - tokensWon;
  const room = target - kept;
  // Who asks for a compaction wants the list smaller: the text keeps to a room in which anything can be said.
  const isKeptTo =
    choice.reason === "manual" && input.targetTokens === undefined && room > 2 * frameTokens(parts, input);
  const most = Math.min(
    parts.budget - kept,
    worthwhileCap(parts, input, leavingTokens(read, chosen)),
    isKeptTo ? room : Number.POSITIVE_INFINITY,
  );
  const summaryTokens = cap === 0 ? 0 : Math.min(finalCap(parts, input, room), most);
  const draft =
    cap === 0 || removal.removed.length === 0
      ? undefined
      : await draftSummary(removal, summaryTokens, parts, read.previousSummary, input);
  await nextTurn();
  return {
    target,
    summaryTokens,
    fit: chosen,
    expectedTokens: draft === undefined ? 0 : kept + parts.counter.countText(draft.text) + frameTokens(parts, input),
    ...layersOf(read, chosen),
    ...removal,
    shortened,
    draft,
  };
}

/** Tokens of the messages that leave, and of the summary that is rolled into the new one. */
function leavingTokens({ units }: ReadConversation, { stays }: Fit) {
  const leaving = units.filter((_, position) => stays[position] !== true);
  const sum = (isPrevious: boolean) =>
    leaving.reduce((tokens, unit) => tokens + ((unit.standing === "replaced") === isPrevious ? unit.tokens : 0), 0);
  return { messages: sum(false), previous: sum(true) };
}
