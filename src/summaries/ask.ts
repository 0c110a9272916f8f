// Asks a model until its answer is a summary, or until nothing is left to try: what each call cost, what is tried after
// which fault, and the answers that were accepted before. Ends whatever the model does.
import { CompactError } from "../errors.ts";
import { completeWithRetries, type RetryOptions } from "../models/complete-with-retries.ts";
import { isModelFailure } from "../models/failures.ts";
import { type Model, type ModelAnswer, statedLimits } from "../models/model.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { type Checker, checkAnswer } from "./answer/check-answer.ts";
import { type FaultCode, judgeAnswer } from "./answer/judge-answer.ts";
import type { CheckedAnswer } from "./answer/read-answer.ts";
import { type ComposedPrompt, composePrompt, type PromptInput } from "./prompt/compose-prompt.ts";
import type { NextStep, Strategy, SummaryRequest, SummaryUsage } from "./summarizer.ts";

/** Calls for one summary, retries of the transport not counted: twelve passes, each asked again twice. */
export const MOST_CALLS = 36;
const MOST_HALVINGS = 2;
const MOST_RAISES = 2;

/** What does not change from pass to pass. */
export interface Job {
  readonly request: SummaryRequest;
  readonly checker: Checker;
  readonly hasFacts: boolean;
  readonly calls: Calls;
  readonly cache: AnswerCache;
  /** First cap, and the most that the model can give. */
  readonly cap: number;
  readonly mostOutput: number;
}

export interface Attempt {
  /** Output tokens asked for. */
  readonly cap: number;
  readonly strategy: Strategy;
  /** After an answer that was no summary. */
  readonly isSharper: boolean;
  readonly halvings: number;
  readonly raises: number;
}

export function firstAttempt(cap: number, strategy: Strategy): Attempt {
  return { cap, strategy, isSharper: false, halvings: 0, raises: 0 };
}

/** Each step may be taken a few times only. `most`: output tokens that the model can give. */
function nextAttempt(fault: FaultCode, attempt: Attempt, most: number): readonly [NextStep, Attempt] {
  const { cap, strategy, isSharper, halvings, raises } = attempt;
  switch (fault) {
    case "EMPTY_ANSWER":
    case "TRUNCATED_ANSWER":
      if (raises >= MOST_RAISES) break;
      return ["raise-cap", { ...attempt, raises: raises + 1, cap: Math.min(most, cap * 2) }];
    case "TOO_LONG_ANSWER":
      if (halvings >= MOST_HALVINGS) break;
      return ["halve-cap", { ...attempt, halvings: halvings + 1, cap: Math.max(1, Math.floor(cap / 2)) }];
    case "REFUSED":
      if (strategy === "brief") break;
      return ["brief", { ...attempt, strategy: "brief" }];
    default:
      if (isSharper) break;
      return ["retry", { ...attempt, isSharper: true }];
  }
  return ["give-up", attempt];
}

/** One sentence a fault, without a word of the answer. */
const FAULTS: Readonly<Record<FaultCode, string>> = {
  EMPTY_ANSWER: "The model returned no text.",
  TRUNCATED_ANSWER: "The answer was cut off at its cap.",
  TOO_LONG_ANSWER: "The answer was complete, but longer than its cap.",
  REFUSED: "The model declined to summarize.",
  NO_SUMMARY: "The answer was no summary: it acts, chats, or holds on to nothing of the input.",
  UNCLOSED_SCRATCH: "The answer opened a block of scratch work and never closed it.",
};

export const TOO_LONG = "The model finds the input too long.";

/** What `ask` gives in the end, if not a fault. Throws `SummarizationFailed` when nothing is left to try. */
export async function climb<Result>(
  first: Attempt,
  ask: (attempt: Attempt) => Promise<Result | FaultCode>,
  { calls, mostOutput }: Pick<Job, "calls" | "mostOutput">,
): Promise<Result> {
  for (let attempt = first; ; ) {
    const outcome = await ask(attempt);
    if (!isFault(outcome)) return outcome;
    const [next, further] = nextAttempt(outcome, attempt, mostOutput);
    calls.setback(outcome, FAULTS[outcome], next);
    attempt = further;
  }
}

function isFault(outcome: unknown): outcome is FaultCode {
  return typeof outcome === "string" && Object.hasOwn(FAULTS, outcome);
}

export interface PassInput extends Omit<PromptInput, "strategy" | "room" | "isSharper"> {
  /** Of the whole request, near enough where the provider does not tell. */
  readonly tokens: number;
}

export interface AcceptedPass extends CheckedAnswer {
  readonly strategy: Strategy;
  readonly isThin: boolean;
}

/** One pass. Undefined when the model finds the input too long: that changes what is asked. */
export async function askUntilAccepted(
  pass: PassInput,
  strategy: Strategy,
  job: Job,
): Promise<AcceptedPass | undefined> {
  const first = firstAttempt(job.cap, strategy);
  const compose = ({ cap, strategy, isSharper }: Attempt) =>
    composePrompt({
      ...pass,
      strategy,
      isSharper,
      room: Math.min(cap, job.request.maxTokens, job.calls.mostOutput()),
    });
  const { system, prompt } = compose(first);
  const key = [strategy, job.cap, job.request.maxTokens, system, prompt].join("\u0000");
  const known = job.cache.get(key);
  const remembered = known && (await accept({ text: known.text, finish: "stop" }, known.strategy, job));
  if (known !== undefined) remember(job.cache, key, known);
  if (typeof remembered === "object") return remembered;
  const ask = async (attempt: Attempt) => {
    const answer = await job.calls.call(compose(attempt), attempt.cap, pass.tokens);
    if (answer === undefined) return undefined;
    const outcome = await accept(answer, attempt.strategy, job);
    if (typeof outcome === "object") remember(job.cache, key, { text: answer.text, strategy: attempt.strategy });
    return outcome;
  };
  return await climb(first, ask, job);
}

