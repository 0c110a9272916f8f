// The calls of one summary: counts them and what they cost, tells of each setback, and makes the error at the end.
import { CompactError } from "../../errors.ts";
import { completeWithRetries } from "../../models/complete-with-retries.ts";
import type { Model, ModelAnswer } from "../../models/model.ts";
import { statedLimits } from "../../models/stated-limits.ts";
import type { Redactor } from "../../redaction/redacted.ts";
import type { ComposedPrompt } from "../prompts/compose-prompt.ts";
import type { NextStep, SummaryRequest, SummaryUsage } from "../summarizer.ts";

/** Calls for one summary whatever happens, retries of the transport not counted: twelve passes, each asked again twice. */
export const MOST_CALLS = 36;

export interface CallOptions {
  readonly model: Model;
  readonly redactor: Redactor;
  readonly temperature: number;
  readonly seed: number;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly sleep?: ((ms: number) => Promise<void>) | undefined;
  readonly random?: (() => number) | undefined;
}

export interface CallSize {
  /** Output tokens asked for. */
  readonly cap: number;
  /** Input tokens, for a provider that does not tell. */
  readonly tokens: number;
}

export interface ModelCalls {
  /** Logical calls that are left. */
  isExhausted(): boolean;
  /** Throws what `completeWithRetries` throws. */
  call(prompt: ComposedPrompt, size: CallSize): Promise<ModelAnswer>;
  setback(code: string, message: string, next: NextStep): void;
  /** After which nothing is left to try. `thrown`: the failed call, where there was one. */
  failure(code: string, message: string, thrown?: CompactError): CompactError;
  usage(): SummaryUsage;
}

export function createModelCalls(options: CallOptions, request: SummaryRequest): ModelCalls {
  const { model, redactor, temperature, seed } = options;
  let asked = 0;
  let sent = 0;
  let failed = 0;
  let inputTokens = 0;
  let outputTokens = 0;
  let isCut = false;
  const setback: ModelCalls["setback"] = (code, message, next) =>
    request.onSetback?.({ code, message, next, attempt: Math.max(1, sent) });
  const counted: Model = {
    ...statedLimits(model),
    name: model.name,
    complete(modelRequest) {
      sent += 1;
      request.onCall?.();
      return model.complete(modelRequest);
    },
  };
  return {
    isExhausted: () => asked >= MOST_CALLS,
    async call({ system, prompt }, { cap, tokens }) {
      asked += 1;
      const modelRequest = {
        system: redactor.text(system),
        prompt: redactor.text(prompt),
        maxTokens: cap,
        temperature,
        seed,
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      };
      try {
        const answer = await completeWithRetries(counted, modelRequest, {
          attempts: options.attempts,
          timeoutMs: options.timeoutMs,
          onRetry(failure: CompactError) {
            failed += 1;
            setback(failure.code, failure.message, "retry");
          },
          ...(options.sleep === undefined ? {} : { sleep: options.sleep }),
          ...(options.random === undefined ? {} : { random: options.random }),
        });
        inputTokens += answer.usage?.inputTokens ?? tokens;
        isCut ||= seemsCut(answer.usage?.inputTokens, tokens);
        outputTokens += answer.usage?.outputTokens ?? request.count(answer.text);
        return answer;
      } catch (error) {
        failed += 1;
        throw error;
      }
    },
    setback,
    failure(code, message, thrown) {
      const hint = thrown?.hint ?? "The policy's on_summary_failure decides what stands in for the summary.";
      const figures = {
        ...thrown?.data,
        failures: thrown === undefined ? 1 : failed,
        calls: sent,
        inputTokens,
        outputTokens,
      };
      return new CompactError("SummarizationFailed", message, { code, hint, data: figures, cause: thrown?.cause });
    },
    usage: () => ({ calls: sent, inputTokens, outputTokens, ...(isCut ? { isCut } : {}) }),
  };
}

/**
 * A server on one's own machine may load a model with a small window and cut longer prompts without a word. No tokenizer
 * differs by so much; figures of a few tokens are those of servers that do not count.
 */
function seemsCut(reported: number | undefined, tokens: number): boolean {
  return reported !== undefined && tokens >= 4000 && reported >= 64 && reported < tokens / 4;
}
