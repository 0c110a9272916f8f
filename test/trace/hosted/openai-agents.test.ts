import {
  Agent,
  BatchTraceProcessor,
  type CallModelInputFilterArgs,
  getGlobalTraceProvider,
  type Model,
  Runner,
  setTraceProcessors,
  setTracingDisabled,
  Usage,
  withCustomSpan,
  withTrace,
} from "@openai/agents";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CompactManager } from "../../../src/conversation.ts";
import { createOpenAIAgentsSink } from "../../../src/trace/openai-agents-sink.ts";
import { sinkContract, warning } from "../sink-contract.ts";
import { event, RUN, runOf } from "./runs.ts";

interface Exported {
  readonly object: string;
  readonly id: string;
  readonly trace_id?: string;
  readonly parent_id?: string | null;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly group_id?: string | null;
  readonly workflow_name?: string;
  readonly error?: { readonly message: string } | null;
  readonly span_data?: { readonly type: string; readonly name: string; readonly data: Record<string, unknown> };
}

/** What an exporter of the SDK's own is given, as it would send it. */
function recorded(): () => Promise<readonly Exported[]> {
  const items: Exported[] = [];
  const exporter = {
    export: async (batch: readonly { toJSON(): object | null }[]) => {
      items.push(...batch.map((item) => item.toJSON() as Exported));
    },
  };
  setTraceProcessors([new BatchTraceProcessor(exporter)]);
  return async () => {
    await getGlobalTraceProvider().forceFlush();
    return items;
  };
}

const spansOf = (items: readonly Exported[]) => items.filter(({ object }) => object === "trace.span");
const named = (items: readonly Exported[], name: string) => items.find(({ span_data }) => span_data?.name === name);

beforeEach(() => setTracingDisabled(false));
afterEach(() => setTraceProcessors([]));

sinkContract("openai-agents", {
  open: async () => {
    const read = recorded();
    return { sink: createOpenAIAgentsSink(), read: async () => spansOf(await read()) };
  },
  // The SDK's queue holds 1,000 traces and spans.
  events: 400,
  codeOf: (span) => (span as Exported).span_data?.data.code,
  broken: {
    "a processor that rejects, then works": async () => {
      const broken = () => Promise.reject(new TypeError("broken"));
      const idle = async () => {};
      const processor = { onTraceStart: broken, onTraceEnd: broken, onSpanStart: broken, onSpanEnd: broken };
      setTraceProcessors([{ ...processor, shutdown: idle, forceFlush: idle }]);
      const repair = async () => {
        const read = recorded();
        return async () => spansOf(await read());
      };
      return { sink: createOpenAIAgentsSink({ write: () => {} }), repair };
    },
    "an exporter that hangs": async () => {
      setTraceProcessors([new BatchTraceProcessor({ export: () => new Promise(() => {}) }, { maxQueueSize: 5 })]);
      return { sink: createOpenAIAgentsSink({ write: () => {} }) };
    },
    "tracing switched off": async () => {
      setTracingDisabled(true);
      return { sink: createOpenAIAgentsSink() };
    },
  },
});

