// Sends each event as a span to the Ariadne trace viewer's ingest, behind the caller's back. When and how they
// are sent is decided in posting-queue.ts.
import { flat, headTail } from "../text/quote.ts";
import { isoTime } from "../time.ts";
import type { CompactEvent } from "./compact-event.ts";
import {
  besideEndpoint,
  type Endpoint,
  endpointOf,
  type Failure,
  failureOf,
  type Piece,
  request,
  unheld,
} from "./deliver.ts";
import { type LogLines, type PostingOptions, PostingQueue } from "./posting-queue.ts";
import { callsModel, cutToBytes, fitObject, fitRecord, lineOf, type Room, type Span, summaryText } from "./span.ts";
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
  const place = createPlacing();
  const destination = {
    label: "Ariadne",
    advice: "Check that the viewer runs there; agents are not disturbed.",
    route: { endpoint, bodyOf: ariadneBody },
    count: 500,
    bytes: POST_BYTES - FRAME_BYTES,
    encode: (span: Span) => ariadnePieces(place(span), POST_BYTES - FRAME_BYTES - 1),
    prepare: (deadline: number, signal: AbortSignal, lines: LogLines) => checkHealth(health, deadline, signal, lines),
  };
  return new PostingQueue("ariadne", destination, options);
}

/**
 * A server that answers otherwise may still ingest: a proxy that lets one path through. It is tried; where that works it is
 * told. So may one that does not answer within half the time.
 */
async function checkHealth(
  health: Endpoint,
  deadline: number,
  signal: AbortSignal,
  lines: LogLines,
): Promise<Failure | undefined> {
  const asked = request({ endpoint: health, deadline, signal });
  const halfTime = (deadline - performance.now()) / 2;
  const reply = await Promise.race([asked, new Promise<void>((resolve) => unheld(setTimeout(resolve, halfTime)))]);
  if (reply === undefined) return undefined;
  if (reply.kind !== "answered") return failureOf(reply);
  if (reply.status !== 200) lines.doubt(`${health.shown} answers status ${reply.status}: is this the trace viewer?`);
  return undefined;
}

// A span as the records of the Ariadne viewer: what its ingest accepts, in the places where its inspector looks. One span
// each, and after the root of a trace the record of the trace itself.

/** In UTF-8 bytes: of what traces are put together by. */
const MAX_ID_BYTES = 8_192;
/** The viewer shows labels whole: a longer one pushes the bars of all sessions out of the page. */
const LABEL = { head: 42, tail: 17 };
/** A run that never ended is forgotten when as many others began after it. */
const MOST_OPEN_RUNS = 1_000;

/**
 * The viewer orders a run's events by when they began, to the millisecond, and lists those of one millisecond as it
 * likes: what was told later begins a millisecond later there.
 */
function createPlacing(): (span: Span) => Span {
  const open = new Map<string, Set<number>>();
  return (span) => {
    const { traceId } = span;
    if (span.parentId === undefined) {
      // What began at its very end has no room for a bar there.
      const endedAt = Math.max(span.endedAt, ...[...(open.get(traceId) ?? [])].map((startedAt) => startedAt + 1));
      open.delete(traceId);
      return { ...span, endedAt };
    }
    const taken = open.get(traceId) ?? new Set();
    open.set(traceId, taken);
    const [oldest] = open.keys();
    if (open.size > MOST_OPEN_RUNS && oldest !== undefined) open.delete(oldest);
    let startedAt = Math.floor(span.startedAt);
    while (taken.has(startedAt)) startedAt += 1;
    taken.add(startedAt);
    return { ...span, startedAt, endedAt: Math.max(startedAt, span.endedAt) };
  };
}

/** Undefined where the span could not be accepted: a time that is none. */
function ariadnePieces(span: Span, maxBytes: number): readonly Piece[] | undefined {
  if (!Number.isFinite(span.startedAt) || !Number.isFinite(span.endedAt)) return undefined;
  const own = fitRecord((room) => spanRecord(span, room), maxBytes);
  if (own === undefined) return undefined;
  const piece: Piece = { ...own, events: 1 };
  if (span.parentId !== undefined) return [piece];
  const trace = fitRecord(() => traceRecord(span), maxBytes);
  return trace === undefined ? [piece] : [piece, { ...trace, events: 0 }];
}

function ariadneBody(pieces: readonly Piece[]): string {
  return `{"batch":[${pieces.map(({ json }) => json).join(",")}]}`;
}

function spanRecord(span: Span, room: Room): Record<string, unknown> {
  const { event } = span;
  return {
    type: "span",
    trace_id: span.traceId,
    span_id: spanId(span.spanId),
    ...(span.parentId === undefined ? {} : { parent_id: spanId(span.parentId) }),
    name: label(nameOf(event)),
    // The viewer shows "llm" with the icon of a call.
    kind: callsModel(event) ? "llm" : "compaction",
    ...timesOf(span),
    status: span.isError ? "error" : "ok",
    data: dataOf(span, room),
  };
}

function traceRecord(span: Span): Record<string, unknown> {
  const { event } = span;
  const part = "part" in event ? event.part : undefined;
  const id = part ?? `session:${cutToBytes(event.session_id, MAX_ID_BYTES)}`;
  const name = part?.replaceAll("_", " ") ?? `session ${event.session_id}`;
  const step = "step" in event && event.step !== undefined ? { step: String(event.step) } : {};
  return {
    type: "trace",
    trace_id: span.traceId,
    // Beside its root, which has the event's name: what it came to.
    name: label(lineOf(event)) || event.event,
    group_id: id,
    ...timesOf(span),
    metadata: { agent_id: id, agent_name: label(name), ...step },
  };
}

/** What there may be several of in a run says which it is. */
function nameOf(event: CompactEvent): string {
  if (event.event === "compact.archival") return `${event.event} ${event.what}`;
  if (event.event === "compact.warning") return `${event.event} ${event.code}`;
  if (event.event !== "compact.error" || event.attempt === undefined) return event.event;
  return `${event.event} ${event.attempt} ${event.code ?? event.error_type}`;
}

/** On one line, its middle left out where it is long: the ends tell ids apart. Letters of some scripts are twice as wide. */
function label(text: string): string {
  const share = /[^\0-\u0fff]/.test(text) ? 2 : 1;
  const { head, tail, omitted } = headTail(flat(text), LABEL.head / share, Math.floor(LABEL.tail / share));
  return omitted === 0 ? head : `${head}…${tail}`;
}

/** Unique over all traces, since the viewer selects by it, and told apart from the host's own spans. */
const spanId = (hex: string) => `compact-${hex}`;

/** The service refuses an end before the start, which a clock that was set back would give. */
function timesOf({ startedAt, endedAt }: Span) {
  return { started_at: isoTime(startedAt), ended_at: isoTime(Math.max(startedAt, endedAt)) };
}

/** The event's own fields, without what the record says already. The inspector shows a message where there is no output. */
function dataOf({ event }: Span, room: Room): Record<string, unknown> {
  const { event: _name, run_id: _trace, started_at: _start, ...fields } = event as unknown as Record<string, unknown>;
  const data = fitObject({ message: lineOf(event), ...fields }, room);
  return event.event === "compact.summary_created" ? { ...data, ...summaryOf(event.payload, room) } : data;
}

/** The text again where the inspector finds it. Cut in both places alike, so that the payload stays JSON. */
function summaryOf(payload: string, room: Room): Record<string, unknown> {
  const output_text = cutToBytes(summaryText(payload), room.stringBytes);
  return { payload: JSON.stringify({ summary: output_text }), output_text };
}
