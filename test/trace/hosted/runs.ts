// Runs as a compaction emits them, for sinks that make spans.
import type { Redacted } from "../../../src/redaction/redactor.ts";
import type { CompactEvent } from "../../../src/trace/compact-event.ts";

export function event(fields: object): Redacted<CompactEvent> {
  return { session_id: "s1", at: "2026-01-01T00:00:02.000Z", ...fields } as unknown as Redacted<CompactEvent>;
}

const START = "2026-01-01T00:00:01.000Z";

/** A compaction that took a second: estimate, summary (300 ms), a model's failure, its end. */
export function runOf(run_id: string, end: object = {}): readonly Redacted<CompactEvent>[] {
  return [
    event({ event: "compact.token_estimate", run_id, model: "gpt-4o", t_est: 9, started_at: START, duration_ms: 20 }),
    event({
      event: "compact.error",
      run_id,
      status: "error",
      error_type: "TIMEOUT",
      message: "No answer in 30 s",
      fallback: "retry",
      attempt: 1,
      started_at: "2026-01-01T00:00:01.100Z",
      duration_ms: 100,
    }),
    event({
      event: "compact.summary_created",
      run_id,
      step: 1,
      payload: JSON.stringify({ summary: "What happened" }),
      usage: { calls: 2, input_tokens: 900, output_tokens: 80 },
      started_at: "2026-01-01T00:00:01.500Z",
      duration_ms: 300,
    }),
    event({
      event: "compact.preflight",
      run_id,
      outcome: "completed",
      reason: "over_trigger_pct",
      started_at: START,
      duration_ms: 1_000,
      ...end,
    }),
  ];
}

export const RUN = "0123456789abcdef".repeat(2);
