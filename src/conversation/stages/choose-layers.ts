// Puts the sizes together: target, room for the summary, what stays, what is shortened at the floor, and what
// leaves. Raises `InsufficientBudget` when the parts that cannot shrink exceed the budget. Touches no store.
import { CompactError } from "../../errors.ts";
import { extractFacts } from "../../facts/extract-facts.ts";
import type { FactInput } from "../../facts/fact-message.ts";
import { EMPTY_LEDGER, type Ledger } from "../../facts/ledger.ts";
import { essentialLines } from "../../facts/ledger-text.ts";
import { mergeLedgers } from "../../facts/merge-ledgers.ts";
import type { Passage, Summary } from "../../summarizers/summarizer.ts";
import type { ConversationInput, ConversationParts } from "../conversation-parts.ts";
import type { SessionState } from "../session-state.ts";
import { type Fit, fit, floorFit } from "./fit.ts";
import { readPassages } from "./passages.ts";
import type { ReadConversation } from "./read-conversation.ts";
import { shortenResults } from "./shorten.ts";

/** Tokens of the frame around a summary, with room for a long session id. */
const FRAME_TOKENS = 220;
const LEAST_SUMMARY_TOKENS = 800;

export interface Layers {
  readonly target: number;
  /** Cap of the summary message, frame included. */
  readonly summaryTokens: number;
  readonly fit: Fit;
  /** Tokens of the result, as far as they are known before the summary is written; 0 when only that can tell. */
  readonly expectedTokens: number;
  /** Indices into the read messages. */
  readonly pinned: readonly number[];
  readonly recent: readonly number[];
  readonly removed: readonly number[];
  /** Copies of messages whose tool results had to be shortened, by original. */
  readonly shortened: ReadonlyMap<unknown, unknown>;
  /** Carried ledger plus the facts of what leaves. */
  readonly ledger: Ledger;
  readonly passages: readonly Passage[];
  /** A summary that was already written to learn its size, and still holds. */
  readonly draft: Summary | undefined;
}

export interface LayersInput {
  readonly input: ConversationInput;
  readonly read: ReadConversation;
  readonly state: SessionState;
  readonly step: number;
  readonly parts: ConversationParts;
  /** Redacts a text; remembers it, since facts and passages ask for the same ones. */
  readonly redact: (text: string) => string;
}

export async function chooseLayers(choice: LayersInput): Promise<Layers> {
  const { input, read, parts } = choice;
  const target = targetOf(input, parts);
  const fitInput = { units: read.units, policy: parts.policy, fixedTokens: read.fixedTokens, target, summaryTokens: 0 };
  const floor = floorFit(fitInput);
  const atFloor = describeRemoval(choice, floor);
  const cap = summaryCap(choice, target - floor.tokens, atFloor.ledger);
  const draft = await draftSummary(choice, atFloor, cap);
  const summaryTokens =
    atFloor.removed.length === 0
      ? 0
      : draft === undefined
        ? cap
        : Math.min(cap, Math.ceil(parts.counter.countText(draft.text) * 1.05) + FRAME_TOKENS);
  const chosen = fit({ ...fitInput, summaryTokens });
  const isFloor = chosen.tokens === floor.tokens;
  const removal = isFloor ? atFloor : describeRemoval(choice, chosen);
  const { shortened, tokensWon } = shortenAtFloor(choice, chosen, summaryTokens, target);
  return {
    target,
    expectedTokens: draft === undefined ? 0 : chosen.tokens - tokensWon + parts.counter.countText(draft.text),
    summaryTokens: Math.max(summaryTokens, Math.min(cap, FRAME_TOKENS)),
    fit: chosen,
    ...layersOf(read, chosen),
    ...removal,
    shortened,
    draft: isFloor ? draft : undefined,
  };
}

function targetOf(input: ConversationInput, { policy, maxContextTokens, budget }: ConversationParts): number {
  const share = policy.targetPct ?? Math.max(0.05, policy.triggerPct - 0.1);
  return Math.min(input.targetTokens ?? Math.floor(share * maxContextTokens), budget);
}

/** `auto`: what the goal leaves, at least 800, at most a quarter of the budget; the users' own words and the written files may take half. */
function summaryCap({ parts }: LayersInput, room: number, ledger: Ledger): number {
  const { summaryMaxTokens } = parts.policy;
  if (summaryMaxTokens !== "auto") return summaryMaxTokens;
  const essential = essentialLines(ledger).reduce(
    (sum, line) => sum + parts.counter.countText(`${line}\n`),
    FRAME_TOKENS + LEAST_SUMMARY_TOKENS / 4,
  );
  const byGoal = Math.min(Math.max(room, LEAST_SUMMARY_TOKENS), Math.floor(parts.budget / 4));
  return Math.max(byGoal, Math.min(Math.ceil(essential * 1.15), Math.floor(parts.budget / 2)));
}

/** Extractive text costs nothing to write, so its true size decides how much room it needs. */
async function draftSummary(choice: LayersInput, removal: Removal, cap: number): Promise<Summary | undefined> {
  const { parts, input } = choice;
  if (
    parts.summarizer.kind !== "extractive" ||
    parts.policy.summaryMaxTokens !== "auto" ||
    removal.removed.length === 0
  )
    return undefined;
  return parts.summarizer.summarize(summaryRequest(removal, cap, parts, choice.read.previousSummary, input));
}

