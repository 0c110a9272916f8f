// How OpenAI's chat completions and Anthropic's messages write an answer and an error, for the scripted server.
import type { FinishReason, ModelUsage } from "../models/model.ts";

export type Dialect = "openai" | "anthropic";

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
export function dialectOf(path: string): Dialect | undefined {
  const place = path.split("?")[0] ?? "";
  if (place.endsWith("/chat/completions")) return "openai";
  return place.endsWith("/v1/messages") ? "anthropic" : undefined;
}

export function answerBody(answer: ServedAnswer, dialect: Dialect): unknown {
  return dialect === "openai" ? chatCompletion(answer) : anthropicMessage(answer);
}

export function errorBody(error: ServedError, dialect: Dialect): unknown {
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
