// Responses: how a user answered what the assistant proposed or did. Only how a message opens decides; a plain new
// request is none, however friendly it begins.
import { cutAt } from "../../text/cut.ts";
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import type { FactMessage } from "../fact-message.ts";
import type { ResponseFact, Source } from "../ledger.ts";
import { formOfAnswer } from "../spoken/answers.ts";

const LONGEST = 200;

/** `about` is the nearest assistant message before, absent where that one lies in an earlier stretch. */
export function extractResponses(messages: readonly FactMessage[]): readonly ResponseFact[] {
  return runThrough(extractResponsesStepwise(messages));
}

export function* extractResponsesStepwise(messages: readonly FactMessage[]): Stepwise<readonly ResponseFact[]> {
  const found: ResponseFact[] = [];
  let about: Source | undefined;
  for (const { spoken, calls, source } of messages) {
    if (calls.length > 0 || spoken.some(({ author }) => author === "assistant")) about = source;
    const answer = spoken.find(({ author }) => author === "user");
    if (answer === undefined) continue;
    const form = formOfAnswer(answer.text);
    yield;
    if (form === undefined) continue;
    found.push({ kind: "response", form, text: cutAnswer(answer.text), ...(about && { about }), source });
  }
  return found;
}

export function mergeResponses(
  earlier: readonly ResponseFact[],
  later: readonly ResponseFact[],
): readonly ResponseFact[] {
  return [...earlier, ...later];
}

function cutAnswer(text: string): string {
  const line = text
    .slice(0, LONGEST * 4)
    .replace(/\s+/gu, " ")
    .trim();
  return line.length <= LONGEST ? line : `${cutAt(line, LONGEST - 1)}…`;
}
