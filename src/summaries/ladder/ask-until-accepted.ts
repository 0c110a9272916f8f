// One pass: asks until an answer is accepted or nothing is left to try. An input that is too long for the model is the
// one failure that is not decided here, because it changes what is asked.
import type { CompactError } from "../../errors.ts";
import { isModelFailure } from "../../models/failures/model-failure.ts";
import type { ModelAnswer } from "../../models/model.ts";
import { type Checker, checkAnswer } from "../answer/check-answer.ts";
import { type FaultCode, judgeAnswer } from "../answer/judge-answer.ts";
import type { CheckedAnswer } from "../answer/statement.ts";
import { type ComposedPrompt, composePrompt, type PromptInput } from "../prompts/compose-prompt.ts";
import type { Strategy, SummaryRequest } from "../summarizer.ts";
import type { SummaryCache } from "../summary-cache.ts";
import { type Attempt, FAULT_SENTENCES, nextRung } from "./failure-ladder.ts";
import type { CallSize, ModelCalls } from "./model-calls.ts";

/** What does not change from pass to pass. */
export interface Job {
  readonly request: SummaryRequest;
  readonly checker: Checker;
  readonly hasFacts: boolean;
  readonly calls: ModelCalls;
  readonly cache: SummaryCache;
  /** Model, temperature and seed, for the cache. */
  readonly cacheName: string;
  /** First cap, and the most that the model can give. */
  readonly cap: number;
  readonly mostOutput: number;
}

export interface PassInput extends Omit<PromptInput, "strategy" | "room" | "isSharper"> {
  /** Of the whole request, near enough where the provider does not tell. */
  readonly tokens: number;
}

export interface AcceptedPass extends CheckedAnswer {
  readonly strategy: Strategy;
  readonly isThin: boolean;
}

/** Undefined when the model finds the input too long. Throws `SummarizationFailed` when the ladder has ended. */
export async function askUntilAccepted(
  pass: PassInput,
  strategy: Strategy,
  job: Job,
): Promise<AcceptedPass | undefined> {
  let attempt: Attempt = { cap: job.cap, strategy, isSharper: false, halvings: 0, raises: 0 };
  const key = keyOf(composeFor(pass, attempt, job), attempt, job);
  const known = job.cache.get(key);
  const remembered = known && (await accept({ text: known.text, finish: "stop" }, known.strategy, job));
  if (remembered !== undefined && typeof remembered !== "string") return remembered;
  for (;;) {
    const answer = await callModel(composeFor(pass, attempt, job), { cap: attempt.cap, tokens: pass.tokens }, job);
    if (answer === undefined) return undefined;
    const outcome = answer === "REFUSED" ? answer : await accept(answer, attempt.strategy, job);
    if (typeof outcome !== "string") {
      if (answer !== "REFUSED") job.cache.set(key, { text: answer.text, strategy: attempt.strategy });
      return outcome;
    }
    attempt = climb(outcome, attempt, job);
  }
}

/** The next attempt; throws when there is none. */
function climb(fault: FaultCode, attempt: Attempt, { calls, mostOutput }: Job): Attempt {
  const rung = nextRung(fault, attempt, mostOutput);
  const next = calls.isExhausted() ? "give-up" : rung.next;
  calls.setback(fault, FAULT_SENTENCES[fault], next);
  if (next === "give-up") throw calls.failure(fault, `No usable summary: ${FAULT_SENTENCES[fault]}`);
  return rung.attempt;
}

/** A filter's refusal is one like the model's own; an input that is too long is undefined. */
async function callModel(
  prompt: ComposedPrompt,
  size: CallSize,
  { calls }: Job,
): Promise<ModelAnswer | "REFUSED" | undefined> {
  try {
    return await calls.call(prompt, size);
  } catch (error) {
    if (!isModelFailure(error)) throw error;
    if (error.code === "MODEL_REFUSED") return "REFUSED";
    if (error.code === "MODEL_INPUT_TOO_LONG") return undefined;
    throw givenUp(error, calls);
  }
}

function givenUp(error: CompactError, calls: ModelCalls): CompactError {
  calls.setback(error.code, error.message, "give-up");
  return calls.failure(error.code, error.message, error);
}

async function accept(answer: ModelAnswer, strategy: Strategy, job: Job): Promise<AcceptedPass | FaultCode> {
  const { request, checker, hasFacts } = job;
  const { maxTokens, count } = request;
  const judgement = judgeAnswer(answer, { strategy, maxTokens, count, checker, hasFacts });
  if (!judgement.isAccepted) return judgement.code;
  const { statements, doubts } = await checkAnswer(judgement.answer.statements, checker);
  const isThin = judgement.isThin || statements.length === 0;
  return isThin && !hasFacts ? "NO_SUMMARY" : { statements, doubts, strategy, isThin };
}

function composeFor(pass: PassInput, { cap, strategy, isSharper }: Attempt, job: Job): ComposedPrompt {
  return composePrompt({ ...pass, strategy, isSharper, room: Math.min(cap, job.request.maxTokens) });
}

function keyOf({ system, prompt }: ComposedPrompt, { cap, strategy }: Attempt, job: Job): string {
  return [job.cacheName, strategy, cap, job.request.maxTokens, system, prompt].join("\u0000");
}
