// A model that says and does what a script tells it: good answers, cut ones, refusals, errors, silence. For tests of
// whatever is built on models, here and in users' projects.
import { CompactError } from "../errors.ts";
import { pause } from "../models/complete-with-retries.ts";
import type { FinishReason, Model, ModelAnswer, ModelFailureCode, ModelRequest, ModelUsage } from "../models/model.ts";
import { withoutUndefined } from "../text/json-values.ts";

export type ScriptedError = "unavailable" | "timeout" | "refused" | "too_long" | "rejected";

/** A plain string is a complete answer. */
export type ModelStep =
  | string
  | {
      readonly text?: string;
      /** Default `stop`. */
      readonly finish?: FinishReason;
      readonly usage?: ModelUsage;
      readonly delayMs?: number;
    }
  | {
      readonly error: ScriptedError;
      readonly status?: number;
      readonly retryAfterMs?: number;
      readonly delayMs?: number;
    }
  /** Throws this value as it is, as a careless function would. */
  | { readonly throws: unknown; readonly delayMs?: number }
  /** Never answers; `ignoresAbort` even when its signal fires. */
  | { readonly hang: true; readonly ignoresAbort?: boolean };

/** What was asked, as it was asked. */
export type ModelCall = Omit<ModelRequest, "signal">;

export interface ScriptedModelOptions {
  /** Default `scripted`. */
  readonly name?: string;
  /** Enforced: a prompt that does not fit beside `maxTokens` fails with `MODEL_INPUT_TOO_LONG`. */
  readonly maxContextTokens?: number;
  /** Enforced: asking for more fails with `MODEL_REJECTED`. */
  readonly maxOutputTokens?: number;
  /** Tokens of a text, for `maxContextTokens`. Default: four characters to the token. */
  readonly count?: (text: string) => number;
  /** Default `repeat`. */
  readonly whenOver?: WhenOver;
}

export interface ScriptedModel extends Model {
  /** Every call so far, the failed ones included. */
  readonly calls: readonly ModelCall[];
}

const CODES: Readonly<Record<ScriptedError, ModelFailureCode>> = {
  unavailable: "MODEL_UNAVAILABLE",
  timeout: "MODEL_TIMEOUT",
  refused: "MODEL_REFUSED",
  too_long: "MODEL_INPUT_TOO_LONG",
  rejected: "MODEL_REJECTED",
};

export function createScriptedModel(
  script: Script<ModelStep, ModelCall>,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const { name = "scripted", maxContextTokens, maxOutputTokens, whenOver = "repeat" } = options;
  const calls: ModelCall[] = [];
  const nextStep = createScriptReader(script, whenOver);
  return {
    name,
    ...withoutUndefined({ maxContextTokens, maxOutputTokens }),
    calls,
    async complete({ signal, ...call }) {
      signal?.throwIfAborted();
      calls.push(call);
      refuseBeyondLimits(call, options);
      const step = await nextStep(call);
      if (step === undefined) throw failure("rejected", `The script of the model "${name}" is over`);
      return play(step, name, signal);
    },
  };
}

async function play(step: ModelStep, name: string, signal: AbortSignal | undefined): Promise<ModelAnswer> {
  if (typeof step === "string") return { text: step, finish: "stop" };
  if ("hang" in step) return stay(step.ignoresAbort ? undefined : signal);
  if (step.delayMs !== undefined) await pause(step.delayMs, signal);
  if ("throws" in step) throw step.throws;
  if ("error" in step) {
    const { error, status, retryAfterMs } = step;
    throw failure(error, `The model "${name}" was told to fail`, withoutUndefined({ status, retryAfterMs }));
  }
  const { text = "", finish = "stop", usage } = step;
  return { text, finish, ...withoutUndefined({ usage }) };
}

function refuseBeyondLimits(call: ModelCall, options: ScriptedModelOptions): void {
  const { maxContextTokens, maxOutputTokens, count = (text) => Math.ceil(text.length / 4) } = options;
  if (maxOutputTokens !== undefined && call.maxTokens > maxOutputTokens) {
    throw failure("rejected", `${call.maxTokens} output tokens are asked for, at most ${maxOutputTokens} are allowed`);
  }
  if (maxContextTokens === undefined) return;
  const needed = count(call.system) + count(call.prompt) + call.maxTokens;
  if (needed > maxContextTokens) {
    throw failure("too_long", `The request needs ${needed} tokens of a window of ${maxContextTokens}`);
  }
}

function failure(error: ScriptedError, message: string, data: Readonly<Record<string, unknown>> = {}): CompactError {
  return new CompactError("SummarizationFailed", message, { code: CODES[error], data });
}

function stay(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

// Deals out the steps of a script, one per call. What a step does is decided by who plays it.

/** Steps in order, or a function of the call and its number (1-based). */
export type Script<Step, Call> = readonly Step[] | ((call: Call, number: number) => Step | Promise<Step>);

/** `repeat` plays the last step again and again, `fail` makes every further call an error. */
export type WhenOver = "repeat" | "fail";

/** Undefined when the script is over. */
export function createScriptReader<Step, Call>(
  script: Script<Step, Call>,
  whenOver: WhenOver,
): (call: Call) => Promise<Step | undefined> {
  let number = 0;
  return async (call) => {
    number++;
    if (typeof script === "function") return script(call, number);
    return script[number - 1] ?? (whenOver === "repeat" ? script.at(-1) : undefined);
  };
}
