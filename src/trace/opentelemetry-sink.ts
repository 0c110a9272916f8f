// Spans in the host's own OpenTelemetry, through `@opentelemetry/api` and nothing else: the host has set up its SDK,
// sampler and exporters, or has not, and then nothing is recorded. Without an SDK there is otlp-sink.ts.
import type { Context, Span as OpenSpan, Tracer } from "@opentelemetry/api";
import { type Host, HostedSink, type HostedSinkOptions, loadPeer } from "./hosted-sink.ts";
import {
  type Attributes,
  attributesOf,
  callsModel,
  failureOf,
  isRunEnd,
  PACKAGE_NAME,
  PACKAGE_VERSION,
  type Span,
  spanOf,
} from "./span.ts";
import type { ClosableSink } from "./trace-sink.ts";

type Api = typeof import("@opentelemetry/api");

/** A `Tracer` of `@opentelemetry/api`, recognised by its shape: the types of this package need no peer. */
interface TracerShape {
  startSpan(name: string, options?: never, context?: never): unknown;
}

export interface OpenTelemetrySinkOptions extends HostedSinkOptions {
  /** Default: the global tracer provider's, under the name `agent-compact`. */
  readonly tracer?: TracerShape;
}

/** A run that never ended is ended when as many others began after it. */
const MOST_OPEN_RUNS = 1_000;

interface OpenRun {
  readonly root: OpenSpan;
  readonly context: Context;
}

/**
 * A run is one span with a child for each of its events. Where the host's own span is current when the run's first event
 * is emitted, the run is a child of that, since that is where a compaction belongs; else it is a trace of its own. Ids are
 * the SDK's; the run's own is the attribute `agent_compact.run_id`. Spans count as arrived when the SDK has them: to flush
 * its exporters is the host's. Needs `@opentelemetry/api`: without it one line says so and events are dropped.
 */
export function createOpenTelemetrySink({ tracer, ...options }: OpenTelemetrySinkOptions = {}): ClosableSink {
  return new HostedSink(
    "opentelemetry",
    "OpenTelemetry",
    async () => spansIn(await loadPeer("@opentelemetry/api", () => import("@opentelemetry/api")), tracer),
    options,
  );
}

function spansIn(api: Api, given: OpenTelemetrySinkOptions["tracer"]): Host {
  const open = new Map<string, OpenRun>();
  // A host may register its SDK after us: the API's own tracer looks for it at each span.
  const tracer = (given as Pick<Tracer, "startSpan"> | undefined) ?? api.trace.getTracer(PACKAGE_NAME, PACKAGE_VERSION);

  /** Its end tells its name and when it really began; the first event of a run begins with it. */
  const openRun = (run: string, { startedAt, event }: Span): OpenRun => {
    const context = api.context.active();
    const attributes = { "gen_ai.operation.name": "compact", "gen_ai.conversation.id": event.session_id };
    const root = tracer.startSpan("compact", { startTime: startedAt, attributes }, context);
    const opened = { root, context: api.trace.setSpan(context, root) };
    open.set(run, opened);
    const [oldest] = open.entries();
    if (open.size > MOST_OPEN_RUNS && oldest !== undefined) abandon(...oldest);
    return opened;
  };

  const abandon = (run: string, { root }: OpenRun): void => {
    open.delete(run);
    root.setAttribute("agent_compact.outcome", "unknown");
    root.end();
  };

  return {
    take(event) {
      const span = spanOf(event);
      const kind = callsModel(event) ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL;
      const start = { startTime: span.startedAt, kind };
      if (event.run_id === undefined) {
        finish(api, tracer.startSpan(event.event, start, api.context.active()), span);
        return;
      }
      const run = open.get(event.run_id) ?? openRun(event.run_id, span);
      if (isRunEnd(event)) {
        open.delete(event.run_id);
        finish(api, run.root.updateName(event.event), span);
        return;
      }
      finish(api, tracer.startSpan(event.event, start, run.context), span);
    },
    close() {
      for (const [run, opened] of [...open]) abandon(run, opened);
    },
  };
}

function finish({ SpanStatusCode }: Api, open: OpenSpan, span: Span): void {
  open.setAttributes(asTheirs(attributesOf(span)));
  if (span.isError) open.setStatus({ code: SpanStatusCode.ERROR, message: failureOf(span.event) });
  else if (isRunEnd(span.event) && span.event.outcome === "completed") open.setStatus({ code: SpanStatusCode.OK });
  open.end(Math.max(span.startedAt, span.endedAt));
}

/** They are arrays of one type each, which our type does not say. */
function asTheirs(attributes: Attributes): Parameters<OpenSpan["setAttributes"]>[0] {
  return attributes as Parameters<OpenSpan["setAttributes"]>[0];
}
