// Serves any number of clients over streamable HTTP at /mcp, on this machine only. Both eras of the protocol, without
// sessions: each request is answered by a server of its own, from the same factory.
import { createMcpHandler } from "@modelcontextprotocol/server";
import { HTTPException } from "hono/http-exception";
import { createLoopbackApp, MOST_BODY_BYTES, openLoopbackServer } from "../http/loopback.ts";
import { figure } from "../text/figures.ts";
import { findExcess, MESSAGE_LIMITS } from "../text/parse-json.ts";
import { aborted } from "../timeout.ts";
import type { Log } from "./call-tool.ts";
import { loosenMessage } from "./read-arguments.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerFactory } from "./server.ts";

export interface HttpOptions {
  readonly factory: ServerFactory;
  readonly port: number;
  readonly token?: string;
  readonly running: RunningCalls;
  readonly log: Log;
  /** Aborted: no more requests are taken, running ones end. */
  readonly signal: AbortSignal;
  readonly onListening: (url: string) => void;
}

const PATH = "/mcp";
const EXCESS = {
  depth: `levels of lists and objects in one another: ${MESSAGE_LIMITS.depth} are taken`,
  values: `values: ${figure(MESSAGE_LIMITS.values)} are taken. Send the content in smaller parts`,
};
/** Together under the two seconds after which clients kill a server. */
const CALLS_MS = 1_200;
const CONNECTIONS_MS = 300;

/** Resolves when the server was stopped and is closed. Throws as `openLoopbackServer` does. */
export async function serveHttp({
  factory,
  port,
  token,
  running,
  log,
  signal,
  onListening,
}: HttpOptions): Promise<void> {
  const handler = createMcpHandler(factory, {
    onerror: (error) => log(error.message),
    maxRequestBodySize: MOST_BODY_BYTES,
  });
  const greeting = `This is the MCP server of agent-compact. Its endpoint is ${PATH}; add it to an MCP client.`;
  const app = await createLoopbackApp({ log, greeting, ...(token === undefined ? {} : { token }) });
  app.all(PATH, async ({ req }) => handler.fetch(req.raw, await readBody(req.raw)));
  const server = await openLoopbackServer({ port, log, fetch: (request) => app.fetch(request) });
  onListening(`${server.address}${PATH}`);
  await aborted(signal);
  const closed = server.close(CALLS_MS + CONNECTIONS_MS);
  if (!(await running.settled(CALLS_MS))) {
    const unfinished = running.giveUp();
    if (unfinished !== undefined) log(unfinished);
  }
  // The answers of the calls that have just ended are on their way; streams that never end are cut now.
  const streams = setTimeout(() => void handler.close(), CONNECTIONS_MS / 2);
  await closed;
  clearTimeout(streams);
  await handler.close();
}

/** What is no JSON is left for the SDK to refuse, which would build it first where it is too much. */
async function readBody(request: Request): Promise<{ readonly parsedBody?: unknown }> {
  const type = request.headers.get("content-type") ?? "";
  if (request.method !== "POST" || !/^application\/json\b/i.test(type)) return {};
  const text = await request.clone().text();
  const excess = findExcess(text, MESSAGE_LIMITS);
  if (excess !== undefined) throw new HTTPException(413, { message: `The body has too many ${EXCESS[excess]}.` });
  try {
    const body: unknown = JSON.parse(text);
    // The SDK takes several messages at once from clients of the protocol's versions that have this.
    return { parsedBody: Array.isArray(body) ? body.map(loosenMessage) : loosenMessage(body) };
  } catch {
    return {};
  }
}
