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

// biome-ignore lint/suspicious/noExplicitAny: bodies of clients, read where they hold what is looked for.
type Body = any;

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
  /** Answers whose client left before their end. */
  readonly left: () => number;
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
  /** What it answers to its `nth` request, from 0; undefined for the usual words. */
  readonly script?: (body: Body, nth: number) => Step | undefined;
  /** Takes its thinking back behind the very messages alone that it was thought behind, as newer Claude models do. */
  readonly binds?: boolean;
  /** An address that answers what is not refused; it is told the prompt's tokens in `x-prompt-tokens`. */
  readonly behind?: string;
}

/** One answer, in this order. */
export interface Step {
  readonly thinking?: string;
  readonly text?: string;
  /** Waited for between what is said and the calls. */
  readonly pause?: Promise<unknown>;
  readonly calls?: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
  /** In place of an end: the answer was cut off. */
  readonly isCut?: boolean;
  /** In place of an answer. */
  readonly status?: number;
}

const WIRES: readonly { readonly path: RegExp; readonly list: string; readonly format: string }[] = [
  { path: /\/chat\/completions/, list: "messages", format: "openai-chat" },
  { path: /\/responses/, list: "input", format: "openai-responses" },
  { path: /\/messages/, list: "messages", format: "anthropic" },
];

