// A stand-in for the Ariadne trace viewer, written from the description of its behaviour: ingest, live events without
// replay, health. Keeps everything that was posted besides, which the original shows to nobody.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Behaviour, readBody, sendJson, startFaulty } from "./faults.ts";
import { ingest, type SpanRecord, type TraceRecord, type ViewerRecord } from "./ingest.ts";

const MAX_BODY_BYTES = 262_144;
const HEARTBEAT_MS = 15_000;

export interface Post {
  readonly bytes: number;
  readonly status: number;
  readonly text: string;
}

export interface Viewer {
  readonly url: string;
  /** Every post that was read, with its answer. */
  readonly posts: readonly Post[];
  /** `METHOD /path` of every request, in order. */
  readonly requests: readonly string[];
  /** What the ring holds, oldest first. */
  readonly records: readonly ViewerRecord[];
  readonly spans: readonly SpanRecord[];
  readonly traces: readonly TraceRecord[];
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

interface Subscriber {
  readonly response: ServerResponse;
  readonly wants: (record: ViewerRecord) => boolean;
}

export async function startViewer({ maxEvents = 10_000, heartbeatMs = HEARTBEAT_MS } = {}): Promise<Viewer> {
  const posts: Post[] = [];
  const requests: string[] = [];
  const records: ViewerRecord[] = [];
  const subscribers = new Set<Subscriber>();

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const announced = Number(request.headers["content-length"] ?? 0);
    const text = await readBody(request);
    const answer = (status: number, body: unknown) => {
      posts.push({ bytes: Buffer.byteLength(text), status, text });
      sendJson(response, status, body);
    };
    // Only what the header says: a chunked body may be of any size.
    if (announced > MAX_BODY_BYTES) {
      const message = `Request size ${announced} bytes exceeds maximum of ${MAX_BODY_BYTES} bytes`;
      answer(413, { error: "Payload too large", message });
      return;
    }
    const ingested = ingest(text);
    if (ingested.status !== 200) {
      answer(ingested.status, ingested.body);
      return;
    }
    for (const record of ingested.records) {
      records.push(record);
      for (const { response: stream, wants } of subscribers) {
        if (wants(record)) stream.write(`data: ${JSON.stringify(record)}\n\n`);
      }
    }
    records.splice(0, Math.max(0, records.length - maxEvents));
    answer(200, { success: true, count: ingested.records.length });
  };

  const subscribe = async (query: URLSearchParams, response: ServerResponse): Promise<void> => {
    const since = query.get("since");
    if (since !== null && Number.isNaN(Date.parse(since))) {
      sendJson(response, 400, { error: "Invalid since parameter" });
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ type: "connected", timestamp: new Date().toISOString() })}\n\n`);
    const heartbeat = setInterval(() => response.write(":heartbeat\n\n"), heartbeatMs);
    subscribers.add({ response, wants: filterOf(query) });
    response.on("close", () => clearInterval(heartbeat));
  };

  const server = await startFaulty(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://viewer");
    const route = `${request.method} ${pathname}`;
    requests.push(route);
    if (route === "POST /ingest") return take(request, response);
    if (route === "GET /events") return subscribe(searchParams, response);
    const timestamp = new Date().toISOString();
    const events = { count: records.length, capacity: maxEvents };
    const pages: Readonly<Record<string, unknown>> = {
      "GET /healthz": { status: "ok", timestamp, events },
      "GET /": { name: "Ariadne", version: "1.0.0" },
    };
    const page = pages[route];
    sendJson(response, page === undefined ? 404 : 200, page ?? { error: "Not found" });
  });

  return {
    ...server,
    posts,
    requests,
    records,
    get spans() {
      return records.filter((record) => record.type === "span");
    },
    get traces() {
      return records.filter((record) => record.type === "trace");
    },
  };
}

/** Records of traces pass whatever kinds and times are asked for. */
function filterOf(query: URLSearchParams): (record: ViewerRecord) => boolean {
  const traceId = query.get("traceId");
  const kinds = query.get("kinds")?.split(",");
  const since = query.get("since");
  return (record) => {
    if (traceId !== null && record.trace_id !== traceId) return false;
    if (record.type === "trace") return true;
    if (kinds !== undefined && (record.kind === undefined || !kinds.includes(record.kind))) return false;
    if (since === null || record.started_at === undefined) return true;
    return Date.parse(record.started_at) >= Date.parse(since);
  };
}
