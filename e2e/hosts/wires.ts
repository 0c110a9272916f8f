// The four wire formats that hosts speak to a model: what was said and which tools there are, read from a request, and an
// answer written as the provider writes it, whole or as a stream. No text is judged here.
import { randomUUID } from "node:crypto";

/** One thing said in a request: a person's texts, or what one call gave back. */
export interface Said {
  readonly role: "user" | "result";
  readonly texts: readonly string[];
}

export interface Tool {
  readonly name: string;
  /** Codex sends a server's tools as a namespace. */
  readonly namespace?: string;
  readonly definition: unknown;
}

export interface Call {
  readonly tool: Tool;
  /** Text for a tool of free form (a program, a patch). */
  readonly input: Readonly<Record<string, unknown>> | string;
}

export interface Answer {
  readonly text: string;
  readonly call?: Call;
  /** What the provider counted of the request. */
  readonly inputTokens: number;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of other programs, read where they hold what is looked for.
export type Body = any;

export interface Wire {
  readonly path: RegExp;
  readonly read: (body: Body) => { readonly said: readonly Said[]; readonly tools: readonly Tool[] };
  readonly whole: (answer: Answer, body: Body) => Body;
  /** The same as a stream's events; one with a `type` is sent under its name where the format does so. */
  readonly stream: (whole: Body) => readonly unknown[];
}

const OUTPUT_TOKENS = 60;
const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll("-", "")}`;
const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));
const user = (...texts: string[]): Said => ({ role: "user", texts });
const result = (...texts: string[]): Said => ({ role: "result", texts });

function textsOf(content: Body): string[] {
  if (typeof content === "string") return [content];
  return (content ?? []).flatMap((part: Body) => (typeof part.text === "string" ? [part.text] : []));
}

const anthropic: Wire = {
  path: /\/v1\/messages(?:\?|$)/,
  read: (body) => ({
    said: body.messages.flatMap(({ role, content }: Body): Said[] => {
      if (role !== "user") return [];
      const results = Array.isArray(content) ? content.filter((part) => part.type === "tool_result") : [];
      // Text beside results is the host's, not the person's.
      if (results.length > 0) return results.map((part) => result(textsOf(part.content).join("\n")));
      return [user(...textsOf(content))];
    }),
    tools: (body.tools ?? []).map((tool: Body) => ({ name: tool.name, definition: tool })),
  }),
  whole: ({ text, call, inputTokens }, { model }) => ({
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model,
    content: [
      { type: "text", text },
      ...(call === undefined
        ? []
        : [{ type: "tool_use", id: newId("toolu"), name: call.tool.name, input: call.input }]),
    ],
    stop_reason: call === undefined ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: inputTokens, output_tokens: OUTPUT_TOKENS },
  }),
  stream: ({ content, stop_reason, ...message }) => [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((block: Body, index: number) => [
      {
        type: "content_block_start",
        index,
        content_block: block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} },
      },
      {
        type: "content_block_delta",
        index,
        delta:
          block.type === "text"
            ? { type: "text_delta", text: block.text }
            : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
      },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: OUTPUT_TOKENS } },
    { type: "message_stop" },
  ],
};

const responses: Wire = {
  path: /\/responses(?:\?|$)/,
  read: (body) => ({
    said: body.input.flatMap((item: Body): Said[] => {
      if (item.role === "user") return [user(...textsOf(item.content))];
      return /_output$/.test(item.type ?? "") ? [result(textsOf(item.output).join("\n"))] : [];
    }),
    tools: [body, ...body.input.filter((item: Body) => item.type === "additional_tools")].flatMap(({ tools }) =>
      (tools ?? []).flatMap((tool: Body) =>
        tool.type === "namespace"
          ? tool.tools.map((each: Body) => ({ name: each.name, namespace: tool.name, definition: each }))
          : [{ name: tool.name ?? tool.type, definition: tool }],
      ),
    ),
  }),
  whole: ({ text, call, inputTokens }, { model }) => ({
    id: newId("resp"),
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "completed",
    model,
    output: [
      call === undefined
        ? {
            type: "message",
            id: newId("msg"),
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          }
        : {
            ...(typeof call.input === "string"
              ? { type: "custom_tool_call", id: newId("ctc"), input: call.input }
              : { type: "function_call", id: newId("fc"), arguments: JSON.stringify(call.input) }),
            call_id: newId("call"),
            name: call.tool.name,
            ...(call.tool.namespace === undefined ? {} : { namespace: call.tool.namespace }),
            status: "completed",
          },
    ],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: OUTPUT_TOKENS,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + OUTPUT_TOKENS,
    },
  }),
  stream: (response) => [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ...response.output.flatMap((item: Body, output_index: number) => [
      { type: "response.output_item.added", output_index, item: item.content ? { ...item, content: [] } : item },
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response },
  ],
};

const chat: Wire = {
  path: /\/chat\/completions/,
  read: (body) => ({
    said: body.messages.flatMap(({ role, content }: Body): Said[] => {
      if (role === "user") return [user(...textsOf(content))];
      return role === "tool" ? [result(textsOf(content).join("\n"))] : [];
    }),
    tools: (body.tools ?? []).map((tool: Body) => ({ name: tool.function.name, definition: tool })),
  }),
  whole: ({ text, call, inputTokens }, { model }) => ({
    id: newId("chatcmpl"),
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text,
          ...(call === undefined
            ? {}
            : {
                tool_calls: [
                  {
                    id: newId("call"),
                    type: "function",
                    function: { name: call.tool.name, arguments: JSON.stringify(call.input) },
                  },
                ],
              }),
        },
        finish_reason: call === undefined ? "stop" : "tool_calls",
      },
    ],
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: OUTPUT_TOKENS,
      total_tokens: inputTokens + OUTPUT_TOKENS,
    },
  }),
  stream: ({ choices: [{ message, finish_reason }], usage, ...rest }) => {
    const base = { ...rest, object: "chat.completion.chunk" };
    const tool_calls = message.tool_calls?.map((call: Body, index: number) => ({ index, ...call }));
    const delta = { ...message, ...(tool_calls === undefined ? {} : { tool_calls }) };
    return [
      { ...base, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...base, choices: [{ index: 0, delta: {}, finish_reason }], usage },
      "[DONE]",
    ];
  },
};

const gemini: Wire = {
  path: /:(?:streamG|g)enerateContent/,
  read: (body) => ({
    said: body.contents.flatMap(({ role, parts }: Body): Said[] => {
      if (role === "model") return [];
      const results = parts.filter((part: Body) => part.functionResponse !== undefined);
      const texts = textsOf(parts);
      return [
        ...results.map(({ functionResponse: { response } }: Body) =>
          result(asText(response?.output ?? response?.error ?? response)),
        ),
        ...(texts.length === 0 ? [] : [user(...texts)]),
      ];
    }),
    tools: (body.tools ?? []).flatMap(({ functionDeclarations }: Body) =>
      (functionDeclarations ?? []).map((tool: Body) => ({ name: tool.name, definition: tool })),
    ),
  }),
  whole: ({ text, call, inputTokens }) => ({
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            { text },
            ...(call === undefined ? [] : [{ functionCall: { name: call.tool.name, args: call.input } }]),
          ],
        },
        finishReason: "STOP",
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: OUTPUT_TOKENS,
      totalTokenCount: inputTokens + OUTPUT_TOKENS,
    },
  }),
  stream: (whole) => [whole],
};

export const WIRES: readonly Wire[] = [anthropic, responses, chat, gemini];
