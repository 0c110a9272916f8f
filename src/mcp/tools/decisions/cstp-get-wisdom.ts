// The tool `cstp_get_wisdom`: what the oldest decisions of each category taught. Categories that an answer has no room for
// come with the next page.
import * as z from "zod";
import { roundHalfUp } from "../../../decisions/calibration/round.ts";
import { getWisdomMethod } from "../../../decisions/cstp/methods/get-wisdom.ts";
import { optionsOf } from "../../../decisions/cstp/methods/options.ts";
import { otherCategories } from "../../../decisions/serving/other-categories.ts";
import { getWisdom } from "../../../decisions/wisdom/get-wisdom.ts";
import { failureSentence, principleSentence, specForm } from "../../../decisions/wisdom/spec-form.ts";
import { structuredForm } from "../../../decisions/wisdom/structured-form.ts";
import type { CategoryWisdom, Wisdom } from "../../../decisions/wisdom/wisdom.ts";
import { snippetOf } from "../../../observations/reading/snippet.ts";
import { writeCursor } from "../../answer/cursor.ts";
import { answerLimit, fitPage } from "../../answer/fit-page.ts";
import { cursorFooter } from "../../answer/footers.ts";
import { defineTool, type ToolAnswer } from "../../tool.ts";
import { offsetOf } from "../reading/page-arguments.ts";
import * as parameters from "../reading/parameters.ts";
import { nameOf } from "../reading/row-text.ts";
import { categoriesText, plural } from "./decision-text.ts";
import { decisionsOf, methodParameters, toolAliases, toolDescription, toolParameters } from "./method-tool.ts";

const NAME = "cstp_get_wisdom";

const input = toolParameters(getWisdomMethod.params).extend({
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const output = z.object({
  wisdom: z
    .array(z.looseObject({ category: z.string(), decisions: z.int() }))
    .describe("By category: success rate, principles, failure mode, in the form asked for"),
  total_decisions: z.int().optional(),
  categories_analyzed: z.int().optional(),
  totalDecisions: z.int().optional().describe("From here on with format: structured"),
  categoriesAnalyzed: z.int().optional(),
  crossCategory: z.array(z.looseObject({ text: z.string() })).optional(),
  policy: z.looseObject({ name: z.string() }).optional(),
  otherPolicies: z.array(z.looseObject({ name: z.string() })).optional(),
  errors: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })).optional(),
  errorsTotal: z.int().optional().describe("Of errors, where not all are listed"),
  next_cursor: parameters.nextCursor.optional(),
});

export const cstpGetWisdom = defineTool({
  name: NAME,
  title: "What decisions taught",
  description: toolDescription(getWisdomMethod),
  input,
  output,
  aliases: toolAliases(getWisdomMethod.params),
  hints: getWisdomMethod.hints,
  async run({ max_tokens, cursor, ...given }, context) {
    const offset = offsetOf(NAME, cursor);
    const decisions = decisionsOf(context);
    const { format, ...request } = methodParameters(getWisdomMethod.params, given);
    const log = await decisions.log();
    const wisdom = await getWisdom(log, request, optionsOf(decisions));
    if (wisdom.totalDecisions === 0) {
      const [unknown] = categoriesText(await otherCategories(log, request.category, optionsOf(decisions)));
      if (unknown !== undefined) return { ...answerOf(wisdom, wisdom, 0, format === "structured"), text: unknown };
    }
    const build = (categories: readonly CategoryWisdom[]) =>
      answerOf({ ...wisdom, categories }, wisdom, offset, format === "structured");
    return fitPage({ items: wisdom.categories.slice(offset), build }, answerLimit(max_tokens, context));
  },
});

function answerOf(shown: Wisdom, whole: Wisdom, offset: number, isStructured: boolean): ToolAnswer {
  const end = offset + shown.categories.length;
  const next =
    shown.categories.length > 0 && end < whole.categories.length ? writeCursor(NAME, { offset: end }) : undefined;
  const structured = {
    ...(isStructured ? structuredForm(shown) : specForm(shown)),
    ...(next === undefined ? {} : { next_cursor: next }),
  };
  return { text: textOf(shown, offset, whole.categories.length) + cursorFooter(next), structured };
}

function textOf({ categories, crossCategory, totalDecisions, policy }: Wisdom, offset: number, all: number): string {
  const ofAge = `of ${plural(policy.thresholds.digest, "day")} and more`;
  const age = `reviewed decisions ${ofAge}`;
  if (totalDecisions === 0) return `No wisdom yet: there are no ${age}. cstp_get_compacted shows the younger ones.`;
  if (all === 0)
    return `No category has enough ${age} (${totalDecisions} in all): send min_decisions: 1 to see what there is.`;
  const lines = [
    `${plural(totalDecisions, "reviewed decision")} ${ofAge}, ${plural(all, "category", "categories")}.`,
    ...categories.flatMap(categoryLines),
    ...(crossCategory.length === 0 || offset > 0
      ? []
      : [
          "",
          "## In several categories",
          ...crossCategory.map(
            (each) => `- ${snippetOf(principleSentence(each))} in ${nameOf(each.categories.join(", "))}`,
          ),
        ]),
  ];
  return `${lines.join("\n")}\n`;
}

function categoryLines({
  category,
  decisions,
  successRate,
  avgConfidence,
  principles,
  failureModes,
}: CategoryWisdom): readonly string[] {
  const figures = [
    plural(decisions, "decision"),
    ...(successRate === undefined ? [] : [`success rate ${roundHalfUp(successRate, 2)}`]),
    ...(avgConfidence === undefined ? [] : [`average confidence ${roundHalfUp(avgConfidence, 2)}`]),
  ];
  return [
    "",
    `## ${nameOf(category)}: ${figures.join(", ")}`,
    ...principles.map((each) => `- ${snippetOf(principleSentence(each))}`),
    ...failureModes.map((each) => `- fails by: ${snippetOf(failureSentence(each))}`),
  ];
}
