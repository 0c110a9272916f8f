import { describe, expect, it } from "vitest";
import type { Redacted } from "../../src/redaction/redactor.ts";
import type { CompactEvent } from "../../src/trace/compact-event.ts";
import { attributesOf, spanOf, summaryText } from "../../src/trace/span.ts";

const base = { session_id: "s1", at: "2026-01-01T00:00:01.000Z", run_id: "ab".repeat(16) };
const of = (event: object) => attributesOf(spanOf({ ...base, ...event } as unknown as Redacted<CompactEvent>));

describe("attributesOf", () => {
  it("names the model, the session and the breakdown of an estimate", () => {
    const estimate = {
      event: "compact.token_estimate",
      model: "gpt-4o",
      t_est: 100,
      max_tokens: 1000,
      usage_pct: 0.1,
      breakdown: { system: 1, developer: 2, tools_schema: 3, messages: 94 },
      counting: "exact",
      started_at: "2026-01-01T00:00:00.900Z",
      duration_ms: 100,
    };
    expect(of(estimate)).toEqual({
      "gen_ai.conversation.id": "s1",
      "gen_ai.request.model": "gpt-4o",
      "agent_compact.run_id": base.run_id,
      "agent_compact.t_est": 100,
      "agent_compact.max_tokens": 1000,
      "agent_compact.usage_pct": 0.1,
      "agent_compact.breakdown.system": 1,
      "agent_compact.breakdown.developer": 2,
      "agent_compact.breakdown.tools_schema": 3,
      "agent_compact.breakdown.messages": 94,
      "agent_compact.counting": "exact",
    });
    expect(of({ ...estimate, model: "unnamed" })).not.toHaveProperty(["gen_ai.request.model"]);
  });

  it("tells a model's usage as the conventions do, and the summary in full", () => {
    const created = {
      event: "compact.summary_created",
      step: 1,
      payload: JSON.stringify({ summary: "What\nhappened" }),
    };
    const usage = { calls: 2, input_tokens: 900, output_tokens: 80 };
    expect(of({ ...created, usage })).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.usage.input_tokens": 900,
      "gen_ai.usage.output_tokens": 80,
      "agent_compact.usage.calls": 2,
      "agent_compact.summary": "What\nhappened",
    });
    const byCode = of(created);
    expect(Object.keys(byCode).filter((name) => /usage|operation|payload/.test(name))).toEqual([]);
    expect(summaryText("{broken")).toBe("{broken");
  });

  it("gives the most precise word for a failure", () => {
    const error = { event: "compact.error", status: "error", error_type: "SummarizationFailed", message: "m" };
    expect(of({ ...error, code: "TIMEOUT", fallback: "none", attempt: 1 })).toMatchObject({
      "error.type": "TIMEOUT",
      "gen_ai.operation.name": "chat",
      "agent_compact.error_type": "SummarizationFailed",
      "agent_compact.message": "m",
    });
    expect(of(error)["error.type"]).toBe("SummarizationFailed");
    const run = { event: "compact.preflight", outcome: "failed", reason: "ARCHIVE_FAILED" };
    expect(of(run)).toMatchObject({ "error.type": "ARCHIVE_FAILED", "gen_ai.operation.name": "compact" });
    expect(of({ ...run, outcome: "skipped" })).not.toHaveProperty(["error.type"]);
    expect(of({ ...run, outcome: "completed" })["gen_ai.conversation.compacted"]).toBe(true);
  });

  it("holds no null, no mixed list, no list of objects and no number that JSON has not", () => {
    const shortened = [{ message: 1, tokens_before: 9, tokens_after: 1 }];
    const event = { event: "compact.pruned_messages", ids: [1, "a"], pruned: [1, 2], shortened, dead_calls: [] };
    const attributes = of({ ...event, nothing: null, broken: Number.NaN, missing: undefined });
    expect(attributes).toMatchObject({
      "agent_compact.ids": ["1", "a"],
      "agent_compact.pruned": [1, 2],
      "agent_compact.pruned.count": 2,
      "agent_compact.shortened": JSON.stringify(shortened),
      "agent_compact.dead_calls": [],
    });
    expect(Object.keys(attributes).filter((name) => /nothing|broken|missing/.test(name))).toEqual([]);
  });

  it("is bounded, figures first, and says what it left out", () => {
    const many = Array.from({ length: 10_000 }, (_, n) => ({ message: n, tokens_before: n, tokens_after: 1 }));
    const big = of({
      event: "compact.summary_created",
      note: "n".repeat(50_000),
      shortened: many,
      pruned: many.map(({ message }) => message),
      summary_tokens: 7,
      payload: JSON.stringify({ summary: `${"🙂".repeat(400_000)}` }),
    });
    expect(JSON.stringify(big).length).toBeLessThan(70_000);
    expect(big).toMatchObject({
      "agent_compact.summary_tokens": 7,
      "agent_compact.shortened.count": 10_000,
      "agent_compact.pruned.count": 10_000,
      "agent_compact.truncated": true,
    });
    expect(String(big["agent_compact.note"]).length).toBe(32_000);
  });
});
