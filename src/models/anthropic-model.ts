// A model behind Anthropic's `POST {baseUrl}/v1/messages`. Uses the runtime's fetch, no client library. Retrying is
// left to complete-with-retries.ts.
import { toWellFormed } from "../text/well-formed.ts";
import { readAnthropicMessage } from "./answers/anthropic-message.ts";
import { askProvider, type Provider } from "./http/ask-provider.ts";
import { openEndpoint, readApiKey } from "./http/endpoint.ts";
import type { Refusable } from "./http/refused-parameters.ts";
import type { Model, ModelRequest } from "./model.ts";
import { statedLimits } from "./stated-limits.ts";

export interface AnthropicOptions {
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