async function accept(answer: ModelAnswer, strategy: Strategy, job: Job): Promise<AcceptedPass | FaultCode> {
  const { request, checker, hasFacts } = job;
  const { maxTokens, count } = request;
  const judged = judgeAnswer(answer, { strategy, maxTokens, count, checker, hasFacts });
  if (typeof judged === "string") return judged;
  const { statements, doubts } = await checkAnswer(judged.statements, checker);
  const isThin = judged.isThin || statements.length === 0;
  return isThin && !hasFacts ? "NO_SUMMARY" : { statements, doubts, strategy, isThin };
}

export interface CallOptions extends Omit<RetryOptions, "onRetry"> {
  readonly model: Model;
  /** Everything that the model sees goes through it. */
  readonly redactor: Redactor;
  /** Default 0. */
  readonly temperature?: number;
  /** Default 42. */
  readonly seed?: number;
}

/** The calls of one summary. */
export interface Calls {
  isExhausted(): boolean;
  /** Output tokens that the model is known to give at most: it may have said so meanwhile. */
  mostOutput(): number;
  /** Undefined where the input is too long for the model; a filter's refusal is one like the model's own. */
  call(prompt: ComposedPrompt, cap: number, tokens: number): Promise<ModelAnswer | undefined>;
  /** Tells what went wrong and what comes next; gives up where nothing does, or no call is left. */
  setback(code: string, message: string, next: NextStep): void;
  /** `thrown`: the failed call, if it was one. */
  giveUp(code: string, message: string, thrown?: CompactError): never;
  usage(): SummaryUsage;
}

export function createCalls(options: CallOptions, request: SummaryRequest): Calls {
  const { model, redactor, temperature = 0, seed = 42 } = options;
  const { count, signal } = request;
  const used = { calls: 0, inputTokens: 0, outputTokens: 0 };
  let asked = 0;
  let failed = 0;
  let isCut = false;
  const counted: Model = {
    ...statedLimits(model),
    name: model.name,
    complete(modelRequest) {
      used.calls += 1;
      request.onCall?.();
      return model.complete(modelRequest);
    },
  };
  const tell = (code: string, message: string, next: NextStep) =>
    request.onSetback?.({ code, message, next, attempt: Math.max(1, used.calls) });
  const giveUp: Calls["giveUp"] = (code, message, thrown) => {
    tell(code, message, "give-up");
    throw new CompactError("SummarizationFailed", thrown ? message : `No usable summary: ${message}`, {
      code,
      hint: thrown?.hint ?? "The policy's on_summary_failure decides what stands in for the summary.",
      data: { ...thrown?.data, failures: thrown ? failed : 1, ...used },
      cause: thrown?.cause,
    });
  };
  const onRetry = (failure: CompactError) => {
    failed += 1;
    tell(failure.code, failure.message, "retry");
  };
  return {
    isExhausted: () => asked >= MOST_CALLS,
    mostOutput: () => model.maxOutputTokens ?? Number.POSITIVE_INFINITY,
    setback: (code, message, next) =>
      next === "give-up" || asked >= MOST_CALLS ? giveUp(code, message) : tell(code, message, next),
    giveUp,
    usage: () => ({ ...used, ...(isCut ? { isCut } : {}) }),
    async call({ system, prompt }, cap, tokens) {
      asked += 1;
      const texts = { system: redactor.text(system), prompt: redactor.text(prompt) };
      const modelRequest = { ...texts, maxTokens: cap, temperature, seed, ...(signal === undefined ? {} : { signal }) };
      try {
        const answer = await completeWithRetries(counted, modelRequest, { ...options, onRetry });
        used.inputTokens += answer.usage?.inputTokens ?? tokens;
        used.outputTokens += answer.usage?.outputTokens ?? count(answer.text);
        isCut ||= seemsCut(answer.usage?.inputTokens, tokens);
        return answer;
      } catch (error) {
        failed += 1;
        if (!isModelFailure(error)) throw error;
        if (error.code === "MODEL_REFUSED") return { text: "", finish: "refusal" };
        return error.code === "MODEL_INPUT_TOO_LONG" ? undefined : giveUp(error.code, error.message, error);
      }
    },
  };
}

/**
 * A server on one's own machine may load a model with a small window and cut longer prompts without a word. No tokenizer
 * differs by so much; figures of a few tokens are those of servers that do not count.
 */
function seemsCut(reported: number | undefined, tokens: number): boolean {
  return reported !== undefined && tokens >= 4000 && reported >= 64 && reported < tokens / 4;
}

export interface AcceptedAnswer {
  readonly text: string;
  /** Strategy it was written for. */
  readonly strategy: Strategy;
}

/** By the whole request, so that the same remainder is not paid for twice: a plan and its carrying out. */
export type AnswerCache = Map<string, AcceptedAnswer>;

/** As many as one summary has passes; the one used longest ago goes first. */
const MOST_ANSWERS = 12;
/** UTF-16 units. */
const LONGEST_REQUEST = 1_000_000;

function remember(cache: AnswerCache, request: string, answer: AcceptedAnswer): void {
  if (request.length > LONGEST_REQUEST) return;
  cache.delete(request);
  cache.set(request, answer);
  const [oldest] = cache.keys();
  if (cache.size > MOST_ANSWERS && oldest !== undefined) cache.delete(oldest);
}
