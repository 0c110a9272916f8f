// A text of a sentence or three by a model. Decides whether an answer is one at all, and asks again where that can help;
// whether what it says is true is for whoever knows the record.
import { isModelFailure } from "../../models/failures/model-failure.ts";
import type { ModelAnswer } from "../../models/model.ts";
import type { FaultCode } from "../answer/judge-answer.ts";
import { actsOrChats, declines, reportsFailure } from "../answer/reading/answer-cues.ts";
import { openEnvelope } from "../answer/reading/open-envelope.ts";
import type { Job } from "../ladder/ask-until-accepted.ts";
import { FAULT_SENTENCES } from "../ladder/failure-ladder.ts";
import type { NextStep, Summary, SummaryRequest } from "../summarizer.ts";
import { composeShortPrompt } from "./short-prompt.ts";

const MOST_ATTEMPTS = 3;
/** Models that think first need room for it, or nothing is left for the text. */
const LEAST_CAP = 200;
/** No text within a cap has so many UTF-16 units per token; spares reading megabytes. */
const MOST_UNITS_PER_TOKEN = 200;

export interface ShortJob extends Pick<Job, "calls" | "mostOutput"> {
  readonly redact: (text: string) => string;
  readonly language: string | undefined;
}

/** Throws `SummarizationFailed` when no answer was a text; an abort is thrown on as it is. */
export async function writeShort(request: SummaryRequest, job: ShortJob): Promise<Summary> {
  const { passages, note, maxTokens, count } = request;
  const texts = passages.map(({ text }) => job.redact(text));
  const wish = note === undefined ? undefined : job.redact(note);
  let cap = Math.min(job.mostOutput, Math.max(LEAST_CAP, 2 * maxTokens));
  let isSharper = false;
  for (let attempt = 1; ; attempt += 1) {
    const prompt = composeShortPrompt({ texts, note: wish, language: job.language, isSharper });
    const tokens = count(prompt.system) + count(prompt.prompt);
    const outcome = judge(await call(prompt, { cap, tokens }, job), request);
    if ("text" in outcome) return { text: outcome.text, source: "model", usage: job.calls.usage() };
    const next = attempt === MOST_ATTEMPTS ? "give-up" : nextStep(outcome.fault, isSharper);
    job.calls.setback(outcome.fault, FAULT_SENTENCES[outcome.fault], next);
    if (next === "give-up") {
      throw job.calls.failure(outcome.fault, `No usable text: ${FAULT_SENTENCES[outcome.fault]}`);
    }
    if (next === "raise-cap") cap = Math.min(job.mostOutput, 2 * cap);
    else isSharper = true;
  }
}

async function call(
  prompt: Parameters<Job["calls"]["call"]>[0],
  size: Parameters<Job["calls"]["call"]>[1],
  { calls }: ShortJob,
): Promise<ModelAnswer> {
  try {
    return await calls.call(prompt, size);
  } catch (error) {
    if (!isModelFailure(error)) throw error;
    calls.setback(error.code, error.message, "give-up");
    throw calls.failure(error.code, error.message, error);
  }
}

function judge(
  { text, finish }: ModelAnswer,
  { maxTokens, count }: SummaryRequest,
): { readonly text: string } | { readonly fault: FaultCode } {
  if (finish === "refusal") return { fault: "REFUSED" };
  if (finish === "calls") return { fault: "NO_SUMMARY" };
  if (text.trim() === "") return { fault: "EMPTY_ANSWER" };
  if (finish === "length") return { fault: "TRUNCATED_ANSWER" };
  if (text.length > maxTokens * MOST_UNITS_PER_TOKEN) return { fault: "TOO_LONG_ANSWER" };
  const opened = openEnvelope(text);
  if (opened === undefined) return { fault: "UNCLOSED_SCRATCH" };
  if (opened === "") return { fault: "EMPTY_ANSWER" };
  if (declines(opened)) return { fault: "REFUSED" };
  if (actsOrChats(opened) || reportsFailure(opened)) return { fault: "NO_SUMMARY" };
  return count(opened) > maxTokens ? { fault: "TOO_LONG_ANSWER" } : { text: opened };
}

function nextStep(fault: FaultCode, isSharper: boolean): NextStep {
  if (fault === "EMPTY_ANSWER" || fault === "TRUNCATED_ANSWER") return "raise-cap";
  return fault === "REFUSED" || isSharper ? "give-up" : "retry";
}
