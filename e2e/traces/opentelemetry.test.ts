import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, context, ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createOpenTelemetrySink } from "../../src/trace/opentelemetry-sink.ts";
import { event, RUN, runOf } from "../../test/trace/hosted/runs.ts";
import { sinkContract, warning } from "../../test/trace/sink-contract.ts";

const hosts = () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { exporter, provider, tracer: provider.getTracer("host") };
};
const timeOf = ([seconds, nanoseconds]: readonly [number, number]) => seconds * 1_000 + nanoseconds / 1e6;
const timesOf = ({ startTime, endTime }: ReadableSpan) => [timeOf(startTime), timeOf(endTime)];
const at = (time: string) => Date.parse(`2026-01-01T00:00:0${time}Z`);

sinkContract("opentelemetry", {
  open: async () => {
    const { exporter, tracer } = hosts();
    return { sink: createOpenTelemetrySink({ tracer }), read: async () => exporter.getFinishedSpans() };
  },
  codeOf: (span) => (span as ReadableSpan).attributes["agent_compact.code"],
  broken: {
    "a tracer that throws, then works": async () => {
      const { exporter, tracer } = hosts();
      const lines: string[] = [];
      let isBroken = true;
      const startSpan: typeof tracer.startSpan = (...input) => {
        if (isBroken) throw new TypeError("broken");
        return tracer.startSpan(...input);
      };
      const repair = async () => {
        expect(lines).toEqual(["[OpenTelemetry] takes no traces: TypeError"]);
        isBroken = false;
        return async () => exporter.getFinishedSpans();
      };
      return { sink: createOpenTelemetrySink({ tracer: { startSpan }, write: (line) => lines.push(line) }), repair };
    },
    "no SDK at all": async () => ({ sink: createOpenTelemetrySink() }),
  },
});

describe("createOpenTelemetrySink", () => {
  it("makes a run one span with its own times, and a child of each of its events", async () => {
    const { exporter, tracer } = hosts();
    const sink = createOpenTelemetrySink({ tracer });
    for (const one of runOf(RUN)) sink.emit(one);
    await sink.shutdown();
    const spans = exporter.getFinishedSpans();
    const root = spans.find(({ name }) => name === "compact.preflight");
    expect(spans.map(({ name }) => name)).toEqual([
      "compact.token_estimate",
      "compact.error",
      "compact.summary_created",
      "compact.preflight",
    ]);
    expect(root?.parentSpanContext).toBeUndefined();
    const { traceId, spanId } = (root as ReadableSpan).spanContext();
    for (const span of spans.slice(0, -1)) {
      expect(span.parentSpanContext?.spanId).toBe(spanId);
      expect(span.spanContext().traceId).toBe(traceId);
    }
    expect(spans.map(timesOf)).toEqual([
      [at("1.000"), at("1.020")],
      [at("1.100"), at("1.200")],
      [at("1.500"), at("1.800")],
      [at("1.000"), at("2.000")],
    ]);
    expect(root?.attributes).toMatchObject({
      "agent_compact.run_id": RUN,
      "gen_ai.conversation.id": "s1",
      "gen_ai.operation.name": "compact",
      "gen_ai.conversation.compacted": true,
    });
    expect(spans.map(({ status }) => status.code)).toEqual([
      SpanStatusCode.UNSET,
      SpanStatusCode.ERROR,
      SpanStatusCode.UNSET,
      SpanStatusCode.OK,
    ]);
    expect(spans[1]?.status.message).toBe("No answer in 30 s");
    expect(spans[2]?.attributes).toMatchObject({
      "gen_ai.usage.input_tokens": 900,
      "agent_compact.summary": "What happened",
    });
  });

  it("tells a failed run by its reason, and gives an event outside a run a trace of its own", async () => {
    const { exporter, tracer } = hosts();
    const sink = createOpenTelemetrySink({ tracer });
    for (const one of runOf(RUN, { outcome: "failed", reason: "ARCHIVE_FAILED" })) sink.emit(one);
    sink.emit(event({ event: "compact.applied", part: "decisions", ids: ["a"], counts: { kept: 1 } }));
    await sink.flush();
    const [applied, root] = exporter.getFinishedSpans().toReversed();
    expect(root?.status).toEqual({ code: SpanStatusCode.ERROR, message: "ARCHIVE_FAILED" });
    expect(applied?.parentSpanContext).toBeUndefined();
    expect(applied?.attributes).toMatchObject({ "agent_compact.part": "decisions", "agent_compact.counts.kept": 1 });
  });

  it("keeps runs that overlap apart, and ends the ones that never ended", async () => {
    const { exporter, tracer } = hosts();
    const sink = createOpenTelemetrySink({ tracer });
    const [first, second] = [runOf("a".repeat(32)), runOf("b".repeat(32))];
    first.forEach((one, n) => {
      sink.emit(one);
      if (n < 3) sink.emit(second[n] ?? one);
    });
    await sink.shutdown();
    const spans = exporter.getFinishedSpans();
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(2);
    expect(spans).toHaveLength(8);
    expect(spans.at(-1)).toMatchObject({ name: "compact", attributes: { "agent_compact.outcome": "unknown" } });
  });

  it("holds a bounded number of open runs", async () => {
    const { exporter, provider, tracer } = hosts();
    const sink = createOpenTelemetrySink({ tracer });
    await sink.flush();
    for (let n = 1; n <= 1_200; n++) {
      const [first] = runOf(n.toString(16).padStart(32, "0"));
      if (first !== undefined) sink.emit(first);
    }
    await provider.forceFlush();
    const abandoned = exporter.getFinishedSpans().filter(({ name }) => name === "compact");
    expect(abandoned).toHaveLength(200);
  });
});

