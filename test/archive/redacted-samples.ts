// Marks test values as redacted. What really redacts is tested in test/redaction; here a stand-in takes one word out.
import type { SummaryRecord } from "../../src/archive/archive.ts";
import type { Redacted } from "../../src/redaction/redactor.ts";
import { sha256 } from "../../src/storage/sha256.ts";

export function asRedacted<T>(value: T): Redacted<T> {
  return value as Redacted<T>;
}

export function asRedactedList(messages: readonly unknown[]): readonly Redacted<unknown>[] {
  return messages.map((message) => asRedacted(message));
}

export function summaryRecord(
  sessionId: string,
  step: number,
  changes: Partial<SummaryRecord> = {},
): Redacted<SummaryRecord> {
  const text = changes.text ?? `summary ${step} of ${sessionId}`;
  return asRedacted({
    session_id: sessionId,
    step,
    version: step,
    created_at: new Date(Date.UTC(2026, 0, 1, 0, 0, step)).toISOString(),
    format: "openai-chat",
    strategy: "task_state",
    source: "extractive",
    text,
    summary_hash: sha256(text),
    tokens: 10,
    tokens_before: 100,
    tokens_after: 50,
    pruned: [],
    ...changes,
  });
}
