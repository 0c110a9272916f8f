// A real HTTP server on the loopback that speaks OpenAI's chat completions and Anthropic's messages and misbehaves as
// its script says. Node only; its built-ins are loaded when it starts.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FinishReason, ModelUsage } from "../models/model.ts";
import { createScriptReader, type Script, type WhenOver } from "./scripted-model.ts";

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

// How OpenAI's chat completions and Anthropic's messages write an answer and an error, for the scripted server.

type Dialect = "openai" | "anthropic";

/** An answer, written in the dialect of the path that was asked. */
export interface ServedAnswer {
  readonly text?: string;
  /** Default `stop`. */
  readonly finish?: FinishReason;
  /** Thinking beside the text. */
  readonly reasoning?: string;
  /** OpenAI's `message.refusal`. */
  readonly refusal?: string;
  /** Names of tools that it tries to call. */
  readonly calls?: readonly string[];
  /** Text as a list of parts, as some servers write it. */
  readonly asParts?: boolean;
  /** Default 12 and 34; null leaves it out. */
  readonly usage?: ModelUsage | null;
}

export interface ServedError {
  readonly message?: string;
  readonly type?: string;
  readonly code?: string | number;
  readonly param?: string;
}

/** Undefined for a path that no provider answers at. */
function dialectOf(path: string): Dialect | undefined {
  const place = path.split("?")[0] ?? "";
  if (place.endsWith("/chat/completions")) return "openai";
  return place.endsWith("/v1/messages") ? "anthropic" : undefined;
}

function answerBody(answer: ServedAnswer, dialect: Dialect): unknown {
  return dialect === "openai" ? chatCompletion(answer) : anthropicMessage(answer);
}

function errorBody(error: ServedError, dialect: Dialect): unknown {
  return dialect === "openai" ? { error } : { type: "error", error };
}

const OPENAI_FINISH: Readonly<Record<FinishReason, string | null>> = {
  stop: "stop",
  length: "length",
  refusal: "content_filter",
  calls: "tool_calls",
  unknown: null,
};

function chatCompletion(answer: ServedAnswer): unknown {
  const { text = "", finish = "stop", reasoning, refusal, calls = [], asParts, usage } = answer;
  const toolCalls = calls.map((name, index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: "{}" },
  }));
  return {
    id: "chatcmpl-scripted",
    object: "chat.completion",
    created: 0,
    model: "scripted",
    choices: [
      {
        index: 0,
        finish_reason: OPENAI_FINISH[finish],
        message: {
          role: "assistant",
          content: asParts ? partsOf(text) : text,
          ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
          ...(refusal === undefined ? {} : { refusal }),
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
      },
    ],
    ...(usage === null ? {} : { usage: chatUsage(usage) }),
  };
}

function partsOf(text: string): readonly unknown[] {
  const middle = Math.floor(text.length / 2);
  return [
    { type: "thinking", thinking: [{ type: "text", text: "not for the reader" }] },
    { type: "text", text: text.slice(0, middle) },
    { type: "text", text: text.slice(middle) },
  ];
}

function chatUsage({ inputTokens, outputTokens }: ModelUsage = { inputTokens: 12, outputTokens: 34 }): unknown {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}

const ANTHROPIC_FINISH: Readonly<Record<FinishReason, string | null>> = {
  stop: "end_turn",
  length: "max_tokens",
  refusal: "refusal",
  calls: "tool_use",
  unknown: null,
};

function anthropicMessage(answer: ServedAnswer): unknown {
  const { text = "", finish = "stop", reasoning, calls = [], usage } = answer;
  const { inputTokens, outputTokens } = usage ?? { inputTokens: 12, outputTokens: 34 };
  return {
    id: "msg_scripted",
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [
      ...(reasoning === undefined ? [] : [{ type: "thinking", thinking: reasoning, signature: "scripted" }]),
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map((name, index) => ({ type: "tool_use", id: `toolu_${index}`, name, input: {} })),
    ],
    stop_reason: ANTHROPIC_FINISH[finish],
    stop_sequence: null,
    ...(usage === null ? {} : { usage: { input_tokens: inputTokens, output_tokens: outputTokens } }),
  };
}

// What a broken server does to a connection instead of answering.

/**
 * `hang`: no byte ever. `drip`: good headers, then a blank now and then, without end. `half-body`: the connection ends
 * within the body. `not-json`: a cut JSON text with status 200. `web-page`: a gateway's HTML with status 200. `huge-body`:
 * valid headers and megabytes without end. `reset`: the connection is reset before any answer.
 */
export type ServerFault = "hang" | "drip" | "half-body" | "not-json" | "web-page" | "huge-body" | "reset";

const DRIP_MS = 10;
const HUGE_PIECE = "a".repeat(65_536);

type Misbehaviour = (response: ServerResponse, body: string) => void;

const JSON_TYPE = { "content-type": "application/json" };

const MISBEHAVIOURS: Readonly<Record<ServerFault, Misbehaviour>> = {
  hang: () => {},
  drip,
  "half-body": (response, body) => {
    response.writeHead(200, { ...JSON_TYPE, "content-length": String(body.length) });
    response.write(halfOf(body), () => response.destroy());
  },
  "not-json": (response, body) => {
    response.writeHead(200, JSON_TYPE).end(halfOf(body));
  },
  "web-page": (response) => {
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end("<!doctype html><title>Gateway</title>");
  },
  "huge-body": pour,
  reset: (response) => {
    response.socket?.resetAndDestroy();
  },
};

/** `body` is a good answer, to be spoiled. */
function misbehave(fault: ServerFault, response: ServerResponse, body: string): void {
  MISBEHAVIOURS[fault](response, body);
}

function halfOf(body: string): string {
  return body.slice(0, Math.floor(body.length / 2));
}

/** Blanks are legal before any JSON, so only a time-out ends this. */
function drip(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  const timer = setInterval(() => response.write(" "), DRIP_MS);
  response.once("close", () => clearInterval(timer));
}

/** As fast as the client reads, until it hangs up. */
function pour(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  response.write('{"choices":[{"message":{"content":"');
  const more = (): void => {
    while (!response.destroyed && response.write(HUGE_PIECE)) {
      // The socket takes more.
    }
  };
  response.on("drain", more);
  more();
}
