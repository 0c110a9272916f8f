// From a configuration to sinks, and a manager that lets go of them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CompactManager } from "../../src/conversation.ts";
import { conversationConfigOf } from "../../src/factories/conversation-config.ts";
import { partTrace, partTraceOf, sinksOf } from "../../src/factories/trace.ts";

import { createAriadneSink } from "../../src/trace/ariadne-sink.ts";
import { createCallbackSink } from "../../src/trace/callback-sink.ts";
import type { NewCompactEvent } from "../../src/trace/emit.ts";
import { createOtlpSink } from "../../src/trace/otlp-sink.ts";
import type { TraceSink } from "../../src/trace/trace-sink.ts";
import { newFolder } from "../cli/command-line.ts";
import { chatConversation } from "../cli/conversations.ts";
import { valuesOf } from "../trace/collector/check-traces.ts";
import { startCollector } from "../trace/collector/collector.ts";
import { startViewer } from "../trace/viewer/viewer.ts";

const applied: NewCompactEvent = {
  event: "compact.applied",
  session_id: "shop",
  part: "decisions",
  ids: ["api_key=sk-live-0123456789abcdef0123"],
  counts: {},
};

describe("the sinks of a configuration", () => {
  it("are those that it names", () => {
    const all = { console: true, ariadneUrl: "http://127.0.0.1:1", otlpUrl: "http://127.0.0.1:2" };
    expect(sinksOf(all).map(({ name }) => name)).toEqual(["console", "ariadne", "otlp"]);
    expect(sinksOf()).toEqual([]);
    expect(conversationConfigOf({ telemetry: { console: false } })).not.toHaveProperty("trace");
    expect(conversationConfigOf({ telemetry: all, memoryFiles: {} }).trace).toHaveLength(3);
    expect(() => new CompactManager(conversationConfigOf({ telemetry: all, memoryFiles: {} }))).not.toThrow();
  });

  it.each([
    [{ jsonl: true }, true],
    [{}, false],
    [{ jsonl: false }, false],
    [undefined, false],
  ])("of a part hold events.jsonl only where it is asked for by name: %j", async (telemetry, isThere) => {
    const path = newFolder();
    const trace = partTraceOf({ telemetry, storage: { path } });
    trace.emit(applied);
    await trace.shutdown();
    expect(existsSync(join(path, "shop", "events.jsonl"))).toBe(isThere);
  });

  it("receive the events of a part redacted", async () => {
    const events: unknown[] = [];
    const trace = await partTrace({ trace: [createCallbackSink((event) => events.push(event))], now: () => 0 });
    trace.emit(applied);
    await trace.flush();
    expect(JSON.stringify(events)).not.toContain("0123456789abcdef");
    expect(events).toHaveLength(1);
  });
});

describe("CompactManager.close", () => {
  it("sends what was emitted, and lets go of the sinks: what comes after is dropped, the compaction still works", async () => {
    const names: string[] = [];
    const sink = createCallbackSink(async ({ event }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      names.push(event);
    });
    const manager = new CompactManager({ archive: false, trace: [sink], maxContextTokens: 8_000 });
    await manager.preflight("s", chatConversation(40));
    await manager.close();
    expect(names.at(-1)).toBe("compact.preflight");
    const before = names.length;
    const { report } = await manager.compact("t", chatConversation(40));
    await manager.close();
    expect([report.status, names.length]).toEqual(["compacted", before]);
    expect(sink.dropped).toBeGreaterThan(0);
  });

  it.each<[string, (sink: TraceSink) => Promise<{ close(): Promise<void> }>]>([
    ["a manager", async (sink) => new CompactManager({ archive: false, trace: [sink] })],
    [
      "a part's trace",
      async (sink) => {
        const trace = await partTrace({ trace: [sink] });
        return { close: () => trace.shutdown() };
      },
    ],
  ])("of %s silences no other that shares the sink, be it there already or made later", async (_name, other) => {
    const [viewer, collector] = await Promise.all([startViewer(), startCollector()]);
    const events: string[] = [];
    const sinks = [
      createAriadneSink({ url: viewer.url }),
      createOtlpSink({ url: collector.url }),
      createCallbackSink(({ session_id }) => events.push(session_id)),
    ];
    for (const sink of sinks) {
      const first = await other(sink);
      const manager = new CompactManager({ archive: false, trace: [sink] });
      await manager.preflight("a", chatConversation(4));
      await first.close();
      await first.close();
      await manager.preflight("b", chatConversation(4));
      await manager.close();
      const later = new CompactManager({ archive: false, trace: [sink] });
      await later.preflight("c", chatConversation(4));
      await later.close();
      expect(sink.dropped).toBe(0);
    }
    const seen = [
      viewer.spans.map(({ data }) => data?.session_id),
      collector.spans.map(({ attributes }) => valuesOf(attributes)["gen_ai.conversation.id"]),
      events,
    ];
    for (const sessions of seen) expect(new Set(sessions)).toEqual(new Set(["a", "b", "c"]));
    await Promise.all([viewer.close(), collector.close()]);
  });
});
