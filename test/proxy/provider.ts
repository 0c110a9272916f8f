// A provider on loopback, as strict as the real ones: it refuses a list that its API would refuse and a prompt that does not fit,
// caches prompts by their beginning, and reports what it read, wrote and answered in its API's own spelling.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import zlib from "node:zlib";
import { FORMATS } from "../../src/index.ts";
import type { Format } from "../../src/providers/format.ts";
import { createTokenCounter } from "../../src/tokens.ts";

export interface Heard {
  readonly path: string;
  /** As they came, decoded. */
  readonly bytes: Buffer;
  readonly headers: readonly string[];
  readonly status: number;
  /** Tokens of the prompt, and those of them that were read from the cache. */
  readonly tokens: number;
  readonly cached: number;
  readonly output: number;
  readonly violations: readonly string[];
}

export interface Provider {
  readonly address: string;
  readonly heard: readonly Heard[];
  /** Forgets what was heard and cached. */
  clear(): void;
  close(): Promise<void>;
}

export interface ProviderOptions {
  /** Tokens; more are refused. */
  readonly window?: number;
  /** Provider's tokens for one of ours. */
  readonly factor?: number;
  /** Milliseconds between the events of a stream. */
  readonly pause?: number;
  readonly model?: string;
}

const WIRES: readonly { readonly path: RegExp; readonly list: string; readonly format: string }[] = [
  { path: /\/chat\/completions/, list: "messages", format: "openai-chat" },
  { path: /\/responses/, list: "input", format: "openai-responses" },
  { path: /\/messages/, list: "messages", format: "anthropic" },
];

// biome-ignore lint/suspicious/noExplicitAny: bodies of clients, read where they hold what is looked for.
type Body = any;