describe("createOpenAIAgentsSink", () => {
  it("makes a run a span below the current one, with a child of each of its events, at their own times", async () => {
    const read = recorded();
    const sink = createOpenAIAgentsSink();
    await sink.flush();
    let outer = "";
    await withTrace("agent", async () => {
      await withCustomSpan(
        async ({ spanId }) => {
          outer = spanId;
          for (const one of runOf(RUN).slice(0, 3)) sink.emit(one);
        },
        { data: { name: "turn" } },
      );
      for (const one of runOf(RUN).slice(3)) sink.emit(one);
      await sink.flush();
    });
    const items = await read();
    const root = named(items, "compact.preflight");
    expect(root).toMatchObject({
      parent_id: outer,
      started_at: "2026-01-01T00:00:01.000Z",
      ended_at: "2026-01-01T00:00:02.000Z",
      span_data: { type: "custom", data: { outcome: "completed", session_id: "s1", run_id: RUN } },
    });
    expect(named(items, "compact.summary_created")).toMatchObject({
      parent_id: root?.id,
      started_at: "2026-01-01T00:00:01.500Z",
      ended_at: "2026-01-01T00:00:01.800Z",
      span_data: { data: { output_text: "What happened", payload: '{"summary":"What happened"}' } },
    });
    expect(named(items, "compact.error")).toMatchObject({
      parent_id: root?.id,
      error: { message: "No answer in 30 s" },
    });
    expect(items.filter(({ object }) => object === "trace")).toHaveLength(1);
    expect(spansOf(items)).toHaveLength(5);
  });

  it("gives runs outside a trace one of their own, grouped by the session, started before its spans", async () => {
    const read = recorded();
    const sink = createOpenAIAgentsSink();
    const other = "f".repeat(32);
    for (const one of [...runOf(RUN), ...runOf(other, { outcome: "failed", reason: "X" })]) sink.emit(one);
    sink.emit(event({ event: "compact.applied", part: "decisions", ids: [], counts: {} }));
    await sink.shutdown();
    const items = await read();
    const traces = items.filter(({ object }) => object === "trace");
    expect(traces.map(({ workflow_name, group_id }) => [workflow_name, group_id])).toEqual(
      Array.from({ length: 3 }, () => ["agent-compact", "s1"]),
    );
    expect(spansOf(items)).toHaveLength(9);
    const ids = new Set(items.map(({ id }) => id));
    for (const { trace_id, parent_id } of spansOf(items)) {
      expect(ids.has(trace_id ?? "")).toBe(true);
      if (typeof parent_id === "string") expect(ids.has(parent_id)).toBe(true);
    }
    expect(spansOf(items).filter(({ error }) => error?.message === "X")).toHaveLength(1);
  });

  it("stands in the trace of a real agent whose input it compacts", async () => {
    const read = recorded();
    const manager = new CompactManager({
      maxContextTokens: 4_000,
      archive: false,
      trace: [createOpenAIAgentsSink()],
      policy: { hardCapBuffer: 0 },
    });
    const turn = (n: number) => [
      { role: "user", content: `Question ${n}: ${"what is in file ".repeat(60)}` },
      { role: "assistant", content: `Answer ${n}: ${"it holds text ".repeat(60)}` },
    ];
    const messages = Array.from({ length: 12 }, (_, n) => turn(n)).flat();
    const model: Model = {
      getResponse: async () => ({
        usage: new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }),
        output: [
          { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "ok" }] },
        ],
      }),
      // biome-ignore lint/correctness/useYield: never called.
      getStreamedResponse: async function* () {
        throw new Error("not streamed");
      },
    };
    const callModelInputFilter = async ({ modelData }: CallModelInputFilterArgs) => {
      await manager.preflight("s1", messages);
      return modelData;
    };
    const runner = new Runner({ modelProvider: { getModel: () => model }, callModelInputFilter });
    const result = await runner.run(new Agent({ name: "Worker", model: "fake" }), "Go on");
    await manager.flush();
    const items = await read();
    expect(result.finalOutput).toBe("ok");
    const root = named(items, "compact.preflight");
    expect(root?.span_data?.data.outcome).toBe("completed");
    const parent = items.find(({ id }) => id === root?.parent_id);
    expect(parent?.trace_id).toBe(root?.trace_id);
    expect(items.filter(({ object }) => object === "trace")).toHaveLength(1);
    const children = items.filter(({ parent_id }) => parent_id === root?.id);
    expect(children.map(({ span_data }) => span_data?.name)).toEqual(
      expect.arrayContaining(["compact.token_estimate", "compact.trigger_decision", "compact.summary_created"]),
    );
  });

  it("says once what to install when the package is not there", async () => {
    vi.doMock("@openai/agents", () => {
      throw new Error("Cannot find package");
    });
    const lines: string[] = [];
    const sink = createOpenAIAgentsSink({ write: (line) => lines.push(line) });
    for (let n = 0; n < 3; n++) sink.emit(warning(`c${n}`));
    await sink.shutdown();
    vi.doUnmock("@openai/agents");
    expect(lines).toEqual([
      '[OpenAI Agents] The package "@openai/agents" could not be loaded. Install it: npm install @openai/agents',
    ]);
    expect(sink.dropped).toBe(3);
  });
});
