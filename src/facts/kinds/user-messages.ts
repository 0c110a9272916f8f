// User messages verbatim, and the closing statements of the assistant. Only text of a user message becomes a
// user message; text from tools is never promoted.
import { cutAt, cutTail } from "../../text/cut.ts";
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import type { FactMessage } from "../fact-message.ts";
import type { StatementFact, UserMessageFact } from "../ledger.ts";
import { readGuess } from "../spoken/guesses.ts";

/** Of a closing statement, the part that says what was done; the rest stays in the archive. */
const STATEMENT_UNITS = 400;
/** Of it, at most this much is the question that the message ends with; looked for in its last part. */
const QUESTION_UNITS = 160;
const ENDING_UNITS = 600;
/** Of an answer that had not come yet, the last words on the way to it; shorter ones ("Now the tests:") say nothing. */
const OPEN_STEPS = 2;
const SHORTEST_STEP = 60;
/** What a host puts in the place of an answer that was not wanted. */
const NO_ANSWER = /^\s{0,10}No response requested\.?\s{0,10}$/;
/** How far behind a guess its evidence is looked for. */
const SEARCHED_MESSAGES = 200;

/** The texts of user messages, neighbours of one author together. */
export function extractUserMessages(messages: readonly FactMessage[]): readonly UserMessageFact[] {
  return messages.flatMap(({ spoken, source }) => {
    const facts: { author: "user" | "host"; blocks: string[] }[] = [];
    for (const { author, text } of spoken) {
      if (author !== "user" && author !== "host") continue;
      const last = facts.at(-1);
      if (last?.author === author) last.blocks.push(text);
      else facts.push({ author, blocks: [text] });
    }
    return facts.map((fact) => ({ kind: "user_message", ...fact, source }) as const);
  });
}

/** Text of assistant messages without tool calls: answers, not steps towards one; but for an answer still to come. */
export function extractStatements(messages: readonly FactMessage[]): readonly StatementFact[] {
  return runThrough(extractStatementsStepwise(messages));
}

export function* extractStatementsStepwise(messages: readonly FactMessage[]): Stepwise<readonly StatementFact[]> {
  const found: StatementFact[] = [];
  let steps: StatementFact[] = [];
  for (const [index, { spoken, calls, source }] of messages.entries()) {
    const words = spoken.filter(({ author }) => author === "assistant").map(({ text }) => text);
    if (words.length === 0 || words.every((said) => NO_ANSWER.test(said))) continue;
    const text = withQuestion(words.join("\n"));
    if (calls.length > 0) {
      if (text.length >= SHORTEST_STEP) steps.push({ kind: "statement", text, isStep: true, source });
      continue;
    }
    steps = [];
    const guess = readGuess(text, messages.slice(index + 1, index + 1 + SEARCHED_MESSAGES));
    found.push({ kind: "statement", text, ...(guess === undefined ? {} : { guess }), source });
    yield;
  }
  return [...found, ...steps.slice(-OPEN_STEPS)];
}

/** Steps under way are over once the assistant has said more. */
export function mergeStatements(
  earlier: readonly StatementFact[],
  later: readonly StatementFact[],
): readonly StatementFact[] {
  return later.length === 0 ? earlier : [...earlier.filter(({ isStep }) => isStep !== true), ...later];
}

/** The opening; and where the message ends by asking something beyond it, what it asks. */
function withQuestion(said: string): string {
  if (said.length <= STATEMENT_UNITS) return said;
  const asked = lastQuestion(said.slice(STATEMENT_UNITS - QUESTION_UNITS));
  return asked === undefined
    ? cutAt(said, STATEMENT_UNITS)
    : `${cutAt(said, STATEMENT_UNITS - asked.length)} … ${asked}`;
}

/** The question that the last paragraph holds, without the marks of a list. */
function lastQuestion(text: string): string | undefined {
  const end = cutTail(text, ENDING_UNITS);
  const paragraph =
    end
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  const asked = paragraph
    .split(/(?<=[.!?？。])\s+|(?<=[？。])|\n+/)
    .findLast((sentence) => /[?？]["'”’)*_]{0,4}$/.test(sentence.trim()));
  const question = asked?.replace(/^[\s>#*•-]{1,10}|\*{2}/g, "").trim() ?? "";
  return question.length < 8 ? undefined : cutAt(question, QUESTION_UNITS);
}
