// How much room a summary gets, and the request that asks for it.
import type { Ledger } from "../../facts/ledger.ts";
import { essentialFacts } from "../../facts/ledger-text.ts";
import type { Passage, Summary, SummaryGoal, SummaryRequest } from "../../summarizers/summarizer.ts";
import { nextTurn } from "../../tokens/turns/pacer.ts";
import { startWatch, type Times } from "../../trace/watch.ts";
import type { ConversationInput, ConversationParts } from "../conversation-parts.ts";
import { frameSummary } from "./summary-frame.ts";

/** Tokens of the frame around a summary, with room for a long session id. */
export const FRAME_TOKENS = 220;
/** Of the message around it, and of the short one that a provider may want before it. */
const MESSAGE_TOKENS = 24;
export const LEAST_SUMMARY_TOKENS = 800;
/**
 * Share of the budget that a summary takes at most for what is not essential. Every later call reads it: measured on
 * replayed sessions, a twelfth costs 11 % less than a quarter and keeps the same facts.
 */
const SUMMARY_SHARE = 1 / 12;
/** A short line for each section, beside what is essential. */
const SECTION_TOKENS = 300;
/** Titles and lines of sections may be longer where the goal is missed all the same: nothing else gets that room. */
const MISSED_TOKENS = 250;
/** Titles, and lines that carry more than the bare fact. */
const ESSENTIAL_MARGIN = 1.2;

/** Share of the list below which a cut is so deep that a name must recur more often to be worth missing the size. */
const DEEP_CUT = 0.04;

/** What is free for the summary and for tools' results. */
export interface SummaryRoom {
  /** Under the goal, beside the whole results. */
  readonly room: number;
  /** Under the budget, however short the results become. */
  readonly most: number;
}

/** What a summary is to be made from. */
export interface SummaryMaterial {
  readonly passages: readonly Passage[];
  readonly shown: Ledger;
  readonly goal?: SummaryGoal | undefined;
}

export interface TimedSummary extends Summary {
  /** Of writing it, which may have been long before it is put in its place. */
  readonly times: Times;
}

/** What a model is asked for at most: beyond it a summary is read as little as a transcript, and facts come from code anyway. */
const MOST_MODEL_TOKENS = 4000;

/**
 * `auto`: what the goal leaves, at least 800, at most a twelfth of the budget. What is essential may take all that the
 * goal leaves, and half of what can be had at all where the goal leaves less. A model's text takes no more than it is
 * asked for.
 * `share`: the size aimed at, of the list's.
 */
export function summaryCap(
  parts: ConversationParts,
  { room, most: free }: SummaryRoom,
  shown: Ledger,
  share: number,
): number {
  const { policy, budget, summarizer } = parts;
  if (policy.summaryMaxTokens !== "auto") return policy.summaryMaxTokens;
  const essential = essentialTokens(shown, parts, leastMentions(share));
  const most = Math.max(Math.floor(budget * SUMMARY_SHARE), Math.min(LEAST_SUMMARY_TOKENS, Math.floor(budget / 4)));
  const byGoal = Math.min(Math.max(room, LEAST_SUMMARY_TOKENS), most);
  const useful = summarizer.kind === "model" ? MOST_MODEL_TOKENS + essential : byGoal;
  const isMissed = summarizer.kind === "extractive" && room < essential;
  const held = isMissed ? essential + MISSED_TOKENS : essential;
  return Math.max(Math.min(byGoal, useful), Math.min(held, Math.max(room, Math.floor(free / 2))));
}

/** How often a name must recur to stay when the list is cut to this share. */
function leastMentions(share: number): 2 | 3 {
  return share < DEEP_CUT ? 3 : 2;
}

function essentialTokens(shown: Ledger, { counter }: ConversationParts, leastMentions: 2 | 3): number {
  const tokens = essentialFacts(shown, leastMentions).reduce(
    (sum, { line }) => sum + counter.countText(`${line}\n`),
    FRAME_TOKENS + SECTION_TOKENS,
  );
  return Math.ceil(tokens * ESSENTIAL_MARGIN);
}

/** What the list leaves for the text, where `room` is what it leaves for the summary's message. */
export function summaryGoal(
  { room, share }: { readonly room: number; readonly share: number },
  parts: ConversationParts,
  input: ConversationInput,
): SummaryGoal {
  return { tokens: room - frameTokens(parts, input), leastMentions: leastMentions(share) };
}

/** Of the frame as it will be for this session, and of the message that carries it. */
function frameTokens({ counter }: ConversationParts, { sessionId }: ConversationInput): number {
  const frame = { version: 100, sessionId, step: 100, prunedCount: 100_000, isArchived: true };
  return counter.countText(frameSummary("", frame)) + MESSAGE_TOKENS;
}

/** Cap of the text inside the frame. A figure that somebody set is what a model is asked for, so there the frame comes on top. */
export function textCap(summaryTokens: number, { policy, summarizer }: ConversationParts): number {
  const isAsked = policy.summaryMaxTokens !== "auto" && summarizer.kind === "model";
  return isAsked ? summaryTokens : Math.max(1, summaryTokens - FRAME_TOKENS);
}

/** What a model is asked for: it leaves the room that code needs to complete its text. */
function answerTokens(cap: number, shown: Ledger, parts: ConversationParts): number | undefined {
  if (parts.summarizer.kind === "extractive" || parts.policy.summaryMaxTokens !== "auto") return undefined;
  const free = cap - essentialTokens(shown, parts, 3);
  return Math.max(Math.min(cap, LEAST_SUMMARY_TOKENS), Math.min(free, MOST_MODEL_TOKENS));
}

/** Extractive text costs nothing to write, so its true size decides how much room it needs. */
export async function draftSummary(
  material: SummaryMaterial,
  { cap, goal }: { readonly cap: number; readonly goal: SummaryGoal },
  parts: ConversationParts,
  previous: string | undefined,
  input: ConversationInput,
): Promise<TimedSummary | undefined> {
  const isFree = parts.summarizer.kind === "extractive" && parts.policy.summaryMaxTokens === "auto";
  if (!isFree) return undefined;
  await nextTurn();
  const watch = startWatch(parts.clock);
  const request = summaryRequest({ ...material, goal }, cap, parts, previous, input);
  const summary = await parts.summarizer.summarize(request);
  return { ...summary, times: watch() };
}

export function summaryRequest(
  { passages, shown, goal }: SummaryMaterial,
  cap: number,
  parts: ConversationParts,
  previous: string | undefined,
  { note, signal }: ConversationInput,
): SummaryRequest {
  const { counter, policy, redactor } = parts;
  const maxTokens = textCap(cap, parts);
  const asked = answerTokens(maxTokens, shown, parts);
  return {
    passages,
    ledger: shown,
    strategy: policy.strategy,
    maxTokens,
    ...(goal === undefined ? {} : { goal }),
    ...(asked === undefined ? {} : { answerTokens: asked }),
    count: (text) => counter.countText(text),
    ...(previous === undefined ? {} : { previous }),
    ...(note === undefined ? {} : { note: redactor.text(note) }),
    ...(signal === undefined ? {} : { signal }),
  };
}