export async function startProvider(options: ProviderOptions = {}): Promise<Provider> {
  const { window = Number.POSITIVE_INFINITY, factor = 1, pause = 0, model, script, behind, binds = false } = options;
  const counter = createTokenCounter(model === undefined ? { encoding: "o200k_base" } : { model });
  const heard: Heard[] = [];
  const prefixes = new Set<string>();
  const sizes = new Map<string, number>();
  const bonds = createBonds();
  let [asked, left] = [0, 0];

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

  /** What stood before a thought, by its seal. */
  const places = new Map<unknown, string>();
  const before = ({ tools, system }: Body, messages: readonly unknown[]) =>
    [tools, system, ...messages].map(withoutMarks).join("\n");
  const bindingFaults = (body: Body, messages: readonly Body[]): readonly string[] =>
    (binds ? messages : []).flatMap(({ role, content }, at) => {
      const blocks: readonly Body[] = role === "assistant" && Array.isArray(content) ? content : [];
      return blocks
        .filter(
          ({ type, signature }) => type === "thinking" && places.get(signature) !== before(body, messages.slice(0, at)),
        )
        .map(() => `messages.${at}.content.0: ${BOUND}`);
    });

  const reply = async (response: ServerResponse, format: string, body: Body, size: Size) => {
    response.on("close", () => {
      if (!response.writableEnded) left++;
    });
    const nth = asked++;
    const step = script?.(body, nth) ?? { text: ANSWER };
    if (step.status !== undefined) return refuse(response, "Overloaded", "overloaded_error", step.status);
    const said = saidIn(step, nth);
    bonds.add(said);
    if (binds) places.set(sealOf(said), before(body, listIn(body.messages)));
    await answer(response, format, body, said, size, pause);
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
    const messages = listIn(body[wire.list]);
    const violations: readonly string[] = [
      ...format.validate(messages).map(({ message }) => message),
      ...marksFault(body),
      ...bonds.faults(wire.format, body),
      ...bindingFaults(body, messages),
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
    if (behind !== undefined) return passOn(`${behind}${path}`, raw, tokens, response);
    await reply(response, wire.format, body, { tokens, cached, output });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    left: () => left,
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

async function passOn(url: string, body: Buffer, tokens: number, response: ServerResponse): Promise<void> {
  const headers = { "content-type": "application/json", "x-prompt-tokens": String(tokens) };
  const left = new AbortController();
  response.on("close", () => left.abort());
  try {
    const answer = await fetch(url, { method: "POST", headers, body: new Uint8Array(body), signal: left.signal });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  } catch {
    response.destroy();
  }
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

/** A Responses request may say one text. */
function listIn(list: unknown): readonly unknown[] {
  if (typeof list === "string") return [{ role: "user", content: list }];
  return Array.isArray(list) ? list : [];
}

/** A text is the same as a list of it. */
function withoutMarks(piece: unknown): string {
  return JSON.stringify(piece, (key, value) => {
    if (key === "cache_control") return undefined;
    const [only, ...others] = key === "content" && Array.isArray(value) ? value : [];
    return only?.type === "text" && others.length === 0 ? only.text : value;
  });
}

/** Anthropic takes four, those that hold for longer first: tools, system prompt, messages. */
function marksFault(body: Body): readonly string[] {
  const text = JSON.stringify([body.tools, body.system, body.messages]);
  const marks = text.split('"cache_control":').length - 1;
  const isShortFirst = /"cache_control":\{"type":"ephemeral"\}.*"ttl":"1h"/s.test(text);
  if (isShortFirst) return ["a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block."];
  return marks > 4 ? [`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`] : [];
}

function refuse(response: ServerResponse, message: string, code = "invalid_request_error", status = 400): void {
  response.writeHead(status, { "content-type": "application/json" });
  const type = status === 400 ? "invalid_request_error" : code;
  response.end(JSON.stringify({ type: "error", error: { type, code, message } }));
}

function tooLong(format: string, tokens: number, window: number): readonly string[] | undefined {
  if (tokens <= window) return undefined;
  if (format === "anthropic") return [`prompt is too long: ${tokens} tokens > ${window} maximum`];
  return [`This model's maximum context length is ${window} tokens, but ${tokens} came.`, "context_length_exceeded"];
}

interface Said extends Step {
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: Readonly<Record<string, unknown>>;
  }[];
  readonly nth: number;
}

function saidIn(step: Step, nth: number): Said {
  const calls = (step.calls ?? []).map((call, at) => ({ ...call, id: `call_${nth}_${at}` }));
  return { ...step, calls, nth };
}

const BOUND =
  'Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';

const sealOf = ({ nth }: Said) => `sealed-${nth}`;

/**
 * What the provider seals is only taken back as it was given: Anthropic's thinking with the very calls behind it and none of another
 * answer's in its message, a Responses item of reasoning before the item that it was for, a chat's beside its calls.
 */
function createBonds() {
  const given: Said[] = [];
  const bySeal = (seal: unknown) => given.find((said) => sealOf(said) === seal);

  const faultsOfMessage = ({ role, content }: Body): readonly string[] => {
    const blocks: readonly Body[] = role === "assistant" && Array.isArray(content) ? content : [];
    const seals = blocks.filter(({ type }) => type === "thinking");
    if (seals.length === 0) return [];
    const said = bySeal(seals[0].signature);
    const calls = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    const isSame =
      said !== undefined &&
      seals.length === 1 &&
      seals[0].thinking === said.thinking &&
      calls.join() === said.calls.map(({ id }) => id).join();
    return isSame
      ? []
      : ["`thinking` blocks cannot be modified. They must remain as they were in the original response."];
  };

  const faultsOfItem = ({ type, id, encrypted_content }: Body, next: Body): readonly string[] => {
    if (type !== "reasoning") return [];
    const said = bySeal(encrypted_content);
    if (said === undefined) return [`Item with id '${id}' not found.`];
    const follows = said.text === undefined ? next?.call_id === said.calls[0]?.id : next?.id === `msg_${said.nth}`;
    return follows ? [] : [`Item '${id}' of type 'reasoning' was provided without its required following item.`];
  };

  const faultsOfChat = ({ tool_calls = [], reasoning_content }: Body): readonly string[] =>
    tool_calls.flatMap(({ id }: Body) => {
      const said = given.find(({ calls }) => calls.some((call) => call.id === id));
      if (said?.thinking === undefined || said.thinking === reasoning_content) return [];
      return ["The reasoning_content beside calls must be passed back."];
    });

  return {
    add: (said: Said) => void given.push(said),
    faults(format: string, body: Body): readonly string[] {
      // What others gave, it cannot know.
      if (given.every(({ thinking }) => thinking === undefined)) return [];
      if (format === "openai-responses" && Array.isArray(body.input))
        return body.input.flatMap((item: Body, at: number) => faultsOfItem(item, body.input[at + 1]));
      const faultsOf = format === "anthropic" ? faultsOfMessage : faultsOfChat;
      return Array.isArray(body.messages) ? body.messages.flatMap(faultsOf) : [];
    },
  };
}

interface Size {
  readonly tokens: number;
  readonly cached: number;
  readonly output: number;
}

export const ANSWER = "Looked at it, and it holds — so far.";

async function answer(
  response: ServerResponse,
  format: string,
  body: Body,
  said: Said,
  size: Size,
  pause: number,
): Promise<void> {
  const { whole, events } = answers[format as keyof typeof answers](size, body, said);
  if (body.stream !== true) {
    await said.pause;
    return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole));
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  let number = 0;
  for (const event of events) {
    if (event === WAIT) {
      await said.pause;
      continue;
    }
    const type = (event as { readonly type?: string }).type;
    const numbered = format === "openai-responses" ? { ...(event as object), sequence_number: number++ } : event;
    const data = typeof event === "string" ? event : JSON.stringify(numbered);
    response.write(`${type === undefined ? "" : `event: ${type}\n`}data: ${data}\n\n`);
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  response.end();
}

const WAIT = Symbol();
const wordsOf = (text = "") => text.split(/(?<= )/);
/** In two pieces, as they come. */
const halvesOf = (input: unknown) => {
  const text = JSON.stringify(input);
  return [text.slice(0, 5), text.slice(5)];
};

const answers = {
  anthropic: ({ tokens, cached, output }: Size, { model }: Body, said: Said) => {
    const usage = {
      input_tokens: 0,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: tokens - cached,
      output_tokens: output,
    };
    const { thinking, text, calls, isCut = false } = said;
    const message = { id: `msg_${said.nth}`, type: "message", role: "assistant", model, stop_sequence: null };
    const stop_reason = isCut ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn";
    const blocks: { block: Body; start: Body; deltas: Body[] }[] = [];
    if (thinking !== undefined) {
      const signature = sealOf(said);
      blocks.push({
        block: { type: "thinking", thinking, signature },
        start: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          ...wordsOf(thinking).map((word) => ({ type: "thinking_delta", thinking: word })),
          { type: "signature_delta", signature },
        ],
      });
    }
    if (text !== undefined)
      blocks.push({
        block: { type: "text", text },
        start: { type: "text", text: "" },
        deltas: wordsOf(text).map((word) => ({ type: "text_delta", text: word })),
      });
    const before = blocks.length;
    for (const { id, name, input } of calls)
      blocks.push({
        block: { type: "tool_use", id, name, input },
        start: { type: "tool_use", id, name, input: {} },
        deltas: halvesOf(input)
          .slice(0, isCut ? 1 : 2)
          .map((partial_json) => ({ type: "input_json_delta", partial_json })),
      });
    return {
      whole: { ...message, content: blocks.map(({ block }) => block), stop_reason, usage },
      events: [
        { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
        { type: "ping" },
        ...blocks.flatMap(({ start, deltas }, index) => [
          ...(index === before ? [WAIT] : []),
          { type: "content_block_start", index, content_block: start },
          ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
          { type: "content_block_stop", index },
        ]),
        { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } },
        { type: "message_stop" },
      ],
    };
  },
  "openai-responses": ({ tokens, cached, output }: Size, { model, include = [] }: Body, said: Said) => {
    const usage = {
      input_tokens: tokens,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens + output,
    };
    const { thinking, text, calls, nth } = said;
    const status = said.isCut ? "incomplete" : "completed";
    const sealed = include.includes("reasoning.encrypted_content") ? { encrypted_content: sealOf(said) } : {};
    const items: { item: Body; start: Body; deltas: Body[]; done: Body[] }[] = [];
    if (thinking !== undefined) {
      const item = {
        type: "reasoning",
        id: `rs_${nth}`,
        summary: [{ type: "summary_text", text: thinking }],
        ...sealed,
      };
      items.push({ item, start: { ...item, summary: [] }, deltas: [], done: [] });
    }
    if (text !== undefined) {
      const part = { type: "output_text", text, annotations: [] };
      const item = { type: "message", id: `msg_${nth}`, role: "assistant", status, content: [part] };
      const place = { content_index: 0, item_id: item.id };
      items.push({
        item,
        start: { ...item, content: [] },
        deltas: [
          { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
          ...wordsOf(text).map((delta) => ({ type: "response.output_text.delta", ...place, delta })),
        ],
        done: [{ type: "response.content_part.done", ...place, part }],
      });
    }
    const before = items.length;
    for (const { id, name, input } of calls) {
      const item = {
        type: "function_call",
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: JSON.stringify(input),
        status,
      };
      items.push({
        item,
        start: { ...item, arguments: "", status: "in_progress" },
        deltas: halvesOf(input).map((delta) => ({
          ...{ type: "response.function_call_arguments.delta", item_id: item.id, delta },
        })),
        done: [{ type: "response.function_call_arguments.done", item_id: item.id, arguments: item.arguments }],
      });
    }
    const base = { id: `resp_${nth}`, object: "response", created_at: nth, model };
    const whole = { ...base, status, output: items.map(({ item }) => item), usage };
    return {
      whole,
      events: [
        { type: "response.created", response: { ...whole, status: "in_progress", output: [], usage: null } },
        { type: "response.in_progress", response: { ...whole, status: "in_progress", output: [], usage: null } },
        ...items.flatMap(({ item, start, deltas, done }, output_index) => [
          ...(output_index === before ? [WAIT] : []),
          { type: "response.output_item.added", output_index, item: start },
          ...[...deltas, ...done].map((event) => ({ ...event, output_index })),
          { type: "response.output_item.done", output_index, item },
        ]),
        { type: `response.${status}`, response: whole },
      ],
    };
  },
  "openai-chat": ({ tokens, cached, output }: Size, { model, stream_options }: Body, said: Said) => {
    const usage = {
      prompt_tokens: tokens,
      completion_tokens: output,
      total_tokens: tokens + output,
      prompt_tokens_details: { cached_tokens: cached },
    };
    const { thinking, text, calls, nth } = said;
    const base = { id: `chatcmpl_${nth}`, created: nth, model };
    const chunk = (delta: unknown, finish_reason: string | null) => ({
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
    });
    const finish = said.isCut ? "length" : calls.length > 0 ? "tool_calls" : "stop";
    const tool_calls = calls.map(({ id, name, input }) => ({
      ...{ id, type: "function", function: { name, arguments: JSON.stringify(input) } },
    }));
    const message = {
      ...{ role: "assistant", content: text ?? null, refusal: null },
      ...(thinking === undefined ? {} : { reasoning_content: thinking }),
      ...(calls.length === 0 ? {} : { tool_calls }),
    };
    return {
      whole: { ...base, object: "chat.completion", choices: [{ index: 0, message, finish_reason: finish }], usage },
      events: [
        chunk({ role: "assistant", content: "", refusal: null }, null),
        ...(thinking === undefined ? [] : wordsOf(thinking).map((word) => chunk({ reasoning_content: word }, null))),
        ...(text === undefined ? [] : wordsOf(text).map((content) => chunk({ content }, null))),
        WAIT,
        ...calls.flatMap(({ id, name, input }, index) => [
          chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }, null),
          ...halvesOf(input).map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] }, null)),
        ]),
        // As OpenAI does it where usage is asked for, and as others do.
        ...(stream_options?.include_usage === true
          ? [chunk({}, finish), { ...base, object: "chat.completion.chunk", choices: [], usage }]
          : [{ ...chunk({}, finish), usage }]),
        "[DONE]",
      ],
    };
  },
};
