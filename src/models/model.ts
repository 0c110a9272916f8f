// The contract of a language model, as far as summarizing needs one: one prompt in, one text out. No tools, no chat.
// Retrying, time-outs and judging the answer are not an adapter's business; it only translates.
import { CompactError } from "../errors.ts";
import type { Redacted } from "../redaction/redactor.ts";
import { isObject, type JsonObject, withoutUndefined } from "../text/json-values.ts";

export interface ModelRequest {
  readonly system: Redacted<string>;
  readonly prompt: Redacted<string>;
  /** Cap of the answer, tokens as the provider counts them. At least 1. */
  readonly maxTokens: number;
  /** 0 for the most repeatable answer. */
  readonly temperature: number;
  /** Passed on where the provider takes one. */
  readonly seed?: number;
  readonly signal?: AbortSignal;
}

/** Why the answer ended. `length`: cut at the cap. `refusal`: the model or a filter declined. `calls`: it tried to call a tool. */
export type FinishReason = "stop" | "length" | "refusal" | "calls" | "unknown";

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelAnswer {
  /** Empty when there was none; reasoning is never part of it. */
  readonly text: string;
  readonly finish: FinishReason;
  /** As the provider reports it; absent where it reports none. */
  readonly usage?: ModelUsage;
}

export interface Model {
  /** How the provider names it; part of cache keys and reports. */
  readonly name: string;
  /** Whose it is, in the words of OpenTelemetry (`openai`, `anthropic`): for traces. Unknown when absent. */
  readonly provider?: string;
  /** Input and output together, tokens. Unknown when absent. */
  readonly maxContextTokens?: number;
  /** The most output tokens that may be asked for. Unknown when absent. */
  readonly maxOutputTokens?: number;
  /**
   * Throws `CompactError(SummarizationFailed)` with a code of `MODEL_FAILURE_CODES`, and in `data` the HTTP `status`, the
   * `retryAfterMs` asked for and a `reason` (a system's or provider's code) where there are any. An abort of `signal` is
   * thrown on as it is. Messages never quote an answer.
   */
  complete(request: ModelRequest): Promise<ModelAnswer>;
}

/**
 * `MODEL_UNAVAILABLE`: network, 408, 429, 5xx; worth another try. `MODEL_TIMEOUT`: likewise. `MODEL_REFUSED`: a content
 * filter stopped it. `MODEL_INPUT_TOO_LONG`: the prompt is above its window. `MODEL_REJECTED`: key, name or request wrong.
 */
export const MODEL_FAILURE_CODES = [
  "MODEL_UNAVAILABLE",
  "MODEL_TIMEOUT",
  "MODEL_REFUSED",
  "MODEL_INPUT_TOO_LONG",
  "MODEL_REJECTED",
] as const;
export type ModelFailureCode = (typeof MODEL_FAILURE_CODES)[number];

/**
 * The shortest model: a function. A returned text counts as complete; what it throws is read by `status`, `code` and
 * common wordings.
 */
export type ModelFunction = (request: {
  readonly system: string;
  readonly prompt: string;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
}) => Promise<string | ModelAnswer>;

// The limits of a model, as far as somebody stated them.

export type StatedLimits = Pick<Model, "maxContextTokens" | "maxOutputTokens">;

/** What a model is called, by whom: all that is told of it. */
export type ModelName = Pick<Model, "name" | "provider">;

export function modelName({ name, provider }: ModelName): ModelName {
  return { name, ...(provider === undefined ? {} : { provider }) };
}

/** Only those that are there: an absent field and one that is undefined are not the same. */
export function statedLimits(stated: {
  readonly maxContextTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}): StatedLimits {
  const { maxContextTokens, maxOutputTokens } = stated;
  return withoutUndefined({ maxContextTokens, maxOutputTokens });
}

/** A few numbers may be in a refusal; each is tried at most once. */
const MOST_TRIES = 3;

/** The model, asking again with the cap that its provider states where it was asked for more, and keeping to it from then on. */
export function keepingToLimit(model: Model): Model {
  const { complete } = model;
  const kept: { -readonly [Key in keyof Model]: Model[Key] } = { ...model };
  let most = Number.POSITIVE_INFINITY;
  kept.complete = async (request) => {
    for (let tries = 0; ; tries++) {
      const maxTokens = Math.min(request.maxTokens, most);
      try {
        return await complete({ ...request, maxTokens });
      } catch (error) {
        const stated = CompactError.isInstance(error) ? error.data.maxOutputTokens : undefined;
        if (typeof stated !== "number" || stated >= maxTokens || tries >= MOST_TRIES) throw error;
        most = stated;
        kept.maxOutputTokens = stated;
      }
    }
  };
  return kept;
}

// Token counts as a provider reports them: usable only when both are there.

/** To be spread into an answer: empty where either count is missing. */
export function readUsage(inputTokens: unknown, outputTokens: unknown): { readonly usage?: ModelUsage } {
  return isCount(inputTokens) && isCount(outputTokens) ? { usage: { inputTokens, outputTokens } } : {};
}

export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

// Reading JSON whose shape nobody promised: what is no object is read as an empty one.

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
