// Keeps a whole answer under its limit by making it smaller: fewer items, or less of one. The answer is built for each
// size that is tried and counted as it will be sent, text and structured part each, so nothing is estimated.
import { CompactError } from "../errors.ts";
import { figure } from "../text/figures.ts";
import { printable } from "../text/printable.ts";
import type { ToolAnswer } from "./tool.ts";

export interface AnswerLimit {
  readonly maxTokens: number;
  readonly count: (text: string) => number;
}

interface SizedAnswer {
  readonly size: number;
  readonly answer: ToolAnswer;
}

/** Ordinary text has 2 to 6 units a token. What has more than this many is not worth the time of counting it. */
const MOST_UNITS_A_TOKEN = 16;

/** The limit of one call: what it asked for, where that is above 0, else the usual. */
export function answerLimit(
  asked: number | undefined,
  context: { readonly maxTokens: number; readonly count: (text: string) => number },
): AnswerLimit {
  const maxTokens = asked !== undefined && asked >= 1 ? Math.floor(asked) : context.maxTokens;
  return { maxTokens, count: context.count };
}

/** The answer with the line that tells its tokens; undefined where it takes more than the limit. */
export function finishWithin(
  { text: built, structured }: ToolAnswer,
  { maxTokens, count }: AnswerLimit,
): ToolAnswer | undefined {
  // Before it is counted: what is written out is longer.
  const text = printable(built);
  const json = JSON.stringify(structured);
  if (Math.max(text.length, json.length) > maxTokens * MOST_UNITS_A_TOKEN) return undefined;
  const finished = text + tokenFooter(count(text));
  return count(finished) <= maxTokens && count(json) <= maxTokens ? { text: finished, structured } : undefined;
}

/**
 * The largest size from `least` to `most` whose answer fits, finished; undefined where none does. Sizes above 64 are
 * found to within a sixty-fourth.
 */
export function largestWithin(
  least: number,
  most: number,
  build: (size: number) => ToolAnswer,
  limit: AnswerLimit,
): SizedAnswer | undefined {
  if (most < least) return undefined;
  const whole = finishWithin(build(most), limit);
  if (whole !== undefined) return { size: most, answer: whole };
  let best: SizedAnswer | undefined;
  let tooLarge = most;
  // Doubling from below: a size far too large is never built twice.
  for (let size = least, step = 1; size < most; size = least + step, step *= 2) {
    const answer = finishWithin(build(size), limit);
    if (answer === undefined) {
      tooLarge = size;
      break;
    }
    best = { size, answer };
  }
  while (best !== undefined && tooLarge - best.size > Math.max(1, best.size >> 6)) {
    const size: number = (best.size + tooLarge) >> 1;
    const answer = finishWithin(build(size), limit);
    if (answer === undefined) tooLarge = size;
    else best = { size, answer };
  }
  return best;
}

/** As `largestWithin`; throws `InvalidInput` where not even the least fits, with what it takes. */
export function fitLargest(
  least: number,
  most: number,
  build: (size: number) => ToolAnswer,
  limit: AnswerLimit,
): ToolAnswer {
  const fitted = largestWithin(least, most, build, limit);
  if (fitted === undefined) throw tooSmall(build(least), limit);
  return fitted.answer;
}

interface Page<Item> {
  readonly items: readonly Item[];
  /** The whole answer that shows these, footers and next cursor included, without the line of its tokens. */
  readonly build: (items: readonly Item[]) => ToolAnswer;
  /** A smaller form of an item that does not fit alone, with at most `units` UTF-16 units of its text. */
  readonly shorten?: (item: Item, units: number) => Item;
  /** Units that `shorten` begins with. */
  readonly longest?: (item: Item) => number;
}

/** As many of the items as fit, in their order. Throws `InvalidInput` where not even one does, with what it takes. */
export function fitPage<Item>({ items, build, shorten, longest }: Page<Item>, limit: AnswerLimit): ToolAnswer {
  const least = Math.min(1, items.length);
  const page = largestWithin(least, items.length, (size) => build(items.slice(0, size)), limit);
  if (page !== undefined) return page.answer;
  const [first] = items;
  if (first === undefined || shorten === undefined) throw tooSmall(build(items.slice(0, 1)), limit);
  const buildShort = (units: number) => build([shorten(first, units)]);
  return fitLargest(0, longest?.(first) ?? limit.maxTokens * MOST_UNITS_A_TOKEN, buildShort, limit);
}

/** For a limit below the smallest answer there is. */
export function tooSmall({ text, structured }: ToolAnswer, { maxTokens, count }: AnswerLimit): CompactError {
  const least = Math.max(count(text + tokenFooter(count(text))), count(JSON.stringify(structured)));
  return new CompactError("InvalidInput", `'max_tokens' ${maxTokens} is too small for a single result.`, {
    code: "MAX_TOKENS_TOO_SMALL",
    hint: `Send max_tokens: ${Math.max(least, maxTokens + 1)} or more.`,
    data: { max_tokens: maxTokens, least },
  });
}

// Answers of calls that have changed something. They must not fail for want of room: what has no room is left out and
// counted, and a limit that holds no answer at all is refused before anything is done.

/** Tokens that an answer without a single item has room in. */
const LEAST_TOKENS_WHEN_DONE = 600;

/** Throws `InvalidInput` before anything is done. */
export function requireRoom({ maxTokens }: AnswerLimit): void {
  if (maxTokens >= LEAST_TOKENS_WHEN_DONE) return;
  throw new CompactError("InvalidInput", `'max_tokens' ${maxTokens} is too small to tell what was done. Nothing was.`, {
    code: "MAX_TOKENS_TOO_SMALL",
    hint: `Send max_tokens: ${LEAST_TOKENS_WHEN_DONE} or more.`,
    data: { max_tokens: maxTokens, least: LEAST_TOKENS_WHEN_DONE },
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

/** Tokens of the text above it, exact. */
function tokenFooter(tokens: number): string {
  return `\n📏 ${figure(tokens)} tokens`;
}
