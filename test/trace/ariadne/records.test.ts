// What the sink sends, as the viewer takes and shows it.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AriadneSinkOptions, createAriadneSink } from "../../../src/trace/ariadne-sink.ts";
import { verifies } from "../../requirements/verifies.ts";
import { emitAll, runEnd, runId, SUMMARY, sampleRun, summaryCreated, warning } from "../viewer/sample-events.ts";
import { durationText, groupsOf, responseText, timelineOf } from "../viewer/timeline.ts";
import { startViewer, type Viewer } from "../viewer/viewer.ts";

let viewer: Viewer;
let lines: string[];
beforeEach(async () => {
  viewer = await startViewer();
  lines = [];
});
afterEach(() => viewer.close());

const open = (options: Partial<AriadneSinkOptions> = {}, own = lines) =>
  createAriadneSink({ url: viewer.url, write: (line) => own.push(line), ...options });
const bytesOf = (text: unknown) => Buffer.byteLength(String(text));

describe("records for the viewer", () => {
  it("shows a run as a tree with true bars", async () => {
    verifies("values/viewer-bar-geometry", "conversation/timeline-in-viewer");
    await emitAll(open(), sampleRun(runId(1)));
    const rows = timelineOf(viewer.records, runId(1));
    expect(rows.map(({ span, depth }) => `${depth} ${span.name}`)).toEqual([
      "0 compact.preflight",
      "1 compact.token_estimate",
      "1 compact.trigger_decision",
      "1 compact.summary_created",
      "1 compact.error",
      "1 compact.pruned_messages",
    ]);
    expect(rows.map(({ bar }) => bar)).toEqual([
      { left: 0, width: 100, text: "2.00s", color: "cyan" },
      { left: 0, width: 1, text: "5ms", color: "cyan" },
      { left: 0.25, width: 1, text: "<1ms", color: "cyan" },
      { left: 0.5, width: 65, text: "1.30s", color: "cyan" },
      { left: 70, width: 5, text: "100ms", color: "rose" },
      { left: 80, width: 1, text: "<1ms", color: "cyan" },
    ]);
    expect(durationText(90_000)).toBe("1.50m");
    expect(lines).toEqual([]);
  });

  it("shows summary, message, policy and counts in the inspector", async () => {
    verifies("values/viewer-summary-output-text", "conversation/timeline-in-viewer");
    await emitAll(open(), sampleRun(runId(1)));
    const dataOf = (name: string) => viewer.spans.find((span) => span.name === name)?.data;
    const summary = dataOf("compact.summary_created");
    expect(responseText(summary)).toBe(SUMMARY);
    expect(JSON.parse(String(summary?.payload))).toEqual({ summary: SUMMARY });
    expect(responseText({ payload: summary?.payload })).toBeUndefined();
    expect(responseText(dataOf("compact.error"))).toBe("The model refused");
    expect(dataOf("compact.trigger_decision")).toMatchObject({ triggered: true, policy: { trigger_pct: 0.85 } });
    expect(dataOf("compact.token_estimate")).toMatchObject({ t_est: 1000, breakdown: { messages: 990 } });
    expect(viewer.spans.map(({ name, kind }) => [name, kind])).toContainEqual(["compact.summary_created", "llm"]);
  });

  it("gives the root no parent field, and each trace one record, complete and after all spans", async () => {
    verifies("values/viewer-root-omits-parent");
    await emitAll(open(), [...sampleRun(runId(1)), ...sampleRun(runId(2))]);
    const roots = viewer.spans.filter((span) => !("parent_id" in span));
    expect(roots.map(({ name }) => name)).toEqual(["compact.preflight", "compact.preflight"]);
    expect(viewer.posts.map(({ text }) => text).join("")).not.toContain(":null");
    for (const { trace_id } of roots)
      expect(viewer.records.findLast((record) => record.trace_id === trace_id)?.type).toBe("trace");
    expect(viewer.traces).toMatchObject([
      {
        ...{ type: "trace", trace_id: runId(1), name: "1,000 -> 400", group_id: "session:s" },
        metadata: { agent_id: "session:s", agent_name: "session s", step: "1" },
        ...{ started_at: "2025-10-14T10:00:00.000Z", ended_at: "2025-10-14T10:00:02.000Z" },
      },
      { type: "trace", trace_id: runId(2) },
    ]);
    expect(groupsOf(viewer.records)).toEqual([{ label: "session s", traces: [runId(2), runId(1)] }]);
  });

  it("lists what began at one moment in the order in which it was emitted", async () => {
    const run_id = runId(1);
    const codes = ["a", "b", "c", "d"];
    await emitAll(open(), [...codes.map((code) => warning(code, { run_id })), runEnd(run_id, 10)]);
    const rows = timelineOf(viewer.records, run_id).slice(1);
    expect(rows.map(({ span }) => span.data?.code)).toEqual(codes);
  });

  it("sends times that end in Z whatever the clock gave", async () => {
    verifies("values/viewer-times-end-in-z");
    const times = [
      "2025-10-14T12:00:00+02:00",
      "2025-10-14T10:00:00Z",
      "2025-10-14 10:00:00.5",
      "+012025-10-14T10:00:00Z",
    ];
    await emitAll(
      open(),
      times.map((at) => warning("c", { at, started_at: at, duration_ms: 1.5 })),
    );
    const sent = viewer.posts.flatMap(({ text }) => text.match(/"(?:started|ended)_at":"[^"]*"/g) ?? []);
    expect(sent.length).toBeGreaterThanOrEqual(6);
    expect(sent.filter((time) => !time.endsWith('Z"'))).toEqual([]);
    expect(viewer.spans[0]?.data).not.toHaveProperty("started_at");
  });

  it("drops what has no time, alone, and sets an end that is too early to the start", async () => {
    const sink = open();
    await emitAll(sink, [warning("bad", { at: "soon" }), warning("good", { duration_ms: -5 })]);
    expect(viewer.spans.map(({ data }) => data?.code)).toEqual(["good"]);
    expect(viewer.spans[0]?.ended_at).toBe(viewer.spans[0]?.started_at);
    expect([sink.dropped, lines.length]).toEqual([1, 1]);
  });

  it("cuts long strings with the marker, inside lists too, and keeps the payload JSON", async () => {
    verifies("values/viewer-long-strings");
    const long = "好".repeat(300_000);
    const run_id = runId(1);
    await emitAll(open(), [summaryCreated(run_id, 0, 1, long), warning("list", { list: [long], inner: { long } })]);
    const [summary, list] = viewer.spans;
    expect(viewer.spans).toHaveLength(2);
    const { output_text, payload } = summary?.data ?? {};
    expect(bytesOf(output_text)).toBeLessThan(100_000);
    expect(bytesOf(output_text)).toBeGreaterThan(10_000);
    expect(JSON.parse(String(payload))).toEqual({ summary: output_text });
    const { list: strings, inner } = (list?.data ?? {}) as { list: string[]; inner: { long: string } };
    for (const text of [output_text, strings[0], inner.long]) {
      expect(text).toMatch(/^好+\.\.\. \[truncated\]$/);
    }
  });

  it("keeps a text under 90 KB whole", async () => {
    const text = "word ".repeat(17_000);
    await emitAll(open(), [summaryCreated(runId(1), 0, 1, text)]);
    expect(responseText(viewer.spans[0]?.data)).toBe(text);
  });

  it("cuts an event of any size to one that is taken", async () => {
    verifies("values/viewer-body-limit");
    const numbers = Array.from({ length: 40_000 }, (_, n) => n);
    const keys = Object.fromEntries(numbers.map((n) => [`key ${n}`, n]));
    const huge = [warning("numbers", { pruned: numbers }), warning("keys", { keys })];
    const controls = warning("controls", { message: "\u0001".repeat(40_000) });
    const sink = open();
    await emitAll(sink, [...huge, controls, warning("\ud800 lone", { session_id: "x".repeat(300_000) })]);
    expect(viewer.spans).toHaveLength(4);
    expect(viewer.posts.map(({ status }) => status)).toEqual(viewer.posts.map(() => 200));
    expect(Math.max(...viewer.posts.map(({ bytes }) => bytes))).toBeLessThanOrEqual(200_000);
    expect([sink.dropped, lines]).toEqual([0, []]);
  });

  it("splits by bytes and loses nothing", async () => {
    verifies("values/viewer-body-limit");
    const sink = open();
    const codes = Array.from({ length: 300 }, (_, n) => `c${n}`);
    await emitAll(
      sink,
      codes.map((code) => warning(code, { message: "é".repeat(1_000) })),
    );
    expect(viewer.posts.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...viewer.posts.map(({ bytes }) => bytes))).toBeLessThanOrEqual(200_000);
    expect(new Set(viewer.spans.map(({ data }) => data?.code))).toEqual(new Set(codes));
    expect([viewer.spans.length, sink.dropped]).toEqual([300, 0]);
  });

  it("sends each span once over 1,000 runs, with ids that never repeat", async () => {
    verifies("values/viewer-one-record-per-span");
    const sink = open();
    for (let from = 0; from < 1_000; from += 100) {
      await emitAll(sink, Array.from({ length: 100 }, (_, n) => sampleRun(runId(from + n))).flat());
    }
    const sent = viewer.posts.flatMap(({ text }) => (JSON.parse(text) as { batch: Record<string, string>[] }).batch);
    const spans = sent.filter(({ type }) => type === "span");
    expect(new Set(spans.map(({ span_id }) => span_id)).size).toBe(6_000);
    expect(spans).toHaveLength(6_000);
    expect(spans.every(({ span_id }) => /^compact-[0-9a-f]{16}$/.test(String(span_id)))).toBe(true);
    expect(sent.length - spans.length).toBe(1_000);
    expect(sink.dropped).toBe(0);
  }, 60_000);
});
