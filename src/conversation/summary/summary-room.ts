// How much room a summary gets, and the request that asks for it.
import type { Ledger } from "../../facts/ledger.ts";
import { essentialFacts } from "../../facts/ledger-text.ts";
import type { Passage, Summary, SummaryRequest } from "../../summarizers/summarizer.ts";
import type { ConversationInput, ConversationParts } from "../conversation-parts.ts";

/** Tokens of the frame around a summary, with room for a long session id. */
export const FRAME_TOKENS = 220;
const LEAST_SUMMARY_TOKENS = 800;
/** Titles, and lines that carry more than the bare fact. */
const ESSENTIAL_MARGIN = 1.2;

/** Share of the list below which a cut is so deep that a name must recur more often to be worth missing the size. */
const DEEP_CUT = 0.04;

/** What a summary is to be made from. */
export interface SummaryMaterial {
  readonly passages: readonly Passage[];
  readonly shown: Ledger;
}

/**
 * `auto`: what the goal leaves, at least 800, at most a quarter of the budget. What is essential may take all that the
 * goal leaves, and half of the budget where the goal leaves less. `share`: the size aimed at, of the list's.
 */
export function summaryCap(
  { policy, counter, budget }: ConversationParts,
  room: number,
  shown: Ledger,
  share: number,
): number {
  const { summaryMaxTokens } = policy;
  if (summaryMaxTokens !== "auto") return summaryMaxTokens;
  const essential = essentialFacts(shown, share < DEEP_CUT ? 3 : 2).reduce(
    (sum, { line }) => sum + counter.countText(`${line}\n`),
    FRAME_TOKENS + LEAST_SUMMARY_TOKENS / 4,
  );
  const byGoal = Math.min(Math.max(room, LEAST_SUMMARY_TOKENS), Math.floor(budget / 4));
  return Math.max(byGoal, Math.min(Math.ceil(essential * ESSENTIAL_MARGIN), Math.max(room, Math.floor(budget / 2))));
}

/** Extractive text costs nothing to write, so its true size decides how much room it needs. */
export async function draftSummary(
  material: SummaryMaterial,
  cap: number,
  parts: ConversationParts,
  previous: string | undefined,
  input: ConversationInput,
): Promise<Summary | undefined> {
  const isFree = parts.summarizer.kind === "extractive" && parts.policy.summaryMaxTokens === "auto";
  if (!isFree) return undefined;
  return parts.summarizer.summarize(summaryRequest(material, cap, parts, previous, input));
}

export function summaryRequest(
  { passages, shown }: SummaryMaterial,
  cap: number,
  { counter, policy, redactor }: ConversationParts,
  previous: string | undefined,
  { note, signal }: ConversationInput,
): SummaryRequest {
  return {
    passages,
    ledger: shown,
    strategy: policy.strategy,
    maxTokens: Math.max(1, cap - FRAME_TOKENS),
    count: (text) => counter.countText(text),
    ...(previous === undefined ? {} : { previous }),
    ...(note === undefined ? {} : { note: redactor.text(note) }),
    ...(signal === undefined ? {} : { signal }),
  };
}
