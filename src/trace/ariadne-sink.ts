// Sends each event as a span to the Ariadne trace viewer's ingest, behind the caller's back. What the viewer accepts is
// decided in posting/ariadne-record.ts, when and how it is sent in posting/posting-queue.ts.
import { ariadneBody, ariadnePieces } from "./posting/ariadne-record.ts";
import { type Failure, failureOf } from "./posting/deliver.ts";
import { besideEndpoint, type Endpoint, endpointOf } from "./posting/endpoint.ts";
import type { LogLines } from "./posting/log-lines.ts";
import { createPostingSink, type PostingOptions, type PostingSink } from "./posting/posting-queue.ts";
import { request } from "./posting/request.ts";

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
export function createAriadneSink(options: AriadneSinkOptions): PostingSink {
  const endpoint = endpointOf({ url: options.url, label: "Ariadne", path: PATH, example: "http://localhost:5175" });
  const health = besideEndpoint(endpoint, PATH, "/healthz");
  const destination = {
    label: "Ariadne",
    advice: "Check that the viewer runs there; agents are not disturbed.",
    route: { endpoint, bodyOf: ariadneBody },
    limits: { count: 500, bytes: POST_BYTES, frameBytes: FRAME_BYTES },
    encode: (span: Parameters<typeof ariadnePieces>[0]) => ariadnePieces(span, POST_BYTES - FRAME_BYTES - 1),
    prepare: (deadline: number, signal: AbortSignal, lines: LogLines) => checkHealth(health, deadline, signal, lines),
  };
  return createPostingSink("ariadne", destination, options);
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
