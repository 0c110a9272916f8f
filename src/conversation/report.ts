// What a compaction gives back besides the messages: the report, field for field what `--json` prints.
import type { Repair } from "../providers/format.ts";
import type { SummaryUsage } from "../summaries/summarizer.ts";
import type { KeptCounts } from "../trace/compact-event.ts";

export interface ReportWarning {
  /** `target_not_reached`, `redaction_disabled`, `not_archived`, `no_model`, `estimated_counts`, `reader_notes`, ... */
  readonly code: string;
  readonly message: string;
}

export interface ConversationReport {
  readonly status: "compacted" | "skipped" | "pruned_only";
  /** Why, when skipped: `nothing_to_compact`, `not_beneficial`, `below_trigger`, `in_flight`, `waiting_for_growth`, `disabled`, `messages_changed`, `summary_failed`, `model_paused`. */
  readonly reason?: string;
  readonly session_id: string;
  readonly format: string;
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** The window minus the buffers: what the output must fit. */
  readonly budget: number;
  /** 1 - after / before, 4 decimals. */
  readonly reduction: number;
  readonly kept: KeptCounts;
  readonly pruned_count: number;
  readonly summary: {
    readonly version: number | null;
    readonly strategy: string;
    readonly tokens: number;
    readonly source: "extractive" | "model" | "model+ledger" | "none";
    /** Calls of a model that it took, and their tokens; absent when none was asked. */
    readonly usage?: { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number };
  };
  /** Facts the ledger carries, by kind. */
  readonly facts: Readonly<Record<string, number>>;
  /** What it costs and saves, in weighted tokens; null when nothing was compacted. */
  readonly cost: CompactionCost | null;
  readonly archive: { readonly transcript: string | null; readonly summary: string | null };
  /** Redacted, the ids of calls too. */
  readonly repairs: readonly Repair[];
  readonly warnings: readonly ReportWarning[];
}

export interface ConversationResult<Messages extends readonly unknown[] = readonly unknown[]> {
  /** Kept messages are the caller's own objects. The same array when nothing was done. */
  readonly messages: Messages;
  readonly report: ConversationReport;
}

// What a compaction costs and saves, in weighted tokens: one token of plain input is 1. The ratios are those of
// providers that charge for writing their prompt cache; no money is claimed. Pure; who measured the sizes is not its business.

interface CostWeights {
  readonly cached_read: number;
  readonly cache_write: number;
  readonly input: number;
  readonly output: number;
}

export const COST_WEIGHTS: CostWeights = { cached_read: 0.1, cache_write: 1.25, input: 1, output: 5 };

interface CostInput {
  /** Tokens of everything that would be sent, before and after. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Index of the first message of the new list that differs from the old one; the list's length when none does. */
  readonly firstChangedIndex: number;
  /** Tokens in front of it: system prompt, tool schemas and the messages that a prompt cache can still use. */
  readonly prefixTokens: number;
  /** Absent when no model was asked. */
  readonly usage?: SummaryUsage | undefined;
}

/** Plain data for the report. Weighted figures are whole numbers. */
export interface CompactionCost {
  readonly weights: CostWeights;
  readonly first_changed_index: number;
  /** Tokens that the next call writes to the cache again. */
  readonly rewritten_tokens: number;
  readonly summarizer: { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number };
  /** Once: the summarizer's calls, and writing what could have been read from the cache. */
  readonly cost_weighted: number;
  /** At each call from then on: what is no longer read from the cache. Negative when the list became larger. */
  readonly saved_per_call_weighted: number;
  /** Calls after which the savings have covered the cost; null when they never do. */
  readonly pays_back_after_calls: number | null;
}

/**
 * The cost is stated on the high side: what came since the last call is not in the cache and would have been written
 * anyway, but counts here as written because of the compaction.
 */
export function costOfCompaction({
  tokensBefore,
  tokensAfter,
  firstChangedIndex,
  prefixTokens,
  usage,
}: CostInput): CompactionCost {
  const { cached_read, cache_write, input, output } = COST_WEIGHTS;
  const rewritten = Math.max(0, tokensAfter - prefixTokens);
  const summarizer = {
    calls: usage?.calls ?? 0,
    input_tokens: usage?.inputTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
  };
  const cost =
    rewritten * (cache_write - cached_read) + summarizer.input_tokens * input + summarizer.output_tokens * output;
  const saved = (tokensBefore - tokensAfter) * cached_read;
  return {
    weights: COST_WEIGHTS,
    first_changed_index: firstChangedIndex,
    rewritten_tokens: rewritten,
    summarizer,
    cost_weighted: Math.round(cost),
    saved_per_call_weighted: Math.round(saved),
    pays_back_after_calls: callsUntil(cost, saved),
  };
}

function callsUntil(cost: number, saved: number): number | null {
  if (cost <= 0) return saved < 0 ? null : 0;
  return saved > 0 ? Math.ceil(cost / saved) : null;
}
