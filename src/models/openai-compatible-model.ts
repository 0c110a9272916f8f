// A model behind `POST {baseUrl}/chat/completions`: OpenAI, Ollama, vLLM, LM Studio and the many servers and gateways
// that speak it. Uses the runtime's fetch, no client library. Retrying is left to complete-with-retries.ts.
import { asArray, isFilledText, type JsonObject } from "../text/json-values.ts";
import { toWellFormed } from "../text/well-formed.ts";
import { finishFrom, modelFailure, windowFull } from "./failures.ts";
import { asObject, type FinishReason, type Model, type ModelAnswer, type ModelRequest, readUsage } from "./model.ts";
import { createProviderModel, type Protocol, type ProviderOptions, type Refusable } from "./provider-http.ts";

/** Throws as `createProviderModel`. */
export function createOpenaiCompatibleModel(options: ProviderOptions): Model {
  return createProviderModel(options, CHAT_COMPLETIONS);
}

const CHAT_COMPLETIONS: Protocol = {
  provider: "openai",
  baseUrl: "https://api.openai.com/v1",
  path: "/chat/completions",
  headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  keyName: "OPENAI_API_KEY",
  // `max_tokens` is repeated as `max_completion_tokens`.
  refusable: ["max_tokens", "temperature", "seed"],
  answerName: "chat completion",
  writeRequest: writeChatRequest,
  readAnswer: readChatCompletion,
};

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
