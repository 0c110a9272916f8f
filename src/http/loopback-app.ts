// What every request to a server on this machine passes through before it is served: Host, Origin, token, size, time.
// Refusals have the form of JSON-RPC errors, unless a server's clients read another.
import { Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { timeout } from "hono/timeout";
import { createBearerCheck, refuseHost, refuseOrigin } from "./guards.ts";
import { limitBody } from "./limit-body.ts";

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
    const elsewhere = refuseHost(req.header("host")) ?? refuseOrigin(req.header("origin"));
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
