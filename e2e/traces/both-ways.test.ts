import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { expect, it, onTestFinished } from "vitest";
import { createOpenTelemetrySink } from "../../src/trace/opentelemetry-sink.ts";
import { createOtlpSink } from "../../src/trace/otlp-sink.ts";
import { event, RUN, runOf } from "../../test/trace/hosted/runs.ts";
import { readBody } from "../../test/trace/viewer/faults.ts";

interface Received {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string | number;
  readonly endTimeUnixNano: string | number;
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}

/** Takes what the SDK's exporter writes, which is more than our own sink does. */
async function openReceiver() {
  const spans: Received[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(await readBody(request)) as {
      readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Received[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** 64-bit numbers may be digits or numbers. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/"intValue":"(-?\d+)"/g, '"intValue":$1'));

/** Ids are each way's own: a parent is told by its name. */
function told(spans: readonly Received[]): readonly unknown[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return spans
    .map(({ name, kind, parentSpanId, attributes, status, startTimeUnixNano, endTimeUnixNano }) => ({
      name,
      kind,
      parent: names.get(parentSpanId ?? ""),
      attributes: plain(Object.fromEntries(attributes.map(({ key, value }) => [key, value]))),
      status: { code: status?.code ?? 0, message: status?.message ?? "" },
      times: [startTimeUnixNano, endTimeUnixNano].map(String),
    }))
    .map((span) => ({ ...span, attributes: Object.fromEntries(Object.entries(span.attributes as object).sort()) }))
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

it("tells a collector the same through an SDK and without one", async () => {
  const [own, through] = [await openReceiver(), await openReceiver()];
  const exporter = new OTLPTraceExporter({ url: `${through.url}/v1/traces` });
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  const sinks = [createOtlpSink({ url: own.url }), createOpenTelemetrySink({ tracer: provider.getTracer("host") })];
  const events = [
    ...runOf(RUN),
    ...runOf("f".repeat(32), { outcome: "failed", reason: "ARCHIVE_FAILED" }),
    event({ event: "compact.applied", part: "observations", ids: [1, 2], counts: { merged: 2 }, duration_ms: 40 }),
  ];
  for (const one of events) for (const sink of sinks) sink.emit(one);
  for (const sink of sinks) await sink.shutdown?.();
  await provider.shutdown();
  expect(own.spans).toHaveLength(events.length);
  expect(told(through.spans)).toEqual(told(own.spans));
});
