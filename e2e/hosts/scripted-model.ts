// A model that follows a script, on loopback: a prompt of the script is answered with its calls one by one and then its
// words; whatever else a host asks (a summary, a title) with one fixed text. It keeps every request.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { type Answer, type Body, type Call, type Said, type Tool, WIRES } from "./wires.ts";

export interface Turn {
  readonly prompt: string;
  readonly calls: readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[];
  readonly says: string;
  /** It is heard, and never answered. */
  readonly isNever?: true;
  /** Finds in a result which call of the turn it answers, for a model that is not told all of them any more. */
  readonly numbered?: RegExp;
  /** With which answer the model reports a full window. */
  readonly fullAt?: "call" | "answer";
}

/** A request as it came, and how the script took it. */
export interface Heard {
  readonly raw: string;
  readonly tools: readonly Tool[];
  readonly said: readonly Said[];
  /** Undefined: not of the script. */
  readonly turn: Turn | undefined;
  /** How many calls of the turn came back. */
  readonly done: number;
}

export interface ScriptedModel {
  readonly address: string;
  readonly heard: readonly Heard[];
  close(): Promise<void>;
}

/** What is answered beside the script: to the hosts' compactions above all. */
export const SUMMARY = "<summary>\nThe port of the gateway was stored and looked up.\n</summary>";
const FULL = 900_000;

export async function startScriptedModel(turns: readonly Turn[]): Promise<ScriptedModel> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const raw = await bodyOf(request);
    const wire = WIRES.find(({ path }) => path.test(request.url ?? ""));
    // Hosts also ask for lists of models and the like, and go on without.
    if (wire === undefined || raw === "") return void response.writeHead(404).end("{}");
    const body: Body = JSON.parse(raw);
    const { said, tools } = wire.read(body);
    // Titles and summaries are asked for without tools.
    const here = { raw, said, tools, ...whereIs(tools.length === 0 ? [] : turns, said) };
    heard.push(here);
    if (here.turn?.isNever === true) return;
    const counted = Number(request.headers["x-prompt-tokens"] ?? Math.ceil(raw.length / 4));
    const whole = wire.whole(answerTo(here, counted), body);
    const isStream = body.stream === true || request.url?.includes("stream");
    send(response, isStream ? wire.stream(whole) : undefined, whole);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString("utf8");
}

function send(response: ServerResponse, events: readonly unknown[] | undefined, whole: Body): void {
  response.writeHead(200, { "content-type": events === undefined ? "application/json" : "text/event-stream" });
  for (const event of events ?? []) {
    const { type } = event as { readonly type?: string };
    const data = typeof event === "string" ? event : JSON.stringify(event);
    response.write(`${type === undefined ? "" : `event: ${type}\n`}data: ${data}\n\n`);
  }
  response.end(events === undefined ? JSON.stringify(whole) : "");
}

/** The turn that is asked for last, and how many of its calls came back. What a host adds itself begins with a tag. */
function whereIs(turns: readonly Turn[], said: readonly Said[]): Pick<Heard, "turn" | "done"> {
  const isHosts = (text: string) => /^\s*(?:<|$)/.test(text);
  const at = said.findLastIndex(({ role, texts }) => role === "user" && !texts.every(isHosts));
  const turn = turns.find(({ prompt }) => said[at]?.texts.some((text) => text.trim() === prompt));
  const results = said.slice(at + 1).filter(({ role }) => role === "result");
  const number = turn?.numbered?.exec(results.at(-1)?.texts.join("\n") ?? "")?.[1];
  return { turn, done: number === undefined ? results.length : Number(number) };
}

function answerTo({ tools, turn, done }: Heard, counted: number): Answer {
  const next = turn?.calls[done];
  const isFull = turn?.fullAt === (next === undefined ? "answer" : "call");
  const inputTokens = isFull ? FULL : counted;
  if (next !== undefined) return { text: "One moment.", call: callOf(next, tools), inputTokens };
  return { text: turn?.says ?? SUMMARY, inputTokens };
}

/** A tool by the end of its name, as hosts put their own before it; by a program where tools are called so. */
function callOf({ tool: name, input }: Turn["calls"][number], tools: readonly Tool[]): Call {
  const tool = tools.find((each) => each.name === name || each.name.endsWith(`_${name}`));
  if (tool !== undefined) return { tool, input };
  const program = tools.find((each) => each.name === "exec" || each.name === "codemode");
  if (program === undefined) return { tool: { name, definition: {} }, input };
  const code = `text(await tools.mcp__memory__${name}(${JSON.stringify(input)}));`;
  return { tool: program, input: program.name === "exec" ? code : { code } };
}
