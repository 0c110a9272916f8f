// Fits served decisions into an answer. What a page leaves out, and where the next begins, is the log's to say, so a page
// that is too large is asked for again with fewer decisions.
import type { ServedDecision } from "../../../decisions/serving/served.ts";
import { type AnswerLimit, finishWithin, largestWithin, tooSmall } from "../../answer/fit-page.ts";
import type { ToolAnswer } from "../../tool.ts";
import { longestText, shortenDecision } from "./shorten-decision.ts";

/** What methods that serve decisions have in common. */
interface Served {
  readonly decisions: readonly unknown[];
  readonly digests: readonly unknown[];
}

export interface ServedPages<Page extends Served> {
  readonly first: Page;
  /** The same page with so many decisions at most. */
  readonly ask: (limit: number) => Promise<Page>;
  /** `isCut`: the texts of the one decision that it shows are cut. */
  readonly answerOf: (page: Page, isCut: boolean) => ToolAnswer;
}

/** Throws `InvalidInput` where not even one decision fits, with what it takes. */
export async function fitServed<Page extends Served>(
  pages: ServedPages<Page>,
  limit: AnswerLimit,
): Promise<ToolAnswer> {
  const { first, ask, answerOf } = pages;
  const whole = finishWithin(answerOf(first, false), limit);
  if (whole !== undefined) return whole;
  const { decisions } = first;
  const guess = largestWithin(1, decisions.length - 1, (size) => answerOf(firstOf(first, size), false), limit);
  for (let size = guess?.size ?? Math.min(1, decisions.length); size > 0; size = Math.floor(size * 0.9)) {
    const page = await ask(size);
    const answer = finishWithin(answerOf(page, false), limit);
    if (answer !== undefined) return answer;
    if (size === 1) return fitOne(page, answerOf, limit);
  }
  throw tooSmall(answerOf(first, false), limit);
}

function firstOf<Page extends Served>(page: Page, size: number): Page {
  return { ...page, decisions: page.decisions.slice(0, size), digests: page.digests.slice(0, size) };
}

function fitOne<Page extends Served>(
  page: Page,
  answerOf: ServedPages<Page>["answerOf"],
  limit: AnswerLimit,
): ToolAnswer {
  const [only] = page.decisions as readonly ServedDecision[];
  if (only === undefined) throw tooSmall(answerOf(page, false), limit);
  const build = (units: number) => answerOf({ ...page, decisions: [shortenDecision(only, units)] }, true);
  const short = largestWithin(0, longestText(only), build, limit);
  if (short === undefined) throw tooSmall(build(0), limit);
  return short.answer;
}
