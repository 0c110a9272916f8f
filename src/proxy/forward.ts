// Passes a request on to a provider and its answer back, byte for byte and as fast as the slower side reads: what is asked, how
// it is spelt and in which order is the client's, what is answered the provider's. Only what belongs to one connection stays.
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import { type Duplex, Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { errorCode } from "../storage/files.ts";

/** Names and values in turn, as they were sent. */
export type RawHeaders = readonly string[];

/** Headers of one connection (RFC 9110, 7.6.1), and the client's name for this server. */
const OF_CONNECTION = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
]);

export function withoutHeaders(headers: RawHeaders, isOut: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] as string;
    if (!isOut(name.toLowerCase())) kept.push(name, headers[at + 1] as string);
  }
  return kept;
}

/** Those that go on, without what `Connection` names. */
function endToEnd(message: IncomingMessage): string[] {
  const named = String(message.headers.connection ?? "")
    .toLowerCase()
    .split(",");
  const own = new Set([...OF_CONNECTION, ...named.map((name) => name.trim())]);
  return withoutHeaders(message.rawHeaders, (name) => own.has(name));
}

/** Where a request goes: the provider's address, and behind the path of that the client's own, as it is spelt. */
export interface Target {
  readonly base: URL;
  readonly path: string;
}

export interface UpstreamRequest {
  readonly target: Target;
  readonly method: string;
  /** `Host` is added. */
  readonly headers: RawHeaders;
  /** Bytes can be sent twice, where the provider closed a connection that rested. */
  readonly body: Buffer | IncomingMessage;
  readonly signal: AbortSignal;
}

/** Connections rest for the next request. */
const AGENTS = {
  http: new http.Agent({ keepAlive: true }),
  https: new https.Agent({ keepAlive: true }),
} as const;

/** The provider's answer, its body still to come. Throws the system's error where it cannot be reached. */
export async function askUpstream(request: UpstreamRequest): Promise<IncomingMessage> {
  for (let tries = 1; ; tries++) {
    const { response, sent } = open(request);
    try {
      return await response;
    } catch (error) {
      const isStale = sent.reusedSocket && ["ECONNRESET", "EPIPE"].includes(errorCode(error) ?? "");
      const isRepeatable = Buffer.isBuffer(request.body) && !request.signal.aborted;
      if (!isStale || !isRepeatable || tries > 3) throw error;
    }
  }
}

function open({ target, method, headers, body, signal }: UpstreamRequest) {
  const sent = startRequest(target, { method, headers, signal });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.on("error", reject);
  });
  if (Buffer.isBuffer(body)) sent.end(body);
  // What ends it before its time, ends the other side too.
  else void pipeline(body, sent).catch((error: unknown) => sent.destroy(error as Error));
  return { response, sent };
}

function startRequest(
  { base, path }: Target,
  { headers = [], ...options }: http.RequestOptions & { headers?: RawHeaders },
) {
  const isSafe = base.protocol === "https:";
  const { request } = isSafe ? https : http;
  return request({
    ...{ protocol: base.protocol, hostname: base.hostname.replace(/^\[|\]$/g, ""), port: base.port, path },
    ...{ agent: isSafe ? AGENTS.https : AGENTS.http, headers: ["Host", base.host, ...headers], ...options },
  });
}

/** Of a request whose body is passed on as it comes. */
export function headersOf(request: IncomingMessage): string[] {
  const headers = withoutHeaders(endToEnd(request), (name) => name === "host" || name.startsWith(OURS));
  return request.headers["transfer-encoding"] === undefined ? headers : [...headers, "Transfer-Encoding", "chunked"];
}

/** Of one whose body was read. `isChanged`: it is plain JSON now, whatever it came as. `isPlain`: so shall the answer be. */
export function headersFor(request: IncomingMessage, body: Buffer, isChanged: boolean, isPlain = false): string[] {
  const out = ["content-length", "transfer-encoding"];
  if (isChanged) out.push("content-encoding");
  if (isPlain) out.push("accept-encoding");
  const headers = withoutHeaders(headersOf(request), (name) => out.includes(name));
  return [...headers, ...(isPlain ? ["Accept-Encoding", "identity"] : []), "Content-Length", String(body.length)];
}

/** Names of our own headers begin so; none goes to a provider. */
export const OURS = "x-agent-compact-";

interface PassBack {
  /** Sees each piece of the body as it passes. */
  readonly look?: (chunk: Buffer) => void;
  /** What the body goes through, and may come out of with another length. */
  readonly edit?: Transform | undefined;
}

/** `added`: our own headers. Never rejects. */
export async function passBack(
  answer: IncomingMessage,
  response: ServerResponse,
  added: RawHeaders,
  { look, edit }: PassBack = {},
): Promise<void> {
  response.sendDate = false;
  const headers = withoutHeaders(endToEnd(answer), (name) => edit !== undefined && name === "content-length");
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", [...headers, ...added]);
  response.flushHeaders();
  if (look !== undefined) answer.on("data", look);
  await pipeline([answer, ...(edit === undefined ? [] : [edit]), response]).catch(() => {
    // One side has left: the other must not take what came for the whole.
    answer.destroy();
    response.destroy();
  });
}

/** An answer with another body, plain. Never rejects. */
export async function passWritten(
  answer: IncomingMessage,
  response: ServerResponse,
  added: RawHeaders,
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  edit?: Transform,
): Promise<void> {
  response.sendDate = false;
  const headers = withoutHeaders(endToEnd(answer), (name) => name === "content-length" || name === "content-encoding");
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", [...headers, ...added]);
  response.flushHeaders();
  await pipeline([Readable.from(body), ...(edit === undefined ? [] : [edit]), response]).catch(() => {
    answer.destroy();
    response.destroy();
  });
}

/** An answer that was read. */
export function passBytes(answer: IncomingMessage, bytes: Buffer, response: ServerResponse, added: RawHeaders): void {
  response.sendDate = false;
  const headers = withoutHeaders(endToEnd(answer), (name) => name === "content-length");
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", [
    ...headers,
    ...["Content-Length", String(bytes.length)],
    ...added,
  ]);
  response.end(bytes);
}

/** Of a connection that becomes another protocol's: passed on as it is, in both directions. */
export function passUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, target: Target): void {
  const headers = withoutHeaders(request.rawHeaders, (name) => name === "host" || name.startsWith(OURS));
  const sent = startRequest(target, { method: request.method ?? "GET", headers, agent: false });
  socket.on("error", () => sent.destroy());
  socket.on("close", () => sent.destroy());
  sent.on("error", () => socket.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n"));
  sent.on("upgrade", (answer, other, first) => {
    socket.write(headText(answer));
    socket.write(first);
    other.write(head);
    other.on("error", () => socket.destroy());
    socket.on("error", () => other.destroy());
    other.pipe(socket).pipe(other);
  });
  sent.on("response", (answer) => {
    socket.write(headText(answer, ["Connection", "close"]));
    answer.pipe(socket);
  });
  sent.end();
}

function headText(answer: IncomingMessage, instead?: RawHeaders): string {
  const headers = instead === undefined ? answer.rawHeaders : [...endToEnd(answer), ...instead];
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));
  return [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`, ...lines, "", ""].join("\r\n");
}
