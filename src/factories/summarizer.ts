// Whoever writes summaries: by code unless a model is configured, and which adapter speaks to that model.
import { apiKeyVariables } from "../config/environment.ts";
import {
  isSummarizer,
  type ModelSummarizerConfig,
  type NamedSummarizerConfig,
  SUMMARIZER_DEFAULTS,
  type SummarizerConfig,
} from "../config/summarizer-schema.ts";
import { type AiSdkLanguageModel, createAiSdkModel } from "../models/ai-sdk-model.ts";
import { createAnthropicModel } from "../models/anthropic-model.ts";
import { createFunctionModel } from "../models/function-model.ts";
import { type Model, type ModelFunction, modelName, type StatedLimits, statedLimits } from "../models/model.ts";
import { createOpenaiCompatibleModel } from "../models/openai-compatible-model.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import type { Summarizer } from "../summaries/summarizer.ts";
import { resolveModel } from "../tokens/models.ts";
import { apiKeyFor, lazyExtractiveSummarizer, lazyModelSummarizer } from "./lazy-summarizer.ts";

export interface SummarizerParts {
  readonly redactor: Redactor;
  readonly extractive?: Summarizer;
  /** Of the model. Default: looked for in the environment. */
  readonly apiKey?: string | undefined;
}

/** The extractive summarizer, or what the configuration says. Throws `InvalidConfig` for a provider without its key. */
export function summarizerOf(
  config: SummarizerConfig | undefined,
  { redactor, extractive = lazyExtractiveSummarizer(), apiKey = apiKeyFor(config) }: SummarizerParts,
): Summarizer {
  if (config === undefined) return extractive;
  if (isSummarizer(config)) return config;
  const model = modelOf(config, apiKey);
  if (model === undefined) return extractive;
  const { language, ...given } = config;
  const { timeoutMs = SUMMARIZER_DEFAULTS.timeoutMs, temperature = SUMMARIZER_DEFAULTS.temperature } = given;
  const { seed = SUMMARIZER_DEFAULTS.seed } = given;
  return lazyModelSummarizer({
    model: redactingAnswers(model, redactor),
    redactor: readsRedacted(config) ? redactor : createRedactor({ enabled: false }),
    extractive,
    timeoutMs,
    temperature,
    seed,
    ...(language === undefined ? {} : { language }),
  });
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
  const options = {
    model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(apiKeyName === undefined ? {} : { apiKeyName }),
    ...modelLimits(config, model),
  };
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
