// A model behind `POST {baseUrl}/chat/completions`: OpenAI, Ollama, vLLM, LM Studio and the many servers and gateways
// that speak it. Uses the runtime's fetch, no client library. Retrying is left to complete-with-retries.ts.
import { asArray, isFilledText, type JsonObject } from "../text/json-values.ts";
import { toWellFormed } from "../text/well-formed.ts";
import { finishFrom, modelFailure, windowFull } from "./failures.ts";
import {
  asObject,
  type FinishReason,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  readUsage,
  statedLimits,
} from "./model.ts";
import { askProvider, openEndpoint, type Provider, type Refusable, readApiKey } from "./provider-http.ts";

interface OpenaiCompatibleOptions {
  /** As the server names it: `gpt-4o-mini`, `qwen3:8b`. */
  readonly model: string;
  /** Up to and without `/chat/completions`; a query stays. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string;
  /** Sent as a bearer token. Local servers need none. */
  readonly apiKey?: string;
  /** What hints call the key; default `OPENAI_API_KEY`. */
  readonly apiKeyName?: string;
  /** Sent with each request, over ours: `{"api-key": ...}` for gateways that want another header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Tokens of input and output together; unknown when absent. */
  readonly maxContextTokens?: number;
  /** Most tokens of an answer; unknown when absent. */
  readonly maxOutputTokens?: number;
}

const REFUSABLE: readonly Refusable[] = ["max_tokens", "temperature", "seed"];

/**
 * Sends nothing yet. A parameter that the server refuses (`max_tokens` for `max_completion_tokens`, `temperature`, `seed`)
 * is left out of the repeated request and, once that worked, of all later ones.
 * @throws CompactError `InvalidConfig` for a base URL, key or header that cannot be used.
 */
export function createOpenaiCompatibleModel(options: OpenaiCompatibleOptions): Model {
  const provider = openProvider(options);
  return {
    name: options.model,
    provider: "openai",
    ...statedLimits(options),
    complete: (request) =>
      askProvider(provider, (refused) => writeChatRequest(options.model, request, refused), request.signal),
  };
}

function openProvider(options: OpenaiCompatibleOptions): Provider {
  const key = readApiKey(options.apiKey);
  return {
    model: options.model,
    endpoint: openEndpoint({
      baseUrl: options.baseUrl ?? "https://api.openai.com/v1",
      path: "/chat/completions",
      ours: {
        "content-type": "application/json",
        accept: "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      theirs: options.headers ?? {},
    }),
    key,
    keyName: options.apiKeyName ?? "OPENAI_API_KEY",
    refusable: REFUSABLE,
    refused: new Set(),
    answerName: "chat completion",
    readAnswer: readChatCompletion,
  };
}

function writeChatRequest(model: string, request: ModelRequest, refused: ReadonlySet<Refusable>): unknown {
  const { system, prompt, maxTokens, temperature, seed } = request;
  return {
    model,
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: toWellFormed(system) }]),
      { role: "user", content: toWellFormed(prompt) },
    ],
    [refused.has("max_tokens") ? "max_completion_tokens" : "max_tokens"]: maxTokens,
    ...(refused.has("temperature") ? {} : { temperature }),
    ...(seed === undefined || refused.has("seed") ? {} : { seed }),
    stream: false,
  };
}

// Reads the answer of a chat completion as the many servers write it: text as a string or as parts, reasoning beside
// it, finish reasons of several dialects.

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  eos: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  length: "length",
  max_tokens: "length",
  content_filter: "refusal",
  refusal: "refusal",
  tool_calls: "calls",
  function_call: "calls",
};

/**
 * Undefined when the body is no chat completion. Without a choice, the answer is empty.
 * @throws CompactError `MODEL_UNAVAILABLE` where a gateway reports that the model broke off, `MODEL_INPUT_TOO_LONG` where
 * the window was full.
 */
function readChatCompletion(body: JsonObject): ModelAnswer | undefined {
  if (!Array.isArray(body.choices)) return undefined;
  const choice = asObject(body.choices[0]);
  const message = asObject(choice.message);
  const usage = asObject(body.usage);
  refuseBrokenOff(choice.finish_reason);
  return {
    text: textOf(message.content),
    finish: finishOf(choice.finish_reason, message),
    ...readUsage(usage.prompt_tokens, usage.completion_tokens),
  };
}

function refuseBrokenOff(reason: unknown): void {
  if (reason === "error") {
    throw modelFailure("MODEL_UNAVAILABLE", "The model broke off its answer", { hint: "Try again later." });
  }
  if (reason === "model_length") throw windowFull();
}

/** A refusal or a call counts whatever the server gives as the reason: several say "stop" for both. */
function finishOf(reason: unknown, message: JsonObject): FinishReason {
  const hasRefusalPart = asArray(message.content).some((part) => asObject(part).type === "refusal");
  if (isFilledText(message.refusal) || hasRefusalPart) return "refusal";
  if (asArray(message.tool_calls).length > 0 || isFilledText(asObject(message.function_call).name)) return "calls";
  return finishFrom(FINISH, reason);
}

/** Parts that are not text (thinking, refusals, images) are no answer. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .map(asObject)
    .filter(({ type }) => type === "text" || type === "output_text")
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}
