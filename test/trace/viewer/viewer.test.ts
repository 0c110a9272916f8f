// The stand-in itself against what is known of the viewer: without this, what the sink's tests say means nothing.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifies } from "../../requirements/verifies.ts";
import { listen } from "./listen.ts";
import { startViewer, type Viewer } from "./viewer.ts";

let viewer: Viewer;
beforeEach(async () => {
  viewer = await startViewer();
});
afterEach(() => viewer.close());

const post = async (body: string | object, headers: Record<string, string> = {}) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${viewer.url}/ingest`, { method: "POST", body: text, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const span = (fields: object = {}) => ({ type: "span", trace_id: "t", span_id: "s", ...fields });
const trace = (fields: object = {}) => ({ type: "trace", trace_id: "t", ...fields });
const times = (started_at: unknown, ended_at: unknown) => span({ started_at, ended_at });
const EARLY = "2025-10-14T10:00:00Z";
const LATE = "2025-10-14T10:00:01.123456Z";

describe("the fake viewer", () => {
  it.each<[string, string | object, number, number?]>([
    ["a single trace", trace(), 200, 1],
    ["a minimal span", span(), 200, 1],
    ["a batch of two", { batch: [span(), trace()] }, 200, 2],
    ["an empty batch", { batch: [] }, 200, 0],
    ["a bare array", [span()], 400],
    ["an empty array", "[]", 400],
    ["lines", `${JSON.stringify(span())}\n${JSON.stringify(span())}`, 500],
    ["another wrapping", { events: [span()] }, 400],
    ["an opened span", span({ type: "span_start" }), 400],
    ["a closed trace", trace({ type: "trace_end" }), 400],
    ["an event of ours as it is", { type: "compact.error", trace_id: "t" }, 400],
    ["null for a parent", span({ parent_id: null }), 400],
    ["no trace id", { type: "span", span_id: "s" }, 400],
    ["no span id", { type: "span", trace_id: "t" }, 400],
    ["an empty span id", span({ span_id: "" }), 400],
    ["another status", span({ status: "warning" }), 400],
    ["a number in metadata", trace({ metadata: { step: 1 } }), 400],
    ["a time as a number", times(1760436000000, undefined), 400],
    ["an offset", times("2025-10-14T10:00:00+00:00", undefined), 400],
    ["no zone", times("2025-10-14T10:00:00", undefined), 400],
    ["an end before the start", times(LATE, EARLY), 400],
    ["times that are equal", times(EARLY, EARLY), 200, 1],
    ["fractions of a second", times(EARLY, LATE), 200, 1],
    ["null", "null", 500],
    ["a string", '"x"', 500],
    ["a number", "5", 500],
    ["broken JSON", "{", 500],
    ["a batch that is no list", { batch: {} }, 500],
    ["both a type and a batch", { ...span(), batch: [] }, 200, 0],
  ])("answers %s", async (_, body, status, count) => {
    verifies("values/viewer-response-shapes");
    const answer = await post(body);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toEqual({ success: true, count });
    if (status === 400) expect(answer.body).toMatchObject({ error: "Validation failed" });
    if (status === 500) expect(answer.body).toMatchObject({ error: "Internal server error" });
    expect(viewer.records).toHaveLength(count ?? 0);
  });

  it("tells where a value is bad, but not which kind of record was meant", async () => {
    const precise = await post(span({ span_id: "" }));
    expect(precise.body.details).toMatchObject([{ path: ["span_id"] }]);
    const vague = await post(span({ parent_id: null }));
    expect(vague.body.details).toEqual([{ path: [], message: "Invalid input" }]);
  });

  it("strips what it does not know, and takes nothing of a batch with one bad record", async () => {
    await post(span({ timestamp: EARLY, duration_ms: 5, properties: {}, payload: "x" }));
    expect(viewer.records).toEqual([span()]);
    expect((await post({ batch: [span({ span_id: "good" }), span({ parent_id: null })] })).status).toBe(400);
    expect(viewer.records).toHaveLength(1);
  });

  it("refuses by the length that the header announces", async () => {
    verifies("values/viewer-body-limit");
    const sized = (bytes: number) => {
      const empty = JSON.stringify(trace({ metadata: { fill: "" } }));
      return JSON.stringify(trace({ metadata: { fill: "x".repeat(bytes - empty.length) } }));
    };
    expect((await post(sized(262_144))).status).toBe(200);
    const refused = await post(sized(262_145));
    expect(refused.status).toBe(413);
    expect(refused.body.message).toBe("Request size 262145 bytes exceeds maximum of 262144 bytes");
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(sized(300_000)));
        controller.close();
      },
    });
    const chunked = { method: "POST", body, duplex: "half" } as RequestInit;
    expect((await fetch(`${viewer.url}/ingest`, chunked)).status).toBe(200);
  });

  it("truncates long names and strings, those in lists not, and makes objects of other shapes", async () => {
    verifies("values/viewer-long-strings");
    const long = "x".repeat(102_401);
    await post(span({ name: "n".repeat(1_025), data: { inner: { long }, list: ["short"] } }));
    await post(span({ data: { list: [long] } }));
    await post({ batch: [span({ data: [1] }), span({ data: "x" })] });
    const [first, second, third, fourth] = viewer.spans;
    expect(first?.name).toHaveLength(1_039);
    expect(`${long.slice(1)}... [truncated]`).toHaveLength(102_415);
    expect(first?.data?.inner).toEqual({ long: `${long.slice(1)}... [truncated]` });
    expect(second?.data?.list).toEqual([long]);
    expect([third?.data, fourth?.data]).toEqual([{ "0": 1 }, { "0": "x" }]);
  });

  it("keeps the newest in its ring and says how many", async () => {
    await viewer.close();
    viewer = await startViewer({ maxEvents: 3 });
    await post({ batch: ["a", "b", "c", "d"].map((span_id) => span({ span_id })) });
    expect(viewer.spans.map(({ span_id }) => span_id)).toEqual(["b", "c", "d"]);
    const health = await (await fetch(`${viewer.url}/healthz`)).json();
    expect(health).toMatchObject({ status: "ok", events: { count: 3, capacity: 3 } });
    expect((await fetch(`${viewer.url}/spans`)).status).toBe(404);
  });

  it("greets a subscriber and sends what comes after, filtered, with heartbeats and no replay", async () => {
    verifies("values/viewer-late-subscriber");
    await viewer.close();
    viewer = await startViewer({ heartbeatMs: 20 });
    await post(span({ span_id: "early" }));
    const all = await listen(`${viewer.url}/events`);
    const some = await listen(`${viewer.url}/events?traceId=t&kinds=llm&since=${EARLY}`);
    const before = "2020-01-01T00:00:00Z";
    await post({
      batch: [
        trace({ started_at: before }),
        span({ span_id: "wrong kind" }),
        span({ span_id: "too early", kind: "llm", started_at: before }),
        span({ span_id: "timeless", kind: "llm" }),
        span({ span_id: "elsewhere", kind: "llm", trace_id: "other" }),
        span({ span_id: "right", kind: "llm", started_at: LATE }),
      ],
    });
    await all.until((events) => events.length === 7);
    await some.until((events) => events.length === 4);
    expect(all.events[0]).toMatchObject({ type: "connected" });
    expect(some.events.slice(1).map((event) => event.span_id ?? event.type)).toEqual(["trace", "timeless", "right"]);
    await all.until(() => all.heartbeats > 0);
    const late = await listen(`${viewer.url}/events`);
    await late.until((events) => events.length === 1);
    expect(late.events).toMatchObject([{ type: "connected" }]);
    expect((await fetch(`${viewer.url}/events?since=soon`)).status).toBe(400);
    for (const stream of [all, some, late]) stream.close();
  });
});
