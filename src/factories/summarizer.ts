// Whoever writes summaries: by code unless a model is configured, and which adapter speaks to that model.
import { apiKeyFor, apiKeyVariables } from "../config/api-key.ts";
import {
  isSummarizer,
  type ModelSummarizerConfig,
  type NamedSummarizerConfig,
  SUMMARIZER_DEFAULTS,
  type SummarizerConfig,
} from "../config/summarizer-schema.ts";
import { lazy } from "../lazy.ts";
import { type AiSdkLanguageModel, createAiSdkModel } from "../models/ai-sdk-model.ts";
import { createAnthropicModel } from "../models/anthropic-model.ts";
import { createFunctionModel } from "../models/function-model.ts";
import { type Model, type ModelFunction, modelName, type StatedLimits, statedLimits } from "../models/model.ts";
import { createOpenaiCompatibleModel } from "../models/openai-compatible-model.ts";
import { createRedactor, type Redactor, type RedactorOptions } from "../redaction/redactor.ts";
import type { Summarizer } from "../summaries/summarizer.ts";
import { withoutUndefined } from "../text/json-values.ts";
import { counterFor } from "../tokens/create-token-counter.ts";
import { resolveModel } from "../tokens/models.ts";

/** Needs no model. Loaded when it is first asked: with the facts it is the largest part of this package. */
export const extractiveSummarizer: Summarizer = {
  kind: "extractive",
  summarize: async (request) =>
    (await import("../summaries/record.ts")).createExtractiveSummarizer().summarize(request),
};

export interface SummarizerParts {
  readonly redactor: Redactor;
  /** Of the model. Default: looked for in the environment. */
  readonly apiKey?: string | undefined;
}

/** The extractive summarizer, or what the configuration says. Throws `InvalidConfig` for a provider without its key. */
export function summarizerOf(
  config: SummarizerConfig | undefined,
  { redactor, apiKey = apiKeyFor(config) }: SummarizerParts,
): Summarizer {
  if (config === undefined) return extractiveSummarizer;
  if (isSummarizer(config)) return config;
  const model = modelOf(config, apiKey);
  if (model === undefined) return extractiveSummarizer;
  const { language, timeoutMs, temperature, seed } = { ...SUMMARIZER_DEFAULTS, ...withoutUndefined(config) };
  const open = lazy(async () => {
    const { createModelSummarizer } = await import("../summaries/model-summarizer.ts");
    return createModelSummarizer({
      model: redactingAnswers(model, redactor),
      redactor: readsRedacted(config) ? redactor : createRedactor({ enabled: false }),
      extractive: extractiveSummarizer,
      timeoutMs,
      temperature,
      seed,
      ...(language === undefined ? {} : { language }),
    });
  });
  return { kind: "model", model: modelName(model), summarize: async (request) => (await open()).summarize(request) };
}

interface WritingOptions {
  readonly summarizer?: SummarizerConfig | undefined;
  readonly redaction?: RedactorOptions | undefined;
  readonly count?: ((text: string) => number) | undefined;
}

/** For every part that has texts written. `apiKey` as for `summarizerOf`. */
export function writingParts({ summarizer, redaction, count }: WritingOptions, apiKey?: string) {
  const redactor = createRedactor(redaction);
  return { redactor, summarizer: summarizerOf(summarizer, { redactor, apiKey }), count: count ?? defaultCount() };
}

/** Tokens of a text where no model is named: o200k_base. */
export function defaultCount(): (text: string) => number {
  const counter = counterFor(resolveModel(undefined));
  return (text) => counter.count(text);
}

/**
 * A secret that a model gives back goes before anything is checked: striking out a number that nobody said would leave
 * the rest of a token, which no rule knows any more.
 */
function redactingAnswers(model: Model, redactor: Redactor): Model {
  const complete: Model["complete"] = async (request) => {
    const answer = await model.complete(request);
    return { ...answer, text: redactor.text(answer.text) };
  };
  return { ...statedLimits(model), ...modelName(model), complete };
}

/** False only where somebody asked for it by name. */
export function readsRedacted(config: SummarizerConfig | undefined): boolean {
  return config === undefined || isSummarizer(config) || config.redactInput !== false;
}

/** Undefined for the extractive summarizer. */
function modelOf(config: ModelSummarizerConfig | NamedSummarizerConfig, apiKey: string | undefined): Model | undefined {
  return "type" in config ? namedModel(config, apiKey) : givenModel(config);
}

/** Undefined for the extractive summarizer. */
export function namedModel(config: NamedSummarizerConfig, apiKey: string | undefined): Model | undefined {
  const { type, model = "", baseUrl } = config;
  if (type === "extractive") return undefined;
  const [apiKeyName] = apiKeyVariables(config).slice(-1);
  const options = { model, ...withoutUndefined({ baseUrl, apiKey, apiKeyName }), ...modelLimits(config, model) };
  return type === "anthropic" ? createAnthropicModel(options) : createOpenaiCompatibleModel(options);
}

function givenModel(config: ModelSummarizerConfig): Model {
  const { model } = config;
  if (typeof model === "function") return createFunctionModel(model as ModelFunction, modelLimits(config));
  if (typeof model === "object" && "complete" in model) return withLimits(model as Model, modelLimits(config));
  const name = typeof model === "string" ? model : String((model as { readonly modelId?: unknown }).modelId);
  return createAiSdkModel(model as AiSdkLanguageModel, modelLimits(config, name));
}

/** Field by field: what a class keeps on its prototype is not copied by spreading. */
function withLimits(model: Model, limits: StatedLimits): Model {
  return { ...statedLimits(model), ...limits, ...modelName(model), complete: (request) => model.complete(request) };
}

function modelLimits(stated: ModelSummarizerConfig | NamedSummarizerConfig, name?: string): StatedLimits {
  const window = stated.maxContextTokens ?? (name === undefined ? undefined : resolveModel(name).window);
  return statedLimits({ ...stated, maxContextTokens: window });
}
