// What every request to a server on this machine passes through before it is served: Host, Origin, token, size, time.
// Refusals have the form of JSON-RPC errors, which is what all its clients read.
import { Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { timeout } from "hono/timeout";
import { createBearerCheck, type Refusal, refuseHost, refuseOrigin } from "./guards.ts";
import { limitBody } from "./limit-body.ts";

export interface LoopbackAppOptions {
  /** Asked of every request when given. */
  readonly token?: string;
  readonly log: (line: string) => void;
  readonly mostBytes?: number;
  /** How long a request may take to be answered. */
  readonly timeoutMs?: number;
  /** What `GET /` says, with status 404. */
  readonly greeting: string;
}

export const MOST_BODY_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

export async function createLoopbackApp(options: LoopbackAppOptions): Promise<Hono> {
  const { log, token, greeting, mostBytes = MOST_BODY_BYTES, timeoutMs = TIMEOUT_MS } = options;
  const refuseToken = token === undefined ? () => undefined : await createBearerCheck(token);
  const app = new Hono();
  app.use(
    guard(
      (header) => refuseHost(header("host")) ?? refuseOrigin(header("origin")) ?? refuseToken(header("authorization")),
    ),
  );
  app.use(limitBody(mostBytes, () => refusal(413, `The body is larger than ${mostBytes} bytes.`)));
  app.use(timeout(timeoutMs, () => new HTTPException(504, { message: "The request took too long and was given up." })));
  app.get("/", () => refusal(404, greeting));
  app.notFound(() => refusal(404, "There is nothing at this path."));
  app.onError((error) => {
    if (error instanceof HTTPException) return refusal(error.status, error.message);
    log(`A request failed unexpectedly: ${error.stack ?? error.message}`);
    return refusal(500, "The request failed unexpectedly. The server's log says where.");
  });
  return app;
}

function guard(check: (header: (name: string) => string | undefined) => Refusal | undefined): MiddlewareHandler {
  return async ({ req }, next) => {
    const refused = check((name) => req.header(name));
    if (refused !== undefined) return refusal(refused.status, refused.message);
    return next();
  };
}

const SERVER_ERROR = -32000;

function refusal(status: number, message: string): Response {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: SERVER_ERROR, message }, id: null });
  const headers = { "content-type": "application/json", ...(status === 401 ? { "www-authenticate": "Bearer" } : {}) };
  return new Response(body, { status, headers });
}
