// What an agent notices of its trace server: nothing, whatever the server does.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMemoryArchive } from "../../../src/archive/archives.ts";
import { CompactManager } from "../../../src/conversation.ts";
import { createAriadneSink } from "../../../src/trace/ariadne-sink.ts";
import { createOtlpSink } from "../../../src/trace/otlp-sink.ts";
import type { TraceSink } from "../../../src/trace/trace-sink.ts";
import { verifies } from "../../requirements/verifies.ts";
import { timelineOf } from "../viewer/timeline.ts";
import { startViewer, type Viewer } from "../viewer/viewer.ts";

const message = (n: number) => ({
  role: n % 2 === 0 ? "user" : "assistant",
  content: `Message ${n}: port ${5000 + n}.`,
});
const history = (count: number) => Array.from({ length: count }, (_, n) => message(n));
const throwing: TraceSink = {
  name: "throwing",
  emit: () => {
    throw new Error("synchronous");
  },
  flush: () => Promise.reject(new Error("rejected")),
};

describe("an agent whose trace server is", () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => rejections.push(reason);
  let viewer: Viewer;
  beforeAll(async () => {
    process.on("unhandledRejection", note);
    viewer = await startViewer();
  });
  afterAll(async () => {
    process.off("unhandledRejection", note);
    await viewer.close();
    expect(rejections).toEqual([]);
  });
  const managerWith = (trace: readonly TraceSink[]) => new CompactManager({ archive: createMemoryArchive(), trace });

  /** The quickest of several, so that what else the machine does counts for nothing. */
  const quickest = async (manager: CompactManager): Promise<number> => {
    const times: number[] = [];
    for (let count = 200; count < 220; count++) {
      const startedAt = performance.now();
      await manager.preflight("s", history(count));
      times.push(performance.now() - startedAt);
    }
    return Math.min(...times);
  };

  it.each<[string, () => Promise<{ url: string; close(): Promise<void> }>, RegExp]>([
    ["away", async () => ({ url: "http://127.0.0.1:9", close: async () => {} }), /takes no traces/],
    ["a black hole", () => behaving({ isBlackHole: true }), /no answer in time/],
    ["broken", () => behaving({ status: 500 }), /status 500/],
  ])("%s is not slowed down, and reads one line of each sink", async (_, start, complaint) => {
    verifies(
      "values/viewer-unreachable",
      "conversation/non-blocking-http-export",
      "conversation/export-never-blocks",
      "field/exporter-hurts-the-loop",
    );
    const server = await start();
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    const sinks = [createAriadneSink({ url: server.url, write }), createOtlpSink({ url: server.url, write })];
    const manager = managerWith([...sinks, throwing]);
    const plain = await quickest(managerWith([]));
    expect((await quickest(manager)) - plain).toBeLessThan(50);
    const flushedAt = performance.now();
    await expect(manager.flush()).resolves.toBeUndefined();
    expect(performance.now() - flushedAt).toBeLessThan(2_500);
    for (const sink of sinks) expect(sink.dropped).toBeGreaterThanOrEqual(60);
    expect(lines.map((line) => line.slice(0, line.indexOf(" "))).sort()).toEqual(["[Ariadne]", "[OTLP]"]);
    for (const line of lines) expect(line).toMatch(complaint);
    await server.close();
  });

  async function behaving(behaviour: Parameters<Viewer["behave"]>[0]) {
    const faulty = await startViewer();
    faulty.behave(behaviour);
    return faulty;
  }

  it("there sees each attempt as a trace of its own", async () => {
    verifies("conversation/non-blocking-http-export", "conversation/timeline-in-viewer");
    const manager = managerWith([createAriadneSink({ url: viewer.url })]);
    const long = history(60).map(({ role, content }) => ({ role, content: content.repeat(40) }));
    await manager.preflight("s", long);
    await manager.manualCompact("s", long, { note: "asked" });
    for (let count = 0; count < 3; count++) await manager.flush();
    expect(viewer.requests).toContain("POST /ingest");
    const shown = viewer.traces.map(({ trace_id }) => timelineOf(viewer.records, trace_id));
    expect(shown.map(([root]) => root?.span.name)).toEqual(["compact.preflight", "compact.manual"]);
    const compacted = shown[1]?.map(({ span, depth }) => `${depth} ${span.name}`) ?? [];
    for (const name of ["token_estimate", "trigger_decision", "layer_choice", "summary_created", "pruned_messages"]) {
      expect(compacted).toContain(`1 compact.${name}`);
    }
    expect(shown.flat().every(({ bar }) => bar !== undefined && bar.color === "cyan")).toBe(true);
  });
});