export async function startProvider(options: ProviderOptions = {}): Promise<Provider> {
  const { window = Number.POSITIVE_INFINITY, factor = 1, pause = 0, model } = options;
  const counter = createTokenCounter(model === undefined ? { encoding: "o200k_base" } : { model });
  const heard: Heard[] = [];
  const prefixes = new Set<string>();
  const sizes = new Map<string, number>();

  const sizeOf = (value: unknown, text: string): number => {
    const known = sizes.get(text);
    if (known !== undefined) return known;
    const isMessage = typeof value === "object" && value !== null && !Array.isArray(value);
    const size = Math.ceil(factor * (isMessage ? counter.countMessages([value]) : counter.count(text)));
    sizes.set(text, size);
    return size;
  };

  /** In whole pieces: tools, system prompt, messages. */
  const sizeUp = (pieces: readonly unknown[]) => {
    let [tokens, cached, link, isCached] = [0, 0, "", true];
    for (const piece of pieces) {
      const text = withoutMarks(piece);
      link = createHash("sha256").update(`${link}\n${text}`).digest("hex");
      const size = sizeOf(piece, text);
      tokens += size;
      isCached &&= prefixes.has(link);
      if (isCached) cached += size;
      prefixes.add(link);
    }
    return { tokens, cached };
  };

  const server = createServer(async (request, response) => {
    const raw = await bytesOf(request);
    const path = request.url ?? "";
    const wire = WIRES.find((each) => each.path.test(path));
    const note = (fields: Partial<Heard>) =>
      heard.push({
        ...{ path, bytes: raw, headers: request.rawHeaders, status: 200 },
        ...{ tokens: 0, cached: 0, output: 0, violations: [], ...fields },
      });
    if (wire === undefined || request.method !== "POST") {
      note({});
      return void response.writeHead(200, { "content-type": "application/json" }).end('{"data":[]}');
    }
    const body = parsed(raw);
    if (body === undefined) {
      note({ status: 400 });
      return refuse(response, "The body is no JSON.");
    }
    const format = FORMATS.find(({ name }) => name === wire.format) as Format;
    const messages: readonly unknown[] = Array.isArray(body[wire.list]) ? body[wire.list] : [];
    const violations: readonly string[] = [
      ...format.validate(messages).map(({ message }) => message),
      ...marksFault(body),
    ];
    const { tokens, cached } = sizeUp([body.tools ?? [], body.system ?? body.instructions ?? "", ...messages]);
    const output = Number(request.headers["x-answer-tokens"] ?? 5);
    if (/count_tokens|input_tokens/.test(path)) {
      note({ tokens });
      return void response.writeHead(200, { "content-type": "application/json" }).end(`{"input_tokens":${tokens}}`);
    }
    const refusal = violations[0] === undefined ? tooLong(wire.format, tokens, window) : [violations[0]];
    note({ tokens, cached, output, violations, status: refusal === undefined ? 200 : 400 });
    if (refusal !== undefined) return refuse(response, ...(refusal as [string]));
    await answer(response, wire.format, body, { tokens, cached, output }, pause);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    clear: () => {
      heard.length = 0;
      prefixes.clear();
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const encoding = request.headers["content-encoding"];
  if (encoding === "gzip") return zlib.gunzipSync(bytes);
  return encoding === "br" ? zlib.brotliDecompressSync(bytes) : bytes;
}

function parsed(bytes: Buffer): Body {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function withoutMarks(piece: unknown): string {
  return JSON.stringify(piece, (key, value) => (key === "cache_control" ? undefined : value));
}

/** Anthropic takes four, those that hold for longer first: tools, system prompt, messages. */
function marksFault(body: Body): readonly string[] {
  const text = JSON.stringify([body.tools, body.system, body.messages]);
  const marks = text.split('"cache_control":').length - 1;
  const isShortFirst = /"cache_control":\{"type":"ephemeral"\}.*"ttl":"1h"/s.test(text);
  if (isShortFirst) return ["a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block."];
  return marks > 4 ? [`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`] : [];
}

function refuse(response: ServerResponse, message: string, code = "invalid_request_error"): void {
  response.writeHead(400, { "content-type": "application/json" });
  response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", code, message } }));
}

function tooLong(format: string, tokens: number, window: number): readonly string[] | undefined {
  if (tokens <= window) return undefined;
  if (format === "anthropic") return [`prompt is too long: ${tokens} tokens > ${window} maximum`];
  return [`This model's maximum context length is ${window} tokens, but ${tokens} came.`, "context_length_exceeded"];
}

interface Size {
  readonly tokens: number;
  readonly cached: number;
  readonly output: number;
}

export const ANSWER = "Looked at it, and it holds — so far.";

async function answer(response: ServerResponse, format: string, body: Body, size: Size, pause: number): Promise<void> {
  const { whole, events } = answers[format as keyof typeof answers](size, body);
  if (body.stream !== true) {
    return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    const type = (event as { readonly type?: string }).type;
    const data = typeof event === "string" ? event : JSON.stringify(event);
    response.write(`${type === undefined ? "" : `event: ${type}\n`}data: ${data}\n\n`);
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  response.end();
}

const words = ANSWER.split(/(?<= )/);

const answers = {
  anthropic: ({ tokens, cached, output }: Size, { model }: Body) => {
    const usage = {
      input_tokens: 0,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: tokens - cached,
      output_tokens: output,
    };
    const message = { id: "msg_1", type: "message", role: "assistant", model, stop_sequence: null };
    return {
      whole: { ...message, content: [{ type: "text", text: ANSWER }], stop_reason: "end_turn", usage },
      events: [
        { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        ...words.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
        { type: "content_block_stop", index: 0 },
        {
          type: "message_delta",
          delta: { stop_reason: "end_turn", stop_sequence: null },
          usage: { output_tokens: output },
        },
        { type: "message_stop" },
      ],
    };
  },
  "openai-responses": ({ tokens, cached, output }: Size, { model }: Body) => {
    const usage = {
      input_tokens: tokens,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens + output,
    };
    const item = {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: ANSWER, annotations: [] }],
    };
    const whole = { id: "resp_1", object: "response", status: "completed", model, output: [item], usage };
    return {
      whole,
      events: [
        { type: "response.created", response: { ...whole, status: "in_progress", output: [], usage: null } },
        { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
        ...words.map((delta) => ({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta })),
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: whole },
      ],
    };
  },
  "openai-chat": ({ tokens, cached, output }: Size, { model }: Body) => {
    const usage = {
      prompt_tokens: tokens,
      completion_tokens: output,
      total_tokens: tokens + output,
      prompt_tokens_details: { cached_tokens: cached },
    };
    const base = { id: "chatcmpl_1", created: 1, model };
    const chunk = (delta: unknown, finish_reason: string | null) => ({
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
    });
    return {
      whole: {
        ...base,
        object: "chat.completion",
        choices: [{ index: 0, message: { role: "assistant", content: ANSWER }, finish_reason: "stop" }],
        usage,
      },
      events: [
        ...words.map((content, at) => chunk(at === 0 ? { role: "assistant", content } : { content }, null)),
        { ...chunk({}, "stop"), usage },
        "[DONE]",
      ],
    };
  },
};
