// The shortest model: a user's async function. Its answer is taken as it comes, its errors are read for what they mean,
// so that a busy server behind it is asked again and a bug in it is not.
import { CompactError } from "../errors.ts";
import { asText } from "../text/json-values.ts";
import { finishFrom, readThrown } from "./failures.ts";
import {
  asObject,
  type FinishReason,
  keepingToLimit,
  type Model,
  type ModelAnswer,
  type ModelFunction,
  type ModelRequest,
  readUsage,
  statedLimits,
} from "./model.ts";

export interface FunctionModelOptions {
  /** For reports and cache keys; default `function`. */
  readonly name?: string;
  /** Tokens of input and output together; unknown when absent. */
  readonly maxContextTokens?: number;
  /** Most tokens of an answer; unknown when absent. */
  readonly maxOutputTokens?: number;
}

/**
 * What the function throws is read by `status` (also `statusCode`, `response.status`), by system codes of the network, and
 * by common wordings ("503 ...", "timed out"); it becomes the `cause`. Anything else is `MODEL_REJECTED`, not tried again.
 * A result that is neither text nor an answer counts as an empty answer.
 */
export function createFunctionModel(call: ModelFunction, options: FunctionModelOptions = {}): Model {
  const { name = "function" } = options;
  return keepingToLimit({
    name,
    ...statedLimits(options),
    async complete(request) {
      request.signal?.throwIfAborted();
      return readAnswer(await callSafely(call, name, request));
    },
  });
}

async function callSafely(call: ModelFunction, name: string, request: ModelRequest): Promise<unknown> {
  try {
    return await call(request);
  } catch (error) {
    request.signal?.throwIfAborted();
    if (CompactError.isInstance(error)) throw error;
    throw readThrown(`The model "${name}"`, error, { maxTokens: request.maxTokens, keepsCause: true });
  }
}

/** Our names, and those of providers that a function may hand through: a cut text must not pass for a whole one. */
const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  unknown: "unknown",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  MAX_TOKENS: "length",
  refusal: "refusal",
  content_filter: "refusal",
  "content-filter": "refusal",
  SAFETY: "refusal",
  calls: "calls",
  tool_calls: "calls",
  "tool-calls": "calls",
  tool_use: "calls",
  function_call: "calls",
};

function readAnswer(result: unknown): ModelAnswer {
  if (typeof result === "string") return { text: result, finish: "stop" };
  const { text, finish, usage } = asObject(result);
  const { inputTokens, outputTokens } = asObject(usage);
  const unsaid = typeof text === "string" ? "stop" : "unknown";
  return {
    text: asText(text),
    finish: typeof finish === "string" && Object.hasOwn(FINISH, finish) ? finishFrom(FINISH, finish) : unsaid,
    ...readUsage(inputTokens, outputTokens),
  };
}
