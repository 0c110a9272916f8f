// A server on this machine: it listens on 127.0.0.1 only, and every request passes Host, Origin, token, size and time
// before it is served. Refusals have the form of JSON-RPC errors, unless a server's clients read another.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { timeout } from "hono/timeout";
import { CompactError } from "../errors.ts";

export interface LoopbackAppOptions {
  /** Asked of every request when given. */
  readonly token?: string;
  /** Of several clients: token to agent. One of them is asked of every request when given. */
  readonly agents?: ReadonlyMap<string, string> | undefined;
  /** Paths at which no token is asked. */
  readonly openPaths?: readonly string[];
  readonly log: (line: string) => void;
  readonly mostBytes?: number;
  /** How long a request may take to be answered. */
  readonly timeoutMs?: number;
  /** What `GET /` says, with status 404. Without one the path is the caller's. */
  readonly greeting?: string;
  /** Body of a refusal, as JSON. Default: a JSON-RPC error. */
  readonly refusalBody?: (message: string) => unknown;
}

/** Requests know the agent whose token they carry; empty where no token is asked. */
export type LoopbackApp = Hono<{ Variables: { agent: string } }>;

export const MOST_BODY_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

export async function createLoopbackApp(options: LoopbackAppOptions): Promise<LoopbackApp> {
  const { log, greeting, refusalBody = rpcError, mostBytes = MOST_BODY_BYTES, timeoutMs = TIMEOUT_MS } = options;
  const refusal = (status: number, message: string) => refuse(status, refusalBody(message));
  const app: LoopbackApp = new Hono();
  app.use(await guard(options, refusal));
  app.use(limitBody(mostBytes, () => refusal(413, `The body is larger than ${mostBytes} bytes.`)));
  app.use(timeout(timeoutMs, () => new HTTPException(504, { message: "The request took too long and was given up." })));
  if (greeting !== undefined) app.get("/", () => refusal(404, greeting));
  app.notFound(() => refusal(404, "There is nothing at this path."));
  app.onError((error) => {
    if (error instanceof HTTPException) return refusal(error.status, error.message);
    // The client has left in the middle of its request; nobody reads the answer.
    if ((error as NodeJS.ErrnoException).code === "ECONNRESET") return refusal(400, "The body did not arrive whole.");
    log(`A request failed unexpectedly: ${error.stack ?? error.message}`);
    return refusal(500, "The request failed unexpectedly. The server's log says where.");
  });
  return app;
}

type Refuse = (status: number, message: string) => Response;

async function guard(
  { token, agents, openPaths = [] }: LoopbackAppOptions,
  refusal: Refuse,
): Promise<MiddlewareHandler<{ Variables: { agent: string } }>> {
  const tokens = agents ?? (token === undefined ? undefined : new Map([[token, ""]]));
  const checkToken = tokens === undefined ? () => ({ agent: "" }) : await createBearerCheck(tokens);
  return async (context, next) => {
    const { req } = context;
    const elsewhere = refuseElsewhere(req.header("host"), req.header("origin"));
    if (elsewhere !== undefined) return refusal(elsewhere.status, elsewhere.message);
    const checked = openPaths.includes(req.path) ? { agent: "" } : checkToken(req.header("authorization"));
    if ("status" in checked) return refusal(checked.status, checked.message);
    context.set("agent", checked.agent);
    return next();
  };
}

const SERVER_ERROR = -32000;

function rpcError(message: string): unknown {
  return { jsonrpc: "2.0", error: { code: SERVER_ERROR, message }, id: null };
}

function refuse(status: number, body: unknown): Response {
  const headers = { "content-type": "application/json", ...(status === 401 ? { "www-authenticate": "Bearer" } : {}) };
  return new Response(JSON.stringify(body), { status, headers });
}

// Who may talk to a server on this machine: programs that name it by a loopback name, pages of this machine, and, where a
// token is set, whoever has it. A page elsewhere reaches 127.0.0.1 by a name of its own (DNS rebinding); its Host and
// Origin give it away.

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

export function refuseElsewhere(host: string | undefined, origin: string | undefined): Refusal | undefined {
  return refuseHost(host) ?? refuseOrigin(origin);
}

function refuseHost(host: string | undefined): Refusal | undefined {
  if (host !== undefined && isLoopback(`http://${host}`)) return undefined;
  return { status: 403, message: "The Host header does not name this machine. Use http://127.0.0.1 and the port." };
}

/** Programs send no Origin; `null` is what a page without one sends. */
function refuseOrigin(origin: string | undefined): Refusal | undefined {
  if (origin === undefined || (/^https?:\/\//.test(origin) && isLoopback(origin))) return undefined;
  return { status: 403, message: "Pages of this Origin may not use this server." };
}

function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, username, pathname, search } = new URL(address);
  return LOOPBACK_NAMES.includes(hostname) && username === "" && pathname === "/" && search === "";
}

