import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOtlpSink, type OtlpSinkOptions } from "../../../src/trace/otlp-sink.ts";
import { PACKAGE_NAME, PACKAGE_VERSION } from "../../../src/trace/span.ts";
import { valuesOf } from "../collector/check-traces.ts";
import { attributesAt, type Collector, startCollector } from "../collector/collector.ts";
import { postingSuite } from "../viewer/posting-faults.ts";
import {
  during,
  emitAll,
  runEnd,
  runId,
  SUMMARY,
  sampleRun,
  summaryCreated,
  warning,
} from "../viewer/sample-events.ts";

postingSuite({
  label: "OTLP",
  start: startCollector,
  open: createOtlpSink,
  codesAt: (collector) => collector.spans.map(({ attributes }) => valuesOf(attributes)["agent_compact.code"]),
});

describe("the OTLP sink", () => {
  let collector: Collector;
  let lines: string[];
  beforeEach(async () => {
    collector = await startCollector();
    lines = [];
  });
  afterEach(() => collector.close());
  const open = (options: Partial<OtlpSinkOptions> = {}, own = lines) =>
    createOtlpSink({ url: collector.url, write: (line) => own.push(line), ...options });
  const faults = () => collector.posts.flatMap(({ fault }) => fault ?? []);

  it("sends a run as one trace that a strict collector takes", async () => {
    await emitAll(open(), sampleRun(runId(1)));
    expect(faults()).toEqual([]);
    const root = collector.spans.find(({ name }) => name === "compact.preflight");
    expect(collector.spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ["compact.token_estimate", root?.spanId],
      ["compact.trigger_decision", root?.spanId],
      ["compact.summary_created", root?.spanId],
      ["compact.error", root?.spanId],
      ["compact.pruned_messages", root?.spanId],
      ["compact.preflight", undefined],
    ]);
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([runId(1)]));
    const summary = collector.spans.find(({ name }) => name === "compact.summary_created");
    // A call of a model is a client's.
    expect(collector.spans.map(({ kind }) => kind)).toEqual(collector.spans.map((span) => (span === summary ? 3 : 1)));
    expect(summary?.startTimeUnixNano).toBe("1760436000010000000");
    expect(summary?.endTimeUnixNano).toBe("1760436001310000000");
    expect(collector.resources.map(({ attributes }) => valuesOf(attributes))).toEqual([
      { "service.name": PACKAGE_NAME, "service.version": PACKAGE_VERSION },
    ]);
  });

  it("gives every attribute its type", async () => {
    await emitAll(open(), sampleRun(runId(1)));
    expect(attributesAt(collector, "compact.summary_created")).toMatchObject({
      "gen_ai.conversation.id": "s",
      "gen_ai.usage.input_tokens": 900,
      "agent_compact.compression_ratio": 0.1,
      "agent_compact.summary": SUMMARY,
    });
    expect(attributesAt(collector, "compact.pruned_messages")).toMatchObject({ "agent_compact.pruned": [1, 2, 3] });
    expect(attributesAt(collector, "compact.trigger_decision")).toMatchObject({ "agent_compact.triggered": true });
    const raw = collector.spans.find(({ name }) => name === "compact.token_estimate")?.attributes;
    expect(raw).toContainEqual({ key: "agent_compact.t_est", value: { intValue: "1000" } });
    expect(raw).toContainEqual({ key: "agent_compact.usage_pct", value: { doubleValue: 0.9 } });
  });

  it("marks what failed", async () => {
    await emitAll(open(), [...sampleRun(runId(1)), runEnd(runId(2), 5, { outcome: "failed", reason: "STORE_FAILED" })]);
    expect(collector.spans.map(({ status }) => status)).toEqual([
      ...[{}, {}, {}, { code: 2, message: "The model refused" }, {}],
      ...[{ code: 1 }, { code: 2, message: "STORE_FAILED" }],
    ]);
    expect(attributesAt(collector, "compact.error")).toMatchObject({ "error.type": "SummarizationFailed" });
  });

  it("keeps fractions of a millisecond, and no end before its start", async () => {
    const fractions = during("compact.archival", 0, 1, { duration_ms: 1.25 });
    await emitAll(open(), [fractions, warning("back", { duration_ms: -5 })]);
    expect(faults()).toEqual([]);
    const [first, second] = collector.spans;
    expect(first?.endTimeUnixNano).toBe("1760436000001250000");
    expect(second?.endTimeUnixNano).toBe(second?.startTimeUnixNano);
  });

  it.each(["", "/", "/v1/traces", "/v1/traces?tenant=a"])("takes an address that ends in %j", async (end) => {
    await emitAll(open({ url: collector.url + end }), [warning("c")]);
    expect(collector.posts.map(({ path, status }) => [path, status])).toEqual([
      [`/v1/traces${end.includes("?") ? "?tenant=a" : ""}`, 200],
    ]);
  });

  it("appends to a base with a path", async () => {
    await emitAll(open({ url: `${collector.url}/otlp` }), [warning("c")]);
    expect(collector.posts.map(({ path }) => path)).toEqual(["/otlp/v1/traces"]);
    expect(lines.join()).toMatch(/status 404/);
  });

  it("sends the headers, and shows none of them, whatever the collector says", async () => {
    const headers = { authorization: "Bearer hunter2hunter2", "x-tenant": "a" };
    collector.answerWith({ partialSuccess: { errorMessage: "Bearer hunter2hunter2 is old\u001b[31m\nreally" } });
    await emitAll(open({ headers }), [warning("c")]);
    expect(collector.posts[0]?.headers).toMatchObject(headers);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\[OTLP\] a complaint by .*\/v1\/traces: <REDACTED> is old/);
    expect(lines[0]).not.toMatch(/\p{Cc}|hunter2/u);
    const bad = { authorization: "hunter2\nx: y" };
    expect(() => open({ headers: bad })).toThrow(expect.objectContaining({ code: "INVALID_HEADER" }));
    expect(() => open({ headers: bad })).not.toThrow(/hunter2/);
  });

  it("counts and tells what a collector takes out of a post, once for many", async () => {
    collector.answerWith({ partialSuccess: { rejectedSpans: "2", errorMessage: "too old" } });
    const sink = open();
    for (let count = 0; count < 3; count++) await emitAll(sink, [warning("a"), warning("b"), warning("c")]);
    expect(sink.dropped).toBe(6);
    expect(lines).toEqual([`[OTLP] 2 events not taken by ${collector.url}/v1/traces: too old`]);
    collector.answerWith("not even an object");
    await emitAll(sink, [warning("a")]);
    expect([sink.dropped, lines.length]).toEqual([6, 1]);
  });

  it("stays within 512 spans and a megabyte a post", async () => {
    const sink = open();
    await emitAll(
      sink,
      Array.from({ length: 1_100 }, (_, n) => warning(`c${n}`)),
    );
    expect(collector.posts).toHaveLength(3);
    const texts = Array.from({ length: 40 }, (_, n) => summaryCreated(runId(n), 0, 1, "好".repeat(40_000)));
    await emitAll(sink, [...texts, warning("\ud800", { session_id: "x".repeat(2_000_000) })]);
    expect(faults()).toEqual([]);
    expect(collector.spans).toHaveLength(1_141);
    expect(Math.max(...collector.posts.map(({ bytes }) => bytes))).toBeLessThanOrEqual(1_000_000);
  });

  it("names the version that package.json has", () => {
    const file = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
    expect(JSON.parse(file)).toMatchObject({ name: PACKAGE_NAME, version: PACKAGE_VERSION });
  });
});
