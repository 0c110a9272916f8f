// Any language model of the `ai` package. `ai` is an optional peer: it is loaded at the first call, and its own
// retrying is off, because complete-with-retries.ts does that.
import type { LanguageModel } from "ai";
import { CompactError } from "../errors.ts";
import { toWellFormed } from "../text/well-formed.ts";
import { finishFrom, readThrown } from "./failures.ts";
import {
  type FinishReason,
  keepingToLimit,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  readUsage,
  statedLimits,
} from "./model.ts";

/** A model object of a provider package (`openai("gpt-4o-mini")`), or a name that `ai` resolves (`"openai/gpt-4o-mini"`). */
export type AiSdkLanguageModel =
  | string
  | { readonly specificationVersion: string; readonly provider: string; readonly modelId: string };

export interface AiSdkModelOptions {
  /** Tokens of input and output together; unknown when absent. */
  readonly maxContextTokens?: number;
  /** Most tokens of an answer; unknown when absent. */
  readonly maxOutputTokens?: number;
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  "content-filter": "refusal",
  "tool-calls": "calls",
};

/** Throws at the first call, as `CompactError(MissingDependency)`, when `ai` is not installed. */
export function createAiSdkModel(languageModel: AiSdkLanguageModel, options: AiSdkModelOptions = {}): Model {
  const name = typeof languageModel === "string" ? languageModel : languageModel.modelId;
  // `openai/gpt-4o-mini`, `openai.chat`.
  const [provider = ""] = typeof languageModel === "string" ? name.split("/") : `${languageModel.provider}`.split(".");
  return keepingToLimit({
    name,
    provider,
    ...statedLimits(options),
    async complete(request) {
      request.signal?.throwIfAborted();
      const { generateText } = await loadAi();
      try {
        return readResult(await generateText(writeOptions(languageModel, request)));
      } catch (error) {
        request.signal?.throwIfAborted();
        // No cause: errors of `ai` hold the whole request.
        throw readThrown(`The model "${name}"`, error, { maxTokens: request.maxTokens, keepsCause: false });
      }
    },
  });
}

async function loadAi(): Promise<typeof import("ai")> {
  try {
    return await import("ai");
  } catch (cause) {
    throw new CompactError("MissingDependency", 'The package "ai" could not be loaded', {
      hint: "Install it: npm install ai",
      cause,
    });
  }
}

type GenerateOptions = Parameters<typeof import("ai").generateText>[0];

function writeOptions(languageModel: AiSdkLanguageModel, request: ModelRequest): GenerateOptions {
  const { system, prompt, maxTokens, temperature, seed, signal } = request;
  return {
    // The structural type above keeps our declarations free of an optional package.
    model: languageModel as LanguageModel,
    ...(system === "" ? {} : { system: toWellFormed(system) }),
    prompt: toWellFormed(prompt),
    maxOutputTokens: maxTokens,
    temperature,
    ...(seed === undefined ? {} : { seed }),
    maxRetries: 0,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  };
}

interface GenerateResult {
  readonly text: string;
  readonly finishReason: string;
  readonly usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined };
}

function readResult({ text, finishReason, usage: { inputTokens, outputTokens } }: GenerateResult): ModelAnswer {
  return {
    text,
    finish: finishFrom(FINISH, finishReason),
    ...readUsage(inputTokens, outputTokens),
  };
}
