// What a compaction gives back besides the messages: the report, field for field what `--json` prints.
import type { Repair } from "../formats/format.ts";
import type { KeptCounts } from "../trace/compact-event.ts";
import type { CompactionCost } from "./cost.ts";

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

export interface ConversationResult {
  /** Kept messages are the caller's own objects. The same array when nothing was done. */
  readonly messages: readonly unknown[];
  readonly report: ConversationReport;
}
