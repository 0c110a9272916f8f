// The tool `cstp_get_compacted`: decisions at the level of their age. What an answer has no room for comes with the next
// page.
import * as z from "zod";
import { optionsOf } from "../../decisions/cstp/method.ts";
import { getCompactedMethod, queryDecisionsMethod } from "../../decisions/cstp/reading-methods.ts";
import { otherCategories } from "../../decisions/serving/query-decisions.ts";
import type { ServedDecision } from "../../decisions/serving/served.ts";
import {
  type AnswerLimit,
  answerLimit,
  cursorFooter,
  finishWithin,
  largestWithin,
  readCursor,
  tooSmall,
  writeCursor,
} from "../answer.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import {
  categoriesText,
  decisionsOf,
  decisionsText,
  errorsText,
  levelsText,
  longestText,
  methodParameters,
  plural,
  shortenDecision,
  toolAliases,
  toolDescription,
  toolParameters,
} from "./decision-view.ts";
import { nameOf } from "./row-view.ts";

const COMPACTED_NAME = "cstp_get_compacted";
const COMPACTED_METHOD = getCompactedMethod;

const compactedInput = toolParameters(COMPACTED_METHOD.params).extend({
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const compactedOutput = COMPACTED_METHOD.result.omit({ nextCursor: true }).extend({
  cut: z.boolean().optional().describe("True where the texts of the one decision shown are cut to the room there is"),
  next_cursor: parameters.nextCursor.optional(),
});

type CompactedPage = z.infer<typeof COMPACTED_METHOD.result>;

const compactedPosition = z.strictObject({ after: z.string() });

export const cstpGetCompacted = defineTool({
  name: COMPACTED_NAME,
  title: "Decisions by age",
  description: toolDescription(COMPACTED_METHOD),
  input: compactedInput,
  output: compactedOutput,
  aliases: toolAliases(COMPACTED_METHOD.params),
  hints: COMPACTED_METHOD.hints,
  async run({ max_tokens, cursor, ...given }, context) {
    const decisions = decisionsOf(context);
    const after =
      cursor === undefined || cursor.trim() === ""
        ? undefined
        : readCursor(COMPACTED_NAME, cursor, compactedPosition).after;
    const asked = {
      ...methodParameters(COMPACTED_METHOD.params, given),
      ...(after === undefined ? {} : { cursor: after }),
    };
    const ask = (limit?: number) =>
      COMPACTED_METHOD.run({ ...asked, ...(limit === undefined ? {} : { limit }) }, decisions);
    const first = await ask();
    const isEmpty = Object.values(first.levels).every((count) => count === 0);
    const known = isEmpty ? await otherCategories(await decisions.log(), asked.category, optionsOf(decisions)) : [];
    const build = (page: CompactedPage, isCut: boolean) => compactedAnswer(page, isCut, known);
    return fitServed({ first, ask, answerOf: build }, answerLimit(max_tokens, context));
  },
});

function compactedAnswer(served: CompactedPage, isCut: boolean, known: readonly string[]): ToolAnswer {
  const { nextCursor, ...rest } = served;
  const next = nextCursor === undefined ? undefined : writeCursor(COMPACTED_NAME, { after: nextCursor });
  const structured: z.infer<typeof compactedOutput> = {
    ...rest,
    ...(isCut ? { cut: true } : {}),
    ...(next === undefined ? {} : { next_cursor: next }),
  };
  const { levels, total, leftOut, policy } = served;
  const all = levels.full + levels.summary + levels.digest + levels.wisdom;
  const thresholds = Object.values(policy.thresholds).join("/");
  const lines = [
    `${plural(all, "decision")}: ${levelsText(levels)} (policy ${nameOf(policy.name)}, ${thresholds} days). Shown: ${total}.`,
    ...categoriesText(known),
    ...(total === 0 ? [] : ["", decisionsText(served.decisions as readonly ServedDecision[])]),
    "",
    ...(isCut ? ["The texts of this decision are cut: send a larger max_tokens for the whole."] : []),
    ...(leftOut.wisdom === 0
      ? []
      : [
          `${plural(leftOut.wisdom, "older one is", "older ones are")} counted only: cstp_get_wisdom tells what they taught, level: "wisdom" lists them.`,
        ]),
    ...(leftOut.byLimit === 0 ? [] : [`${plural(leftOut.byLimit, "more comes", "more come")} with the next page.`]),
    ...errorsText(served),
  ];
  return { text: lines.join("\n").trimEnd() + cursorFooter(next), structured };
}

// The tool `cstp_query_decisions`: decisions that hold certain words, at any age.

const QUERY_NAME = "cstp_query_decisions";
const QUERY_METHOD = queryDecisionsMethod;

const queryInput = toolParameters(QUERY_METHOD.params).extend({
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const queryOutput = QUERY_METHOD.result.omit({ nextCursor: true }).extend({
  cut: z.boolean().optional().describe("True where the texts of the one decision shown are cut to the room there is"),
  next_cursor: parameters.nextCursor.optional(),
});

const queryPosition = z.strictObject({ after: z.string() });

export const cstpQueryDecisions = defineTool({
  name: QUERY_NAME,
  title: "Find decisions",
  description: toolDescription(QUERY_METHOD),
  input: queryInput,
  output: queryOutput,
  aliases: toolAliases(QUERY_METHOD.params),
  hints: QUERY_METHOD.hints,
  async run({ max_tokens, cursor, ...given }, context) {
    const decisions = decisionsOf(context);
    const after =
      cursor === undefined || cursor.trim() === "" ? undefined : readCursor(QUERY_NAME, cursor, queryPosition).after;
    const asked = {
      ...methodParameters(QUERY_METHOD.params, given),
      ...(after === undefined ? {} : { cursor: after }),
    };
    const ask = (limit?: number) =>
      QUERY_METHOD.run({ ...asked, ...(limit === undefined ? {} : { limit }) }, decisions);
    const first = await ask();
    const isEmpty = Object.values(first.levels).every((count) => count === 0);
    const known = isEmpty ? await otherCategories(await decisions.log(), asked.category, optionsOf(decisions)) : [];
    const build = (page: Found, isCut: boolean) => queryAnswer(page, isCut, known);
    return fitServed({ first, ask, answerOf: build }, answerLimit(max_tokens, context));
  },
});

type Found = z.infer<typeof QUERY_METHOD.result>;

function queryAnswer(found: Found, isCut: boolean, known: readonly string[]): ToolAnswer {
  const { nextCursor, ...rest } = found;
  const next = nextCursor === undefined ? undefined : writeCursor(QUERY_NAME, { after: nextCursor });
  const structured: z.infer<typeof queryOutput> = {
    ...rest,
    ...(isCut ? { cut: true } : {}),
    ...(next === undefined ? {} : { next_cursor: next }),
  };
  const { total, leftOut } = found;
  const lines = [
    total === 0 ? "No decision found." : `Shown: ${total}, latest first.`,
    ...categoriesText(known),
    ...(total === 0 ? [] : ["", decisionsText(found.decisions as readonly ServedDecision[]), ""]),
    ...(isCut ? ["The texts of this decision are cut: cstp_get_decision gives the whole record."] : []),
    ...(leftOut.byLimit === 0 ? [] : [`${plural(leftOut.byLimit, "more comes", "more come")} with the next page.`]),
    ...(leftOut.wisdom === 0
      ? []
      : [
          `${plural(leftOut.wisdom, "older one is", "older ones are")} left out; without compacted they are served too.`,
        ]),
    ...errorsText(found),
  ];
  return { text: lines.join("\n").trimEnd() + cursorFooter(next), structured };
}

// Fits served decisions into an answer. What a page leaves out, and where the next begins, is the log's to say, so a page
// that is too large is asked for again with fewer decisions.

/** What methods that serve decisions have in common. */
interface ServedPage {
  readonly decisions: readonly unknown[];
  readonly digests: readonly unknown[];
}

export interface ServedPages<Page extends ServedPage> {
  readonly first: Page;
  /** The same page with so many decisions at most. */
  readonly ask: (limit: number) => Promise<Page>;
  /** `isCut`: the texts of the one decision that it shows are cut. */
  readonly answerOf: (page: Page, isCut: boolean) => ToolAnswer;
}

/** Throws `InvalidInput` where not even one decision fits, with what it takes. */
export async function fitServed<Page extends ServedPage>(
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

function firstOf<Page extends ServedPage>(page: Page, size: number): Page {
  return { ...page, decisions: page.decisions.slice(0, size), digests: page.digests.slice(0, size) };
}

function fitOne<Page extends ServedPage>(
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
