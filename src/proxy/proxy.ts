// A proxy between an agent and its provider: each request that carries a conversation is compacted when that is due, all else
// passes. It keeps no key and tells none: what a client sends to prove itself goes to the provider and nowhere else.
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Transform } from "node:stream";
import { CompactError } from "../errors.ts";
import { type BearerCheck, refuseElsewhere } from "../http/loopback.ts";
import { CHAT_REQUEST, type ListRequest, MESSAGES_REQUEST, RESPONSES_REQUEST } from "../providers/list-requests.ts";
import { errorCode } from "../storage/files.ts";
import { type JsonObject, toJson } from "../text/json-values.ts";
import { type Composed, PASSED, type RequestToCompact } from "./compact-request.ts";
import { askUpstream, headersFor, headersOf, OURS, passBack, passUpgrade, type Target } from "./forward.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { type Refusal, readOverflow } from "./overflow.ts";
import { type Answered, passOwnAnswer } from "./own-answer.ts";
import type { OwnTools } from "./own-tools.ts";
import { createReportEditor } from "./report.ts";
import { targetOf, type Upstream } from "./upstreams.ts";
import { createUsageReader, decoderOf, figuresOf } from "./usage.ts";

export interface ProxyParts {
  readonly compose: (request: RequestToCompact) => Promise<Composed>;
  /** Asked in this order which of them a request is for. */
  readonly upstreams: readonly Upstream[];
  /** 0: any free one. */
  readonly port: number;
  /** Default: this machine alone. */
  readonly host?: string;
  /** Asked of every request in `x-agent-compact-token`. */
  readonly isAllowed?: BearerCheck;
  /** WebSockets for conversations are refused, so that the client asks over HTTP; others pass. */
  readonly refusesSockets?: boolean;
  /** What the agent is told of a request's size: as it was sent, or as it came. */
  readonly report?: "sent" | "original";
  /** The archive's tools, for agents that have none. */
  readonly ownTools?: OwnTools;
  readonly log: (line: string) => void;
}

export interface RunningProxy {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  readonly metrics: Metrics;
  /** Takes no more requests and resolves when those that run have ended; after `graceMs` they are cut off. */
  close(graceMs: number): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
/** Of a body that has to be read. */
export const MOST_BODY_BYTES = 100 * 1024 * 1024;
const HEADERS_MS = 60_000;
/** Longer than clients keep theirs, so that it is not we who close a connection that is just used. */
const REST_MS = 75_000;

interface Route {
  readonly wire: ListRequest;
  /** The request is asked about, not answered: how many tokens it has. */
  readonly isCount: boolean;
}

const ROUTES: readonly (Route & { readonly path: RegExp })[] = [
  { path: /\/chat\/completions$/, wire: CHAT_REQUEST, isCount: false },
  { path: /\/responses$/, wire: RESPONSES_REQUEST, isCount: false },
  { path: /\/responses\/input_tokens$/, wire: RESPONSES_REQUEST, isCount: true },
  { path: /\/messages$/, wire: MESSAGES_REQUEST, isCount: false },
  { path: /\/messages\/count_tokens$/, wire: MESSAGES_REQUEST, isCount: true },
];

/** Throws `Conflict` (`PORT_IN_USE`) and `InvalidInput` (`PORT_REFUSED`). */
export async function startProxy(parts: ProxyParts): Promise<RunningProxy> {
  const { port, host = LOOPBACK, log } = parts;
  const metrics = createMetrics();
  const server = http.createServer({ requestTimeout: 0, headersTimeout: HEADERS_MS, keepAliveTimeout: REST_MS });
  server.on("request", (request, response) => {
    void serve(request, response, parts, metrics).catch((error: unknown) => {
      log(`A request failed unexpectedly: ${(error instanceof Error ? error.stack : undefined) ?? error}`);
      fail(response, 500, "The proxy failed unexpectedly. Its log says where.");
    });
  });
  server.on("upgrade", (request, socket, head) => {
    const refusal = refused(request, parts) ?? refusedSocket(request, parts);
    const target = refusal === undefined ? targetOf(parts.upstreams, request.url ?? "/") : undefined;
    if (target !== undefined) return passUpgrade(request, socket, head, target);
    return socket.end(`HTTP/1.1 ${refusal?.status ?? 404} Refused\r\nConnection: close\r\n\r\n`);
  });
  await listen(server, port, host);
  const { port: bound } = server.address() as AddressInfo;
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    metrics,
    close: (graceMs) => close(server, graceMs),
  };
}

