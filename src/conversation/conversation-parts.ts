// What the conversation part is made of. Contracts only: wiring picks the implementations.
import type { Archive } from "../archive/archive.ts";
import type { Ledger } from "../facts/ledger.ts";
import type { Format, MessageView } from "../providers/format.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Summarizer } from "../summaries/summarizer.ts";
import type { Clock } from "../time.ts";
import type { Pacer } from "../tokens/stepwise.ts";
import type { Trace } from "../trace/emit.ts";
import type { ConversationPolicy } from "./policy.ts";

/** Counts with a memo: asking again for the same message or text costs a look-up. */
export interface MessageCounter {
  readonly isExact: boolean;
  /** Share by which an estimate may be off; 0 when exact or unknown. */
  readonly margin: number;
  countText(text: string): number;
  countMessage(message: unknown, view: MessageView): number;
  /** The same, in turns where a text is large. Absent: `countMessage` is called. */
  countMessageInTurns?(message: unknown, view: MessageView, pacer: Pacer): Promise<number>;
  /** 0 for none. */
  countSystem(system: unknown): number;
  countTools(tools: unknown): number;
}

export interface ConversationParts {
  readonly formats: readonly Format[];
  readonly counter: MessageCounter;
  readonly model: string;
  readonly maxContextTokens: number;
  /** The window minus the buffers. */
  readonly budget: number;
  readonly policy: ConversationPolicy;
  readonly summarizer: Summarizer;
  /** Needs no model, so it can stand in when `summarizer` fails. */
  readonly extractive: Summarizer;
  readonly archive: Archive | undefined;
  /** With true, nothing is pruned unless the archive has it. */
  readonly isArchiveRequired: boolean;
  readonly redactor: Redactor;
  /** False: what the summarizer reads keeps its secrets. What leaves the process otherwise never does. */
  readonly redactsPassages: boolean;
  readonly trace: Pick<Trace, "emit">;
  readonly clock: Clock;
  readonly isEnabled: boolean;
  /** After each compaction, with all that is known of the session by then. Never rejects. */
  readonly handOver: ((sessionId: string, ledger: Ledger) => Promise<void>) | undefined;
  /** Pins messages besides the protected ones. */
  readonly protect: ((message: unknown) => boolean) | undefined;
}

export interface ConversationInput {
  readonly sessionId: string;
  readonly messages: readonly unknown[];
  /** Name of the messages' format; told from their shape when absent. */
  readonly format?: string;
  /** System prompt that is sent beside the messages (Anthropic `system`, Responses `instructions`). */
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  /** Manual compaction acts whatever the size. */
  readonly isManual: boolean;
  /** No person asked, but the trigger of a host: the same, told as such. */
  readonly isAutomatic?: boolean;
  /** Tokens to come down to instead of the policy's target; a goal, never above the budget. */
  readonly targetTokens?: number;
  readonly note?: string;
  /** What the provider reported for the last call of this session, in any of the usual spellings. */
  readonly usage?: unknown;
  /** Refuse damaged input instead of healing it. */
  readonly isStrict?: boolean;
  readonly signal?: AbortSignal;
}

// The figures that a policy comes to in a window: one set, for trigger, fit and everything that reports.

interface Limits {
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

// The size that a compaction aims at when nobody asks for one: the policy's tokens, else its share of the window,
// else as far below the trigger as the spec's default share is below its.

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

// Where a failure is told to be.

/** Of a failure: the compaction that it is part of. */
export function placeOfFailure({ step }: { readonly step: number }, { policy, summarizer }: ConversationParts) {
  return { step, strategy: policy.strategy, ...writerOf(summarizer) };
}

/** The model that writes; nothing where code does. */
export function writerOf({ model }: ConversationParts["summarizer"]): {
  readonly model?: string;
  readonly provider?: string;
} {
  if (model === undefined) return {};
  return { model: model.name, ...(model.provider === undefined ? {} : { provider: model.provider }) };
}
