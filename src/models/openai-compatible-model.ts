// A model behind `POST {baseUrl}/chat/completions`: OpenAI, Ollama, vLLM, LM Studio and the many servers and gateways
// that speak it. Uses the runtime's fetch, no client library. Retrying is left to complete-with-retries.ts.
import { toWellFormed } from "../text/well-formed.ts";
import { readChatCompletion } from "./answers/chat-completion.ts";
import { askProvider, type Provider } from "./http/ask-provider.ts";
import { openEndpoint, readApiKey } from "./http/endpoint.ts";
import type { Refusable } from "./http/refused-parameters.ts";
import type { Model, ModelRequest } from "./model.ts";
import { statedLimits } from "./stated-limits.ts";

export interface OpenaiCompatibleOptions {
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