function listen(server: http.Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      const what = isTaken ? "is in use" : `cannot be used: ${error.code ?? error.message}`;
      reject(
        new CompactError(isTaken ? "Conflict" : "InvalidInput", `Port ${port} of ${host} ${what}.`, {
          code: isTaken ? "PORT_IN_USE" : "PORT_REFUSED",
          hint: "Name another one with --port, or 0 for any free one.",
          cause: error,
        }),
      );
    });
    server.listen(port, host, () => resolve());
  });
}

async function close(server: http.Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

/** As providers answer, so that clients show the words. */
function fail(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  const body = toJson({ type: "error", error: { type: "proxy_error", message: `agent-compact: ${message}` } });
  // What still comes of a body that is too large is not waited for.
  const connection = status === 413 ? { connection: "close" } : {};
  response.writeHead(status, { "content-type": "application/json", ...connection }).end(body);
}

function refused(request: IncomingMessage, { host, isAllowed }: ProxyParts) {
  if (isAllowed !== undefined) {
    const checked = isAllowed(`Bearer ${request.headers[`${OURS}token`] ?? ""}`);
    if (!("status" in checked)) return undefined;
    return { status: 401, message: `Send the header "${OURS}token: TOKEN" with this proxy's token.` };
  }
  return host === undefined ? refuseElsewhere(request.headers.host, request.headers.origin) : undefined;
}

/** Status 426 is what makes Codex ask over HTTP at once. */
function refusedSocket({ url = "" }: IncomingMessage, { refusesSockets }: ProxyParts) {
  const [path = ""] = url.split("?", 1);
  return refusesSockets === true && ROUTES.some((each) => each.path.test(path)) ? { status: 426 } : undefined;
}

// One request.

const NOBODY =
  "No upstream is for this path: name one with --upstream, or in the block proxy.upstreams of compact.yaml.";

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ProxyParts,
  metrics: Metrics,
): Promise<void> {
  const refusal = refused(request, parts);
  if (refusal !== undefined) return fail(response, refusal.status, refusal.message);
  const url = request.url ?? "/";
  if (!url.startsWith("/")) return fail(response, 400, "This proxy stands for one provider: ask for a path.");
  if (url === "/healthz") return void response.writeHead(200, { "content-type": "text/plain" }).end("ok\n");
  if (url === "/metrics") {
    return void response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(metrics.text());
  }
  const stop = new AbortController();
  response.on("close", () => stop.abort());
  const exchange: Exchange = { request, response, parts, metrics, signal: stop.signal };
  const [path = ""] = url.split("?", 1);
  const route = request.method === "POST" ? ROUTES.find((each) => each.path.test(path)) : undefined;
  try {
    if (route === undefined) await passThrough(exchange);
    else await passConversation(exchange, route);
  } catch (error) {
    if (stop.signal.aborted) return;
    metrics.failed("upstream");
    const { base } = targetOf(parts.upstreams, url) ?? {};
    fail(response, 502, `${base?.origin ?? "The provider"} could not be asked: ${errorCode(error) ?? error}.`);
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly parts: ProxyParts;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
}

async function passThrough({ request, response, metrics, parts, signal }: Exchange): Promise<void> {
  metrics.request("other");
  // Without one of these a request has no body (RFC 9112, 6.3), and may be sent twice.
  const hasBody = "content-length" in request.headers || "transfer-encoding" in request.headers;
  const body = hasBody ? request : Buffer.alloc(0);
  const headers = headersOf(request);
  const target = targetOf(parts.upstreams, request.url ?? "/");
  if (target === undefined) return fail(response, 404, NOBODY);
  const answer = await askUpstream({ target, method: request.method ?? "GET", headers, body, signal });
  await passBack(answer, response, []);
}

async function passConversation(exchange: Exchange, { wire, isCount }: Route): Promise<void> {
  const { request, response, parts, metrics, signal } = exchange;
  const raw = await readBytes(request, MOST_BODY_BYTES);
  if (raw === undefined) return fail(response, 413, `The body is larger than ${MOST_BODY_BYTES} bytes.`);
  const startedAt = performance.now();
  const bytes = await decoded(raw, request.headers["content-encoding"]);
  if (bytes === "too large") return fail(response, 413, `The body holds more than ${MOST_BODY_BYTES} bytes.`);
  const { headers, url = "/" } = request;
  const whereTo = (model: string | undefined) => targetOf(parts.upstreams, url, model);
  const isAsIs = bytes === undefined || (isCount && parts.report === "original");
  const own = isAsIs ? undefined : await parts.ownTools?.open(wire, bytes);
  const asked: RequestToCompact | undefined = isAsIs
    ? undefined
    : {
        ...{ wire, bytes: own?.bytes ?? bytes, headers, whereTo, isLook: isCount, signal },
        ...{ session: sessionOf(headers), window: windowOf(headers) },
      };
  const composed = asked === undefined ? PASSED : await parts.compose(asked);
  metrics.added(performance.now() - startedAt);
  const target = whereTo(composed.model);
  if (target === undefined) return fail(response, 404, NOBODY);
  const sending: Sending = { exchange, raw, asked, target, isCount, isOwn: own !== undefined };
  const first = await askProvider(sending, composed);
  note(exchange, first.composed);
  if (first.refusal !== undefined) return first.refusal.passBack(response, ownHeaders(first.composed));
  if (own === undefined || asked === undefined || isCount || first.answer.statusCode !== 200)
    return finish(exchange, first, isCount);
  await passOwnAnswer({
    ...{ request: own, first, response, headers: ownHeaders(first.composed), edit: editorFor(exchange, first) },
    async ask(more) {
      const next = { ...asked, bytes: more };
      const answered = await askProvider({ ...sending, asked: next }, await parts.compose(next));
      note(exchange, answered.composed);
      return answered;
    },
    took: (answered, usage) => took(exchange, answered.composed, usage),
  });
}

interface Sending {
  readonly exchange: Exchange;
  /** The request as it came. */
  readonly raw: Buffer;
  /** What it was compacted from; undefined for one that is not looked at. */
  readonly asked: RequestToCompact | undefined;
  readonly target: Target;
  readonly isCount: boolean;
  /** It has tools of ours, and its answer is read. */
  readonly isOwn: boolean;
}

/** One for each reason: too long, then bound to what is no longer there. */
const MOST_TRIES = 3;

/** Asks once more, with less, where the provider says why it takes no more. */
async function askProvider(sending: Sending, composed: Composed, tries = 1): Promise<Answered> {
  const { asked, isCount } = sending;
  const answer = await send(sending, composed);
  if (asked === undefined || isCount || !isRefusal(answer)) return { answer, composed };
  const refusal = await readOverflow(answer);
  const again = tries < MOST_TRIES ? await lessOf(sending.exchange, asked, composed, refusal) : undefined;
  return again === undefined ? { answer, composed, refusal } : await askProvider(sending, again, tries + 1);
}

async function lessOf(
  { parts }: Exchange,
  asked: RequestToCompact,
  composed: Composed,
  { isOverflow, isBound, window = asked.window }: Refusal,
): Promise<Composed | undefined> {
  if (isBound) {
    const { bytes } = await parts.compose({ ...asked, isBound });
    return bytes === undefined ? undefined : { ...composed, bytes };
  }
  const again = isOverflow ? await parts.compose({ ...asked, window, isRefused: true }) : undefined;
  return again?.outcome === "compacted" ? again : undefined;
}

/** Passes the answer back and takes note of what it says that it took. */
async function finish(exchange: Exchange, { answer, composed }: Answered, isCount: boolean): Promise<void> {
  const usage = createUsageReader(answer.headers);
  const edit = editorFor(exchange, { answer, composed });
  await passBack(answer, exchange.response, ownHeaders(composed), { look: usage.write, edit });
  const found = await usage.end();
  if (!isCount) took(exchange, composed, found);
}

/** Tokens that the agent is told of although they were not sent. */
function hiddenFrom({ parts }: Exchange, { hidden = 0 }: Composed): number {
  return parts.report === "original" ? hidden : 0;
}

function editorFor(exchange: Exchange, { answer, composed }: Answered): Transform | undefined {
  const hidden = hiddenFrom(exchange, composed);
  const isStream = String(answer.headers["content-type"]).includes("text/event-stream");
  return hidden > 0 && answer.statusCode === 200 ? createReportEditor(hidden, isStream) : undefined;
}

function took({ metrics }: Exchange, composed: Composed, usage: JsonObject | undefined): void {
  if (usage === undefined) return;
  metrics.usage(figuresOf(usage));
  composed.report?.(usage);
}

function send({ exchange, raw, asked, target, isOwn }: Sending, composed: Composed): Promise<IncomingMessage> {
  const { request, signal } = exchange;
  const changed = composed.bytes ?? (isOwn ? asked?.bytes : undefined);
  const body = changed ?? raw;
  const isPlain = isOwn || hiddenFrom(exchange, composed) > 0;
  const headers = headersFor(request, body, changed !== undefined, isPlain);
  return askUpstream({ target, method: "POST", headers, body, signal });
}

/** What was done, in the log where it matters, and counted. */
function note({ metrics, parts }: Exchange, { outcome, tokens, sessionId, warning }: Composed): void {
  metrics.request(outcome);
  if (tokens !== undefined) {
    metrics.compaction(tokens.before, tokens.after);
    parts.log(`${sessionId}: compacted from ${tokens.before} to ${tokens.after} tokens`);
  }
  if (warning === undefined) return;
  metrics.failed("compaction");
  parts.log(`${sessionId}: not compacted: ${warning}`);
}

function ownHeaders({ outcome, sessionId, step, tokens, warning }: Composed): string[] {
  const fields: JsonObject = {
    outcome,
    session: sessionId,
    step,
    "tokens-before": tokens?.before,
    "tokens-after": tokens?.after,
    warning: warning?.split(":", 1)[0],
  };
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${OURS}${name}`, String(value).replace(/[^\x20-\x7e]/g, "?")],
  );
}

/** Undefined when there is more. What comes behind is read no further. */
async function readBytes(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > most) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > most) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Undefined for an encoding that nobody here knows, or bytes that are not of it: the provider may. */
async function decoded(raw: Buffer, encoding: string | undefined): Promise<Buffer | undefined | "too large"> {
  if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return raw;
  const decoder = decoderOf(encoding);
  if (decoder === undefined) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    decoder.end(raw);
    for await (const chunk of decoder) {
      size += (chunk as Buffer).length;
      if (size > MOST_BODY_BYTES) return "too large";
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}

/** Headers in which hosts name a session, ours first. */
const SESSION_HEADERS = [`${OURS}session`, "session_id", "session-id", "x-session-id", "x-claude-code-session-id"];
const MOST_NAME = 80;

function sessionOf(headers: IncomingMessage["headers"]): string | undefined {
  const named = SESSION_HEADERS.map((name) => headers[name]).find((value) => typeof value === "string" && value !== "");
  return named === undefined ? undefined : String(named).slice(0, MOST_NAME);
}

const MILLION = 1_000_000;

function windowOf(headers: IncomingMessage["headers"]): number | undefined {
  return /\bcontext-1m\b/.test(String(headers["anthropic-beta"])) ? MILLION : undefined;
}

function isRefusal({ statusCode }: IncomingMessage): boolean {
  return statusCode === 400 || statusCode === 413;
}