class LocalContext implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }
  with: ContextManager["with"] = (given, call, self, ...input) =>
    this.#storage.run(given, () => call.call(self as ThisParameterType<typeof call>, ...input));
  bind: ContextManager["bind"] = (_given, target) => target;
  enable(): this {
    return this;
  }
  disable(): this {
    this.#storage.disable();
    return this;
  }
}

describe("createOpenTelemetrySink in a host's trace", () => {
  beforeEach(() => void context.setGlobalContextManager(new LocalContext()));
  afterEach(() => {
    context.disable();
    trace.disable();
  });

  it.each(["as soon as it is made", "later"])("puts a run below the span that is current, %s", async (when) => {
    const { exporter, provider, tracer } = hosts();
    trace.setGlobalTracerProvider(provider);
    const sink = createOpenTelemetrySink();
    if (when === "later") await sink.flush();
    const agent = tracer.startSpan("agent");
    context.with(trace.setSpan(context.active(), agent), () => {
      for (const one of runOf(RUN).slice(0, 2)) sink.emit(one);
    });
    // The rest comes from elsewhere: the run stays where it began.
    for (const one of runOf(RUN).slice(2)) sink.emit(one);
    await sink.flush();
    agent.end();
    const spans = exporter.getFinishedSpans();
    const root = spans.find(({ name }) => name === "compact.preflight");
    expect(root?.parentSpanContext?.spanId).toBe(agent.spanContext().spanId);
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([agent.spanContext().traceId]));
    expect(spans).toHaveLength(5);
    expect(root?.instrumentationScope.name).toBe("agent-compact");
  });

  it("says once what to install when the package is not there", async () => {
    vi.doMock("@opentelemetry/api", () => {
      throw new Error("Cannot find package");
    });
    const lines: string[] = [];
    const sink = createOpenTelemetrySink({ write: (line) => lines.push(line) });
    for (let n = 0; n < 3; n++) sink.emit(warning(`c${n}`));
    await sink.flush();
    sink.emit(warning("later"));
    await sink.shutdown();
    vi.doUnmock("@opentelemetry/api");
    expect(lines).toEqual([
      '[OpenTelemetry] The package "@opentelemetry/api" could not be loaded. Install it: npm install @opentelemetry/api',
    ]);
    expect(sink.dropped).toBe(4);
  });
});
