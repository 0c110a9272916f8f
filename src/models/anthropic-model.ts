// A model behind Anthropic's `POST {baseUrl}/v1/messages`. Uses the runtime's fetch, no client library. Retrying is
// left to complete-with-retries.ts.
import { asArray, asText, type JsonObject } from "../text/json-values.ts";
import { toWellFormed } from "../text/well-formed.ts";
import { finishFrom, windowFull } from "./failures.ts";
import {
  asObject,
  type FinishReason,
  isCount,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  readUsage,
} from "./model.ts";
import { createProviderModel, type Protocol, type ProviderOptions, type Refusable } from "./provider-http.ts";

/** `baseUrl` with or without `/v1`. There is no seed in this protocol. Throws as `createProviderModel`. */
export function createAnthropicModel(options: ProviderOptions): Model {
  const baseUrl = withoutVersion(options.baseUrl ?? MESSAGES.baseUrl);
  return createProviderModel({ ...options, baseUrl }, MESSAGES);
}

const MESSAGES: Protocol = {
  provider: "anthropic",
  baseUrl: "https://api.anthropic.com",
  path: "/v1/messages",
  headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key === undefined ? {} : { "x-api-key": key }) }),
  keyName: "ANTHROPIC_API_KEY",
  refusable: ["temperature"],
  answerName: "message",
  writeRequest: writeMessagesRequest,
  readAnswer: readAnthropicMessage,
};

/** Half of the client libraries write the version into the base URL. */
function withoutVersion(baseUrl: string): string {
  return baseUrl.trim().replace(/\/v1\/?$/, "");
}

function writeMessagesRequest(model: string, request: ModelRequest, refused: ReadonlySet<Refusable>): unknown {
  const { system, prompt, maxTokens, temperature } = request;
  return {
    model,
    max_tokens: maxTokens,
    ...(system === "" ? {} : { system: toWellFormed(system) }),
    messages: [{ role: "user", content: toWellFormed(prompt) }],
    ...(refused.has("temperature") ? {} : { temperature }),
  };
}

// Reads an answer of Anthropic's Messages: text blocks only, the reason it stopped, and usage with cached tokens.

const FINISH: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  refusal: "refusal",
  tool_use: "calls",
};

/**
 * Undefined when the body is no message.
 * @throws CompactError `MODEL_INPUT_TOO_LONG` where the window was full before the answer was complete.
 */
function readAnthropicMessage(body: JsonObject): ModelAnswer | undefined {
  if (!Array.isArray(body.content)) return undefined;
  if (body.stop_reason === "model_context_window_exceeded") throw windowFull();
  const blocks = asArray(body.content).map(asObject);
  const usage = asObject(body.usage);
  return {
    text: blocks.map(({ type, text }) => (type === "text" ? asText(text) : "")).join(""),
    finish: finishFrom(FINISH, body.stop_reason),
    ...readUsage(inputTokensOf(usage), usage.output_tokens),
  };
}

/** What the cache wrote or read was input as well; it is reported beside `input_tokens`, not in it. */
function inputTokensOf(usage: JsonObject): unknown {
  const { input_tokens: input } = usage;
  if (!isCount(input)) return undefined;
  const cached = [usage.cache_creation_input_tokens, usage.cache_read_input_tokens].filter(isCount);
  return cached.reduce((sum, tokens) => sum + tokens, input);
}
