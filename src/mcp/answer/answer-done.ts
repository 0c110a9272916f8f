// Answers of calls that have changed something. They must not fail for want of room: what has no room is left out and
// counted, and a limit that holds no answer at all is refused before anything is done.
import { CompactError } from "../../errors.ts";
import type { ToolAnswer } from "../tool.ts";
import { type AnswerLimit, largestWithin } from "./fit-page.ts";

/** Tokens that an answer without a single item has room in. */
const LEAST = 600;

/** Throws `InvalidInput` before anything is done. */
export function requireRoom({ maxTokens }: AnswerLimit): void {
  if (maxTokens >= LEAST) return;
  throw new CompactError("InvalidInput", `'max_tokens' ${maxTokens} is too small to tell what was done. Nothing was.`, {
    code: "MAX_TOKENS_TOO_SMALL",
    hint: `Send max_tokens: ${LEAST} or more.`,
    data: { max_tokens: maxTokens, least: LEAST },
  });
}

/** As many of the items as fit, in their order. Never throws. */
export function answerDone<Item>(
  items: readonly Item[],
  build: (items: readonly Item[]) => ToolAnswer,
  limit: AnswerLimit,
): ToolAnswer {
  return largestWithin(0, items.length, (size) => build(items.slice(0, size)), limit)?.answer ?? build([]);
}
