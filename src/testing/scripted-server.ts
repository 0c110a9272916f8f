// A real HTTP server on the loopback that speaks OpenAI's chat completions and Anthropic's messages and misbehaves as
// its script says. Node only; its built-ins are loaded when it starts.
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  answerBody,
  type Dialect,
  dialectOf,
  errorBody,
  type ServedAnswer,
  type ServedError,
} from "./provider-bodies.ts";
import { createScriptReader, type Script, type WhenOver } from "./script.ts";
import { misbehave, type ServerFault } from "./server-faults.ts";

/** A plain string is a complete answer. */
export type ServerStep =
  | string
  | (ServedAnswer & { readonly headers?: Readonly<Record<string, string>> })
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Written in the dialect of the path. */
      readonly error?: ServedError;
      /** Instead of `error`: text as it is, anything else as JSON. */
      readonly body?: unknown;
    }
  | { readonly fault: ServerFault };

export interface ServerCall {
  /** With the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed where it is JSON, else text. */
  readonly body: unknown;
}

export interface ScriptedServerOptions {
  /** Default `repeat`. When over, a call is answered by status 400 with code `script_over`. */
  readonly whenOver?: WhenOver;
}

export interface ScriptedServer {
  /** `http://127.0.0.1:PORT`, also the base URL for Anthropic. */
  readonly url: string;
  /** The base URL for OpenAI. */
  readonly openaiUrl: string;
  /** Every request so far. */
  readonly calls: readonly ServerCall[];
  /** Ends open connections too. */
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. Paths of no provider are answered by 404 and take no step. */
export async function startScriptedServer(
  script: Script<ServerStep, ServerCall>,
  options: ScriptedServerOptions = {},
): Promise<ScriptedServer> {
  const { createServer } = await import("node:http");
  const calls: ServerCall[] = [];
  const nextStep = createScriptReader(script, options.whenOver ?? "repeat");
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(request);
    const dialect = dialectOf(call.path);
    calls.push(call);
    if (dialect === undefined) send(response, 404, {}, errorBody({ type: "not_found_error" }, "openai"));
    else serve((await nextStep(call)) ?? { status: 400, error: { code: "script_over" } }, dialect, response);
  };
  const server = createServer((request, response) => {
    // A client that gave up, or a script that threw: either way this connection is over.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    url,
    openaiUrl: `${url}/v1`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function serve(step: ServerStep, dialect: Dialect, response: ServerResponse): void {
  if (typeof step === "string") {
    send(response, 200, {}, answerBody({ text: step }, dialect));
  } else if ("fault" in step) {
    misbehave(step.fault, response, JSON.stringify(answerBody({ text: "never whole" }, dialect)));
  } else if ("status" in step) {
    send(response, step.status, step.headers, step.body ?? errorBody(step.error ?? {}, dialect));
  } else {
    send(response, 200, step.headers, answerBody(step, dialect));
  }
}

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> | undefined,
  body: unknown,
): void {
  const type = typeof body === "string" ? "text/plain" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function readCall(request: IncomingMessage): Promise<ServerCall> {
  let text = "";
  request.setEncoding("utf8");
  for await (const piece of request) text += piece;
  return { path: request.url ?? "", headers: request.headers, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
