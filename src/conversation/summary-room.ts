// How much room a summary gets, and the request that asks for it.
import type { Ledger } from "../facts/ledger.ts";
import type { Passage, Summary, SummaryRequest } from "../summaries/summarizer.ts";
import { withoutUndefined } from "../text/json-values.ts";
import { nextTurn } from "../tokens/stepwise.ts";
import { startWatch, type Times } from "../trace/emit.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import { frameSummary } from "./summary-frame.ts";

/** Of the message around a summary, and of the short one that a provider may want before it. */
const MESSAGE_TOKENS = 24;
const LEAST_SUMMARY_TOKENS = 800;
/**
 * Share of the budget that a summary takes at most. Every later call reads it: measured on replayed sessions, a twelfth
 * costs 11 % less than a quarter; who asks for a size wants it used.
 */
const BUDGET_SHARE = { automatic: 1 / 12, asked: 1 / 4 } as const;
/** Of what is free beside the least that stays, the summary takes this share; recent messages take the rest. */
const ROOM_SHARE = 0.75;
/** Of a size that was asked for, the summary gets this share at least: tools' results that stay are shortened for it. */
const TARGET_SHARE = 0.5;

/**
 * Where nobody asked for a size: of what leaves the text takes this share at most, so that a short stretch makes a short
 * text. What the summary before it took comes on top: it stands for what left earlier.
 */
const LEAVING_SHARE = 0.25;
/** Of the line that opens a text and of its headings, which a short stretch needs as a long one does. */
const OPENING_TOKENS = 80;

/** What a summary is to be made from. */
export interface SummaryMaterial {
  readonly passages: readonly Passage[];
  /** The session's ledger as it stands after the messages that stay: what the summary may say. */
  readonly shown: Ledger;
  /** What the messages that stay hold. */
  readonly staying: Ledger;
}

export interface TimedSummary extends Summary {
  /** Of writing it, which may have been long before it is put in its place. */
  readonly times: Times;
}

/** What a model is asked for at most: beyond it a summary is read as little as a transcript, and code carries the rest. */
const MOST_MODEL_TOKENS = 4000;
/** With what code adds beside its answer, unless a size was asked for. */
const MOST_WITH_MODEL = 6000;
/** Of the cap the model is asked for this share at most. */
const MODEL_SHARE = 0.6;

/** `auto`: most of what the target leaves, at least 800, at most a share of the budget. */
export function summaryCap(
  parts: ConversationParts,
  { targetTokens }: ConversationInput,
  { target, room }: { readonly target: number; readonly room: number },
): number {
  const { policy } = parts;
  if (policy.summaryMaxTokens !== "auto") return policy.summaryMaxTokens;
  const isAsked = targetTokens !== undefined;
  const most = mostTokens(parts, isAsked);
  const least = Math.min(most, Math.max(LEAST_SUMMARY_TOKENS, isAsked ? Math.floor(target * TARGET_SHARE) : 0));
  return Math.min(most, Math.max(least, Math.floor(room * ROOM_SHARE)));
}

/** Once it is known what stays: what the target leaves. */
export function finalCap(parts: ConversationParts, input: ConversationInput, room: number): number {
  const { policy } = parts;
  if (policy.summaryMaxTokens !== "auto") return policy.summaryMaxTokens;
  const most = mostTokens(parts, input.targetTokens !== undefined);
  return Math.min(most, Math.max(Math.min(LEAST_SUMMARY_TOKENS, most), room));
}

/** The most that is worth writing about what leaves: tokens of the messages, and of the summary that is replaced. */
export function worthwhileCap(
  parts: ConversationParts,
  input: ConversationInput,
  leaving: { readonly messages: number; readonly previous: number },
): number {
  if (parts.policy.summaryMaxTokens !== "auto" || input.targetTokens !== undefined) return Number.POSITIVE_INFINITY;
  const share = Math.ceil(leaving.messages * LEAVING_SHARE) + OPENING_TOKENS;
  // A model needs some room to say anything.
  const least = parts.summarizer.kind === "model" ? LEAST_SUMMARY_TOKENS : 0;
  return Math.max(least, Math.max(frameTokens(parts, input), leaving.previous) + share);
}

function mostTokens({ budget, summarizer }: ConversationParts, isAsked: boolean): number {
  const least = Math.min(LEAST_SUMMARY_TOKENS, Math.floor(budget / 4));
  const share = Math.floor(budget * (isAsked ? BUDGET_SHARE.asked : BUDGET_SHARE.automatic));
  return Math.max(least, summarizer.kind === "model" && !isAsked ? Math.min(share, MOST_WITH_MODEL) : share);
}

/** Of the frame as it will be for this session, and of the message that carries it. */
export function frameTokens({ counter }: ConversationParts, { sessionId }: ConversationInput): number {
  const frame = { version: 100, sessionId, step: 100, prunedCount: 100_000, isArchived: true };
  return counter.countText(frameSummary("", frame)) + MESSAGE_TOKENS;
}

/** Cap of the text inside the frame. A figure that somebody set is what a model is asked for, so there the frame comes on top. */
export function textCap(summaryTokens: number, parts: ConversationParts, input: ConversationInput): number {
  const { policy, summarizer } = parts;
  const isAsked = policy.summaryMaxTokens !== "auto" && summarizer.kind === "model";
  return isAsked ? summaryTokens : Math.max(1, summaryTokens - frameTokens(parts, input));
}

/** Text by code costs nothing to write, so its true size decides how much room it needs. */
export async function draftSummary(
  material: SummaryMaterial,
  cap: number,
  parts: ConversationParts,
  previous: string | undefined,
  input: ConversationInput,
): Promise<TimedSummary | undefined> {
  const isFree = parts.summarizer.kind === "extractive" && parts.policy.summaryMaxTokens === "auto";
  if (!isFree) return undefined;
  await nextTurn();
  const watch = startWatch(parts.clock);
  const summary = await parts.summarizer.summarize(summaryRequest(material, cap, parts, previous, input));
  return { ...summary, times: watch() };
}

export function summaryRequest(
  { passages, shown, staying }: SummaryMaterial,
  cap: number,
  parts: ConversationParts,
  previous: string | undefined,
  input: ConversationInput,
): SummaryRequest {
  const { counter, policy, redactor, summarizer } = parts;
  const { note, signal } = input;
  const maxTokens = textCap(cap, parts, input);
  const isAuto = summarizer.kind === "model" && policy.summaryMaxTokens === "auto";
  const most = Math.max(1, Math.min(MOST_MODEL_TOKENS, Math.floor(maxTokens * MODEL_SHARE)));
  const answerTokens = isAuto ? most : undefined;
  return {
    passages,
    ledger: shown,
    staying,
    strategy: policy.strategy,
    maxTokens,
    count: (text) => counter.countText(text),
    ...withoutUndefined({ answerTokens, previous, note: note === undefined ? undefined : redactor.text(note), signal }),
  };
}