export function summaryRequest(
  removal: Pick<Removal, "passages" | "ledger">,
  cap: number,
  { counter, policy }: ConversationParts,
  previous: string | undefined,
  { note, signal }: ConversationInput,
) {
  return {
    passages: removal.passages,
    ledger: removal.ledger,
    strategy: policy.strategy,
    maxTokens: Math.max(1, cap - FRAME_TOKENS),
    count: (text: string) => counter.countText(text),
    ...(previous === undefined ? {} : { previous }),
    ...(note === undefined ? {} : { note }),
    ...(signal === undefined ? {} : { signal }),
  };
}

interface Removal {
  readonly removed: readonly number[];
  readonly ledger: Ledger;
  readonly passages: readonly Passage[];
}

function describeRemoval({ read, state, step, redact }: LayersInput, chosen: Fit): Removal {
  const { removed } = layersOf(read, chosen);
  const fresh = removed.filter((index) => !read.replaced.has(index));
  const facts: FactInput[] = fresh.flatMap((index) => {
    const view = read.views[index];
    return view === undefined ? [] : [{ view, source: { step, message: read.numbers[index] ?? 1 } }];
  });
  const found = facts.length === 0 ? EMPTY_LEDGER : extractFacts(facts, redact);
  return { removed, ledger: mergeLedgers(state.ledger, found), passages: readPassages(facts, redact) };
}

function layersOf({ units }: ReadConversation, { stays }: Fit) {
  const pinned: number[] = [];
  const recent: number[] = [];
  const removed: number[] = [];
  for (const [position, unit] of units.entries()) {
    const layer = unit.standing === "pinned" ? pinned : stays[position] ? recent : removed;
    layer.push(...unit.messages);
  }
  const ascending = (indices: number[]) => indices.sort((a, b) => a - b);
  return { pinned: ascending(pinned), recent: ascending(recent), removed: ascending(removed) };
}

interface Shortened {
  readonly shortened: ReadonlyMap<unknown, unknown>;
  readonly tokensWon: number;
}

/** Only when even the floor is too big: for the budget, or for a size the caller asked for by name. */
function shortenAtFloor(choice: LayersInput, chosen: Fit, summaryTokens: number, target: number): Shortened {
  const { input, read, parts, step } = choice;
  const limit = input.targetTokens === undefined ? parts.budget : target;
  const excess = chosen.tokens + summaryTokens - limit;
  if (excess <= 0) return { shortened: new Map(), tokensWon: 0 };
  const candidates = layersOf(read, chosen).recent.flatMap((index) => {
    const view = read.views[index];
    const reference = `agent-compact archive expand ${step}.${read.numbers[index]} --session-id ${JSON.stringify(input.sessionId)}`;
    return view?.parts.some((part) => part.kind === "result")
      ? [{ index, view, message: read.messages[index], reference }]
      : [];
  });
  const shortened = parts.policy.shortenToolResults
    ? shortenResults({
        format: read.format,
        messages: candidates,
        excess,
        count: (text) => parts.counter.countText(text),
      })
    : new Map<unknown, unknown>();
  const tokensWon = candidates.reduce(
    (sum, { index, message }) => sum + wonBy(shortened.get(message), index, choice),
    0,
  );
  if (chosen.tokens + summaryTokens - tokensWon > parts.budget) throw insufficientBudget(choice, chosen, summaryTokens);
  return { shortened, tokensWon };
}

function wonBy(shorter: unknown, index: number, { read, parts }: LayersInput): number {
  return shorter === undefined
    ? 0
    : (read.tokens[index] ?? 0) - parts.counter.countMessage(shorter, read.format.view(shorter));
}

function insufficientBudget({ read, parts }: LayersInput, chosen: Fit, summaryTokens: number): CompactError {
  const staying = read.units.filter((_, position) => chosen.stays[position]);
  const sizes = staying.map((unit) => ({
    messages: unit.messages.map((index) => read.numbers[index]),
    tokens: unit.tokens,
    why: unit.why,
  }));
  const pinned = staying.filter(({ standing }) => standing === "pinned").reduce((sum, { tokens }) => sum + tokens, 0);
  const recent = chosen.tokens - pinned - read.fixedTokens;
  const largest = [...sizes]
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, 3)
    .map((unit) => `message ${unit.messages[0]} (${unit.why}): ${unit.tokens}`);
  return new CompactError(
    "InsufficientBudget",
    `What cannot shrink takes ${chosen.tokens + summaryTokens} tokens, the budget is ${parts.budget}: protected memory ${pinned}, recent layer ${recent}, system prompt and tools beside the messages ${read.fixedTokens}, summary ${summaryTokens}. Largest: ${largest.join("; ")}.`,
    {
      hint: "Reduce protected memory, or raise the context limit (max_context_tokens) of the model.",
      data: { budget: parts.budget, pinned, recent, fixed: read.fixedTokens, summary: summaryTokens, units: sizes },
    },
  );
}
