// Events as spans: one each, the run's last event the root, whose id its children know before it is there.
import { describe, expect, it } from "vitest";
import type { Redacted } from "../../src/redaction/redactor.ts";
import type { CompactEvent } from "../../src/trace/compact-event.ts";
import { type NewCompactEvent, startRun } from "../../src/trace/emit.ts";

import { isRunEnd, type Span, spanOf } from "../../src/trace/span.ts";

const AT = "2031-01-02T03:04:05.000Z";
const asStamped = (event: NewCompactEvent) => ({ ...event, at: AT }) as unknown as Redacted<CompactEvent>;

const archival: NewCompactEvent = {
  event: "compact.archival",
  session_id: "s",
  step: 1,
  storage_adapter: "memory",
  what: "transcript",
  location: "memory:s/1",
};
const error: NewCompactEvent = {
  event: "compact.error",
  session_id: "s",
  status: "error",
  error_type: "SummarizationFailed",
  message: "It failed.",
  fallback: "none",
};

/** In the order in which they leave. */
function spansOfRun(end: Parameters<ReturnType<typeof startRun>["end"]>[0], clock = () => 0): readonly Span[] {
  const spans: Span[] = [];
  const trace = { emit: (event: NewCompactEvent) => void spans.push(spanOf(asStamped(event))) };
  const run = startRun(trace, { event: "compact.preflight", session_id: "s" }, clock);
  run.emit(archival);
  run.emit(error);
  run.end(end);
  return spans;
}

describe("the spans of a run", () => {
  it("are one trace: children that name the root before it has left, and then the root", () => {
    const [first, second, root, ...others] = spansOfRun({ outcome: "completed", reason: "over_budget" });
    expect(others).toEqual([]);
    expect(root?.parentId).toBeUndefined();
    expect(root?.spanId).toBe(root?.traceId.slice(0, 16));
    for (const child of [first, second]) {
      expect(child?.traceId).toBe(root?.traceId);
      expect(child?.parentId).toBe(root?.spanId);
    }
  });

  it("have ids of their own over a thousand runs", () => {
    const spans = Array.from({ length: 1000 }, () => spansOfRun({ outcome: "skipped", reason: "disabled" })).flat();
    expect(spans).toHaveLength(3000);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3000);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1000);
    for (const { spanId, traceId } of spans) expect([spanId, traceId].join(" ")).toMatch(/^[0-9a-f]{16} [0-9a-f]{32}$/);
  });

  it("are errors where something failed, and nowhere else", () => {
    const errorsOf = (outcome: "completed" | "skipped" | "failed" | "aborted") =>
      spansOfRun({ outcome, reason: "r" }).map(({ isError }) => isError);
    expect(errorsOf("completed")).toEqual([false, true, false]);
    expect(errorsOf("skipped")).toEqual([false, true, false]);
    expect(errorsOf("aborted")).toEqual([false, true, false]);
    expect(errorsOf("failed")).toEqual([false, true, true]);
  });
});

describe("an event outside a run", () => {
  it("is a trace of its own", () => {
    const [a, b] = [spanOf(asStamped(error)), spanOf(asStamped(error))];
    expect([a.parentId, b.parentId]).toEqual([undefined, undefined]);
    expect(a.spanId).toBe(a.traceId.slice(0, 16));
    expect(a.traceId).not.toBe(b.traceId);
    expect(isRunEnd(a.event)).toBe(false);
  });
});

describe("the times of a span", () => {
  const emitted = Date.parse(AT);
  const timesOf = (event: NewCompactEvent) => {
    const { startedAt, endedAt } = spanOf(asStamped(event));
    return [startedAt, endedAt];
  };

  it("are those of what the event tells, however much later it was emitted", () => {
    expect(timesOf({ ...archival, started_at: "2031-01-02T03:00:00.000Z", duration_ms: 40 })).toEqual([
      Date.UTC(2031, 0, 2, 3),
      Date.UTC(2031, 0, 2, 3) + 40,
    ]);
  });

  it("end when it was emitted where only the duration is known", () => {
    expect(timesOf({ ...archival, duration_ms: 40 })).toEqual([emitted - 40, emitted]);
  });

  it("are one moment for what took no time", () => {
    expect(timesOf(archival)).toEqual([emitted, emitted]);
  });

  it("hold the children's within the root's", () => {
    let now = emitted - 500;
    const clock = () => now;
    const spans: Span[] = [];
    const trace = { emit: (event: NewCompactEvent) => void spans.push(spanOf(asStamped(event))) };
    const run = startRun(trace, { event: "compact.manual", session_id: "s" }, clock);
    run.emit({ ...archival, duration_ms: 100 });
    now = emitted;
    run.end({ outcome: "completed", reason: "manual" });
    const [child, root] = spans;
    expect([root?.startedAt, root?.endedAt]).toEqual([emitted - 500, emitted]);
    expect(child?.startedAt).toBeGreaterThanOrEqual(root?.startedAt ?? 0);
    expect(child?.endedAt).toBeLessThanOrEqual(root?.endedAt ?? 0);
  });
});
