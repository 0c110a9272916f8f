// What a memory store and its compaction are made of when nobody says otherwise. Adding an implementation is one line
// here.
import type { SummarizerConfig } from "../config/summarizer-schema.ts";
import type { CompactionPlan } from "../observations/compaction/compaction-plan.ts";
import type { PlanCompactionRequest } from "../observations/compaction/plan-observation-compaction.ts";
import type { ObservationStore } from "../observations/observation-store.ts";
import {
  createSqliteObservationStore,
  type SqliteObservationStoreOptions,
} from "../observations/sqlite-observation-store.ts";
import type { RedactorOptions } from "../redaction/redactor.ts";
import { atNow, type Clock } from "../time.ts";
import type { Trace } from "../trace/emit.ts";

export type ObservationStoreOptions = Pick<SqliteObservationStoreOptions, "path" | "create">;

/** A memory store in a SQLite file, opened at its first use: a file that cannot be opened is an error of that use. Node only. */
export function openObservationStore(options: ObservationStoreOptions): ObservationStore {
  return createSqliteObservationStore(options);
}

export interface ObservationOptions {
  /** Default: the machine's clock. */
  readonly now?: Clock | undefined;
  readonly trace?: Pick<Trace, "emit"> | undefined;
}

export interface ObservationCompactionRequest
  extends Omit<PlanCompactionRequest, "olderThanDays" | "summarizer" | "count"> {
  /** Rows created more than this many times 24 hours ago are stale. Above 0. */
  readonly olderThanDays: number;
  /** As for `CompactManager`. Default: by code, no model. */
  readonly summarizer?: SummarizerConfig | undefined;
  /** Of what a model is sent. */
  readonly redaction?: RedactorOptions | undefined;
  /** Tokens of a text. Default: o200k_base. */
  readonly count?: ((text: string) => number) | undefined;
}

/**
 * What a compaction of stale observations would do, as plain data for `applyObservationCompaction`: copies of one fact leave
 * in favour of one row, notes of one topic in favour of a summary. Writes nothing.
 * @throws InvalidInput for an invalid age; InvalidConfig; SummarizationFailed; StoreFailed.
 */
export async function planObservationCompaction(
  store: ObservationStore,
  { summarizer, redaction, count, ...request }: ObservationCompactionRequest,
  options: ObservationOptions = {},
): Promise<CompactionPlan> {
  const { planObservationCompaction: plan } = await import("../observations/compaction/plan-observation-compaction.ts");
  const { writingParts } = await import("./summarizer.ts");
  const { redactor: _, ...parts } = writingParts({ summarizer, redaction, count });
  return plan(store, { ...request, ...parts }, atNow(options));
}
