// Sends each event as a span to the Ariadne trace viewer's ingest, behind the caller's back. When and how they
// are sent is decided in posting-queue.ts.
import { isoTime } from "../time.ts";
import { besideEndpoint, type Endpoint, endpointOf, type Failure, failureOf, type Piece, request } from "./deliver.ts";
import { type LogLines, type PostingOptions, PostingQueue } from "./posting-queue.ts";
import { cutToBytes, fitObject, fitRecord, isRunEnd, type Room, type Span, summaryText } from "./span.ts";
import type { ClosableSink } from "./trace-sink.ts";

/** `url`: the viewer's address, with or without `/ingest`. */
export type AriadneSinkOptions = PostingOptions;

const PATH = "/ingest";
/** The viewer refuses 262,144 bytes and one more; proxies before it may count headers too. */
const POST_BYTES = 200_000;
const FRAME_BYTES = '{"batch":[]}'.length;

/**
 * Nothing is sent before `GET /healthz` was answered once. Never throws after it was made, never rejects; failures are
 * lines with `[Ariadne]`. The viewer shows only what arrives while it is open.
 *
 * @throws CompactError `InvalidConfig` (`INVALID_URL`).
 */
export function createAriadneSink(options: AriadneSinkOptions): ClosableSink {
  const endpoint = endpointOf({ url: options.url, label: "Ariadne", path: PATH, example: "http://localhost:5175" });
  const health = besideEndpoint(endpoint, PATH, "/healthz");
  const destination = {
    label: "Ariadne",
    advice: "Check that the viewer runs there; agents are not disturbed.",
    route: { endpoint, bodyOf: ariadneBody },
    count: 500,
    bytes: POST_BYTES - FRAME_BYTES,
    encode: (span: Parameters<typeof ariadnePieces>[0]) => ariadnePieces(span, POST_BYTES - FRAME_BYTES - 1),
    prepare: (deadline: number, signal: AbortSignal, lines: LogLines) => checkHealth(health, deadline, signal, lines),
  };
  return new PostingQueue("ariadne", destination, options);
}

/** A server that answers otherwise may still ingest: a proxy that lets one path through. It is tried; where that works it is told. */
async function checkHealth(
  health: Endpoint,
  deadline: number,
  signal: AbortSignal,
  lines: LogLines,
): Promise<Failure | undefined> {
  const reply = await request({ endpoint: health, deadline, signal });
  if (reply.kind !== "answered") return failureOf(reply);
  if (reply.status !== 200) lines.doubt(`${health.shown} answers status ${reply.status}: is this the trace viewer?`);
  return undefined;
}

// A span as the records of the Ariadne viewer: what its ingest accepts, in the places where its inspector looks. One span
// each, and after the root of a trace the record of the trace itself.

/** In UTF-8 bytes: session ids and the like, which a viewer shows on one line. */
const MAX_LABEL_BYTES = 512;

/** Undefined where the span could not be accepted: a time that is none. */
function ariadnePieces(span: Span, maxBytes: number): readonly Piece[] | undefined {
  if (!Number.isFinite(span.startedAt) || !Number.isFinite(span.endedAt)) return undefined;
  const own = fitRecord((room) => spanRecord(span, room), maxBytes);
  if (own === undefined) return undefined;
  const piece: Piece = { ...own, events: 1 };
  if (span.parentId !== undefined) return [piece];
  const trace = fitRecord(() => traceRecord(span), maxBytes);
  return trace === undefined ? [piece] : [piece, { ...trace, events: 0, isLast: true }];
}

/** Newest first: the viewer lists what began at the same moment in the reverse order of arrival. Traces at the end. */
function ariadneBody(pieces: readonly Piece[]): string {
  const spans = pieces.filter((piece) => piece.isLast !== true).reverse();
  const traces = pieces.filter((piece) => piece.isLast === true);
  return `{"batch":[${[...spans, ...traces].map(({ json }) => json).join(",")}]}`;
}

function spanRecord(span: Span, room: Room): Record<string, unknown> {
  const { event } = span;
  return {
    type: "span",
    trace_id: span.traceId,
    span_id: spanId(span.spanId),
    ...(span.parentId === undefined ? {} : { parent_id: spanId(span.parentId) }),
    name: event.event,
    kind: kindOf(span),
    ...timesOf(span),
    status: span.isError ? "error" : "ok",
    data: dataOf(span, room),
  };
}

function traceRecord(span: Span): Record<string, unknown> {
  const { event } = span;
  const session = cutToBytes(event.session_id, MAX_LABEL_BYTES);
  const step = "step" in event && event.step !== undefined ? { step: String(event.step) } : {};
  return {
    type: "trace",
    trace_id: span.traceId,
    name: event.event,
    group_id: `session:${session}`,
    ...timesOf(span),
    metadata: { agent_id: `session:${session}`, agent_name: `session ${session}`, ...step },
  };
}

/** Unique over all traces, since the viewer selects by it, and told apart from the host's own spans. */
const spanId = (hex: string) => `compact-${hex}`;

/** The service refuses an end before the start, which a clock that was set back would give. */
function timesOf({ startedAt, endedAt }: Span) {
  return { started_at: isoTime(startedAt), ended_at: isoTime(Math.max(startedAt, endedAt)) };
}

/** The viewer shows "llm" with the icon of a call. */
function kindOf({ event }: Span): string {
  return event.event === "compact.summary_created" && event.usage !== undefined ? "llm" : "compaction";
}

/** The event's own fields, without what the record says already. */
function dataOf({ event, isError }: Span, room: Room): Record<string, unknown> {
  const { event: _name, run_id: _trace, started_at: _start, ...fields } = event as unknown as Record<string, unknown>;
  const data = fitObject(fields, room);
  if (event.event === "compact.summary_created") return { ...data, ...summaryOf(event.payload, room) };
  // The inspector shows a message where there is no output.
  return isError && isRunEnd(event) ? { ...data, message: `failed: ${event.reason}` } : data;
}

/** The text again where the inspector finds it. Cut in both places alike, so that the payload stays JSON. */
function summaryOf(payload: string, room: Room): Record<string, unknown> {
  const output_text = cutToBytes(summaryText(payload), room.stringBytes);
  return { payload: JSON.stringify({ summary: output_text }), output_text };
}
