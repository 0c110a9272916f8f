// Custom spans in the current trace of `@openai/agents`, so that a compaction stands where the agent waited for it. The
// SDK's processors and exporters do the rest; where they send to is the host's.
import type { Span as AgentsSpan, Trace as AgentsTrace, CustomSpanData } from "@openai/agents";
import { isoTime } from "../time.ts";
import { type Host, HostedSink, type HostedSinkOptions, loadPeer } from "./hosted-sink.ts";
import { failureOf, fitObject, type Span, spanOf, summaryText } from "./span.ts";
import type { ClosableSink } from "./trace-sink.ts";

type Agents = typeof import("@openai/agents");
type Parent = AgentsSpan<CustomSpanData> | AgentsTrace;

export type OpenAIAgentsSinkOptions = HostedSinkOptions;

/** A run that never ended is forgotten when as many others began after it. */
const MOST_OPEN_RUNS = 1_000;
/** Of one event: its summary is the longest. */
const ROOM = { stringBytes: 32_000, items: 1_000, keys: 100 };
const WORKFLOW = "agent-compact";

interface OpenRun {
  /** Never dispatched: children point to it before the root is complete. */
  readonly root: AgentsSpan<CustomSpanData>;
  readonly parent: Parent;
  /** Only where there was none to be part of. */
  readonly ownTrace: AgentsTrace | undefined;
  readonly started: Promise<void> | undefined;
}

/**
 * A run is one custom span below the current span, with a child for each of its events; without a current trace it is a
 * trace of its own, whose group is the session. Names are the events', data their fields. Nothing is recorded where the
 * host has switched tracing off. Make it before the agent
 * runs: what is emitted while the SDK is still being loaded stands below the span that is current then. Needs `@openai/agents`: without it one line says so and events are dropped.
 */
export function createOpenAIAgentsSink(options: OpenAIAgentsSinkOptions = {}): ClosableSink {
  return new HostedSink(
    "openai-agents",
    "OpenAI Agents",
    async () => spansIn(await loadPeer("@openai/agents", () => import("@openai/agents"))),
    options,
  );
}

function spansIn(agents: Agents): Host {
  const open = new Map<string, OpenRun>();

  const openRun = (id: string, session: string): OpenRun => {
    const current = agents.getCurrentSpan() ?? agents.getCurrentTrace();
    const ownTrace = current === null ? ownTraceOf(agents, session) : undefined;
    const parent = current ?? (ownTrace as AgentsTrace);
    const root = agents.createCustomSpan({ data: { name: WORKFLOW } }, parent);
    const run = { root, parent, ownTrace, started: ownTrace?.start() };
    open.set(id, run);
    const [oldest] = open.keys();
    if (open.size > MOST_OPEN_RUNS && oldest !== undefined) open.delete(oldest);
    return run;
  };

  const dispatch = async (span: Span, run: OpenRun): Promise<void> => {
    const isRoot = span.parentId === undefined;
    const details = isRoot ? { ...detailsOf(span), spanId: run.root.spanId } : detailsOf(span);
    const complete = agents.createCustomSpan(details, isRoot ? run.parent : run.root);
    await Promise.all([run.started, agents.dispatchSpan(complete)]);
    if (isRoot) await run.ownTrace?.end();
  };

  return {
    take(event) {
      const span = spanOf(event);
      const id = event.run_id ?? span.traceId;
      // Before the first await: later the current span is no longer the caller's.
      const run = open.get(id) ?? openRun(id, event.session_id);
      if (span.parentId === undefined) open.delete(id);
      return dispatch(span, run);
    },
    async close() {
      const traces = [...open.values()].map(({ ownTrace }) => ownTrace?.end());
      open.clear();
      await Promise.all(traces);
    },
  };
}

function ownTraceOf(agents: Agents, session: string): AgentsTrace {
  return agents.getGlobalTraceProvider().createTrace({ name: WORKFLOW, groupId: session });
}

function detailsOf(span: Span) {
  const { event: name, started_at: _, ...fields } = span.event;
  const data = fitObject(fields, ROOM);
  return {
    data: { name, data: "payload" in fields ? { ...data, ...outputOf(fields.payload) } : data },
    startedAt: isoTime(span.startedAt),
    endedAt: isoTime(span.endedAt),
    ...(span.isError ? { error: { message: failureOf(span.event) } } : {}),
  };
}

/** The text where viewers look for one, and the payload whole as JSON, however short the text had to be cut. */
function outputOf(payload: string) {
  const { output_text = "" } = fitObject({ output_text: summaryText(payload) }, ROOM);
  return { payload: JSON.stringify({ summary: output_text }), output_text };
}
