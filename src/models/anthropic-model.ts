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
  statedLimits,
} from "./model.ts";
import { askProvider, openEndpoint, type Provider, type Refusable, readApiKey } from "./provider-http.ts";

interface AnthropicOptions {
  readonly model: string;
  /** With or without `/v1`. Default `https://api.anthropic.com`. */
  readonly baseUrl?: string;
  /** Sent as `x-api-key`. */
  readonly apiKey?: string;
  /** What hints call the key; default `ANTHROPIC_API_KEY`. */
  readonly apiKeyName?: string;
  /** The `anthropic-version` header; default `2023-06-01`. */
  readonly version?: string;
  /** Sent with each request, over ours. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Tokens of input and output together; unknown when absent. */
  readonly maxContextTokens?: number;
  /** Most tokens of an answer; unknown when absent. */
  readonly maxOutputTokens?: number;
}

/**
 * Sends nothing yet. There is no seed in this protocol; a `temperature` that a model refuses is left out from then on.
 * @throws CompactError `InvalidConfig` for a base URL, key or header that cannot be used.
 */
export function createAnthropicModel(options: AnthropicOptions): Model {
  const provider = openProvider(options);
  return {
    name: options.model,
    provider: "anthropic",
    ...statedLimits(options),
    complete: (request) =>
      askProvider(provider, (refused) => writeMessagesRequest(options.model, request, refused), request.signal),
  };
}

function openProvider(options: AnthropicOptions): Provider {
  const key = readApiKey(options.apiKey);
  return {
    model: options.model,
    endpoint: openEndpoint({
      // Half of the client libraries write the version into the base URL.
      baseUrl: withoutVersion(options.baseUrl ?? "https://api.anthropic.com"),
      path: "/v1/messages",
      ours: {
        "content-type": "application/json",
        accept: "application/json",
        "anthropic-version": options.version ?? "2023-06-01",
        ...(key === undefined ? {} : { "x-api-key": key }),
      },
      theirs: options.headers ?? {},
    }),
    key,
    keyName: options.apiKeyName ?? "ANTHROPIC_API_KEY",
    refusable: ["temperature"],
    refused: new Set(),
    answerName: "message",
    readAnswer: readAnthropicMessage,
  };
}

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