interface Admission {
  /** Whom the token stands for. */
  readonly agent: string;
}

export type BearerCheck = (header: string | undefined) => Refusal | Admission;

/**
 * Tells whose token an Authorization header carries, in a time that depends neither on how much of it is right nor on whose
 * it is. `agents` is token to agent.
 */
export async function createBearerCheck(agents: ReadonlyMap<string, string>): Promise<BearerCheck> {
  const { createHash, randomBytes, timingSafeEqual } = await import("node:crypto");
  const salt = randomBytes(16);
  const hash = (text: string) => createHash("sha256").update(salt).update(text).digest();
  const expected = [...agents].map(([token, agent]) => ({ hash: hash(token), agent }));
  return (header) => {
    const [, given = ""] = /^Bearer {1,3}([\x21-\x7e]{1,4096})$/i.exec(header ?? "") ?? [];
    const found = hash(given);
    const [admitted] = expected.filter((one) => timingSafeEqual(found, one.hash));
    if (admitted !== undefined) return { agent: admitted.agent };
    const what = header === undefined ? "This server asks for a token" : "The token is not one of this server";
    return { status: 401, message: `${what}: send the header "Authorization: Bearer TOKEN".` };
  };
}

function limitBody(mostBytes: number, refuse: () => Response): MiddlewareHandler {
  const limit = bodyLimit({ maxSize: mostBytes, onError: refuse });
  return async (context, next) => {
    const { raw } = context.req;
    // A request that announces neither has no body (RFC 9112, 6.3), although this server's requests have a stream for it.
    if (!raw.headers.has("content-length") && !raw.headers.has("transfer-encoding")) return next();
    if (raw.headers.has("transfer-encoding") && raw.body !== null) context.req.raw = standardRequest(raw);
    return limit(context, next);
  };
}

/** The limit reads a body of unknown length and makes the request anew, which only one of Node's own can be made from. */
function standardRequest(raw: Request): Request {
  const { url, method, headers, body, signal } = raw;
  return new Request(url, { method, headers, body, signal, duplex: "half" } as RequestInit);
}

// Listens on 127.0.0.1 and nowhere else, and ends within a bounded time. What is served is the caller's.

interface LoopbackServer {
  /** `http://127.0.0.1:PORT`. */
  readonly address: string;
  readonly port: number;
  /** Takes no more connections, lets running requests end for `graceMs` at most, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

interface LoopbackServerOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly log: (line: string) => void;
}

const LOOPBACK = "127.0.0.1";
/** How long a client may take to send its headers, and its whole request. */
const RECEIVING = { headersTimeout: 15_000, requestTimeout: 60_000 } as const;
const SWEEP_MS = 20;

/** Throws `Conflict` (`PORT_IN_USE`) and `InvalidInput` (`PORT_REFUSED`). */
export async function openLoopbackServer({ port, fetch, log }: LoopbackServerOptions): Promise<LoopbackServer> {
  const { createAdaptorServer } = await import("@hono/node-server");
  const server = createAdaptorServer({
    fetch,
    serverOptions: { ...RECEIVING },
    overrideGlobalObjects: false,
  }) as Server;
  const unused = watchUnused(server);
  await listen(server, port);
  server.on("error", (error) => log(`The server could not take a connection: ${error.message}`));
  const bound = server.address();
  const boundPort = typeof bound === "object" && bound !== null ? bound.port : port;
  return {
    address: `http://${LOOPBACK}:${boundPort}`,
    port: boundPort,
    close: (graceMs) => closeServer(server, unused, graceMs),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(listenFailure(error, port));
    server.once("error", fail);
    server.listen(port, LOOPBACK, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function listenFailure(error: NodeJS.ErrnoException, port: number): CompactError {
  if (error.code === "EADDRINUSE") {
    return new CompactError("Conflict", `Port ${port} of ${LOOPBACK} is in use.`, {
      code: "PORT_IN_USE",
      hint: "Name another one, or 0 for any free one.",
    });
  }
  return new CompactError(
    "InvalidInput",
    `Port ${port} of ${LOOPBACK} cannot be used: ${error.code ?? error.message}.`,
    {
      code: "PORT_REFUSED",
      hint: "Name a port from 1024 to 65535, or 0 for any free one.",
      cause: error,
    },
  );
}

/** Connections on which nothing was asked yet, as browsers keep them ready. Node counts them as busy. */
function watchUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage) => unused.delete(socket));
  return unused;
}

async function closeServer(server: Server, unused: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of unused) socket.destroy();
  // A connection that is kept open for a next request becomes idle after close() has looked.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
