// What a memory store and its compaction are made of when nobody says otherwise. Adding an implementation is one line
// here.
import type { SummarizerConfig } from "./config/summarizer-schema.ts";
import type { CompactionOptions, CompactionPlan } from "./observations/compaction/compaction-plan.ts";
import type { PlanCompactionRequest } from "./observations/compaction/plan-observation-compaction.ts";
import type { ObservationStore } from "./observations/observation-store.ts";
import {
  createSqliteObservationStore,
  type SqliteObservationStoreOptions,
} from "./observations/sqlite-observation-store.ts";
import type { ImportedRows } from "./observations/transfer/imported-rows.ts";
import type { RedactorOptions } from "./redaction/redactor.ts";
import { resolveModel } from "./tokens/models.ts";

export type ObservationStoreOptions = Pick<SqliteObservationStoreOptions, "path" | "create">;

/** A memory store in a SQLite file, opened at its first use: a file that cannot be opened is an error of that use. Node only. */
export function openObservationStore(options: ObservationStoreOptions): ObservationStore {
  return createSqliteObservationStore(options);
}

export interface PlanObservationsRequest extends Omit<PlanCompactionRequest, "summarizer" | "count"> {
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
 * @throws InvalidInput for an age that is none; InvalidConfig; SummarizationFailed; StoreFailed.
 */
export async function planObservationCompaction(
  store: ObservationStore,
  { summarizer, redaction, count, ...request }: PlanObservationsRequest,
  options: Partial<CompactionOptions> = {},
): Promise<CompactionPlan> {
  const [{ planObservationCompaction: plan }, { summarizerOf }, { createRedactor }, { counterFor }] = await Promise.all(
    [
      import("./observations/compaction/plan-observation-compaction.ts"),
      import("./factories/summarizer.ts"),
      import("./redaction/redactor.ts"),
      import("./tokens/create-token-counter.ts"),
    ],
  );
  const counter = counterFor(resolveModel(undefined));
  const parts = {
    summarizer: summarizerOf(summarizer, { redactor: createRedactor(redaction) }),
    count: count ?? ((text: string) => counter.count(text)),
  };
  return plan(store, { ...request, ...parts }, { now: Date.now(), ...options });
}

/**
 * The rows of a text that was decoded already. Damaged lines and items without a text are left out and counted.
 * @throws InvalidInput `TRUNCATED_JSON` for one JSON text whose end is missing, with the `line` it ends in and what it ends
 * `inside` of; `UNKNOWN_FORMAT` where nothing in it is of a known format, or not of the format asked for.
 */
export async function readImportedRows(text: string, format = "auto"): Promise<ImportedRows> {
  const { readImportedRows: read } = await import("./observations/transfer/read-rows.ts");
  return read(text, format);
}
