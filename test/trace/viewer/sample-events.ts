// Events of an attempt with known times, and redacted as they reach a sink.
import type { Redacted } from "../../../src/redaction/redactor.ts";
import type { CompactEvent, RunEvent } from "../../../src/trace/compact-event.ts";
import type { TraceSink } from "../../../src/trace/trace-sink.ts";

const BEGAN = Date.UTC(2025, 9, 14, 10);
const isoAt = (milliseconds: number) => new Date(BEGAN + milliseconds).toISOString();

export type SampleEvent = Redacted<CompactEvent>;

export const SUMMARY = 'Decided: port 5432.\n- kept "src/a.ts" 你好';

/** Of what took no time. */
export function warning(code: string, fields: object = {}): SampleEvent {
  const event = { event: "compact.warning", session_id: "s", at: isoAt(0), severity: "low", code, message: "careful" };
  return { ...event, ...fields } as unknown as SampleEvent;
}

export function during(event: string, from: number, to: number, fields: object = {}): SampleEvent {
  const times = { at: isoAt(to), started_at: isoAt(from), duration_ms: to - from };
  return { event, session_id: "s", ...times, ...fields } as unknown as SampleEvent;
}

export function runEnd(run_id: string, to: number, fields: Partial<RunEvent> = {}): SampleEvent {
  const outcome = { outcome: "completed", reason: "over_trigger_pct", step: 1, tokens_before: 1000, tokens_after: 400 };
  return during("compact.preflight", 0, to, { run_id, ...outcome, ...fields });
}

export function summaryCreated(run_id: string, from: number, to: number, summary = SUMMARY): SampleEvent {
  const usage = { calls: 1, input_tokens: 900, output_tokens: 80 };
  const figures = { step: 1, version: 1, strategy: "task_state", source: "model", input_messages: 12 };
  const fields = {
    ...figures,
    summary_tokens: 80,
    compression_ratio: 0.1,
    payload: JSON.stringify({ summary }),
    usage,
  };
  return during("compact.summary_created", from, to, { run_id, ...fields });
}

/** Two seconds: a summary that took 1.3 s, what took 5 ms and nothing, and a failure of 100 ms, all as they ended. */
export function sampleRun(run_id: string): readonly SampleEvent[] {
  const breakdown = { system: 10, developer: 0, tools_schema: 0, messages: 990 };
  const estimate = { run_id, model: "m", t_est: 1000, max_tokens: 1100, usage_pct: 0.9, breakdown, counting: "exact" };
  const policy = { trigger_pct: 0.85, hard_cap_buffer: 100, strategy: "task_state" };
  const trigger = { run_id, triggered: true, reason: "over_trigger_pct", policy, pruned_count: 12 };
  const failure = { error_type: "SummarizationFailed", message: "The model refused", fallback: "retry" };
  const pruned = { run_id, step: 1, pruned_count: 12, pruned: [1, 2, 3], tokens_before: 1000, tokens_after: 400 };
  return [
    during("compact.token_estimate", 0, 5, estimate),
    during("compact.trigger_decision", 5, 5, trigger),
    summaryCreated(run_id, 10, 1310),
    during("compact.error", 1400, 1500, { run_id, status: "error", ...failure }),
    during("compact.pruned_messages", 1600, 1600, pruned),
    runEnd(run_id, 2000),
  ];
}

export const runId = (number: number) => number.toString(16).padStart(8, "0").padEnd(32, "a");

/** Flushes more than once: what a busy machine has not sent within the limit of one leaves in the next. */
export async function emitAll(sink: TraceSink, events: readonly SampleEvent[]): Promise<void> {
  for (const event of events) sink.emit(event);
  for (let count = 0; count < 5; count++) await sink.flush();
}
