// User messages verbatim, and the closing statements of the assistant. Only text of a user message becomes a
// user message; text from tools is never promoted.
import { cutAt } from "../../text/cut.ts";
import type { FactMessage } from "../fact-message.ts";
import type { StatementFact, UserMessageFact } from "../ledger.ts";
import { readGuess } from "../spoken/guesses.ts";

/** Of a closing statement, the part that says what was done; the rest stays in the archive. */
const STATEMENT_UNITS = 400;
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

/** Text of assistant messages without tool calls: answers, not steps towards one. */
export function extractStatements(messages: readonly FactMessage[]): readonly StatementFact[] {
  return messages.flatMap(({ spoken, calls, source }, index) => {
    const words = spoken.filter(({ author }) => author === "assistant").map(({ text }) => text);
    if (calls.length > 0 || words.length === 0) return [];
    const text = cutAt(words.join("\n"), STATEMENT_UNITS);
    const guess = readGuess(text, messages.slice(index + 1, index + 1 + SEARCHED_MESSAGES));
    return [{ kind: "statement", text, ...(guess === undefined ? {} : { guess }), source } as const];
  });
}
