// The tool `cstp_query_decisions`: decisions that hold certain words, at any age.
import * as z from "zod";
import { optionsOf } from "../../../decisions/cstp/methods/options.ts";
import { queryDecisionsMethod } from "../../../decisions/cstp/methods/query-decisions.ts";
import { otherCategories } from "../../../decisions/serving/other-categories.ts";
import type { ServedDecision } from "../../../decisions/serving/served.ts";
import { readCursor, writeCursor } from "../../answer/cursor.ts";
import { answerLimit } from "../../answer/fit-page.ts";
import { cursorFooter } from "../../answer/footers.ts";
import { defineTool, type ToolAnswer } from "../../tool.ts";
import * as parameters from "../reading/parameters.ts";
import { categoriesText, decisionsText, errorsText, plural } from "./decision-text.ts";
import { fitServed } from "./fit-served.ts";
import { decisionsOf, methodParameters, toolAliases, toolDescription, toolParameters } from "./method-tool.ts";

const NAME = "cstp_query_decisions";
const METHOD = queryDecisionsMethod;

const input = toolParameters(METHOD.params).extend({
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const output = METHOD.result.omit({ nextCursor: true }).extend({
  cut: z.boolean().optional().describe("True where the texts of the one decision shown are cut to the room there is"),
  next_cursor: parameters.nextCursor.optional(),
});

const position = z.strictObject({ after: z.string() });

export const cstpQueryDecisions = defineTool({
  name: NAME,
  title: "Find decisions",
  description: toolDescription(METHOD),
  input,
  output,
  aliases: toolAliases(METHOD.params),
  hints: METHOD.hints,
  async run({ max_tokens, cursor, ...given }, context) {
    const decisions = decisionsOf(context);
    const after = cursor === undefined || cursor.trim() === "" ? undefined : readCursor(NAME, cursor, position).after;
    const asked = { ...methodParameters(METHOD.params, given), ...(after === undefined ? {} : { cursor: after }) };
    const ask = (limit?: number) => METHOD.run({ ...asked, ...(limit === undefined ? {} : { limit }) }, decisions);
    const first = await ask();
    const isEmpty = Object.values(first.levels).every((count) => count === 0);
    const known = isEmpty ? await otherCategories(await decisions.log(), asked.category, optionsOf(decisions)) : [];
    const build = (page: Found, isCut: boolean) => answerOf(page, isCut, known);
    return fitServed({ first, ask, answerOf: build }, answerLimit(max_tokens, context));
  },
});

type Found = z.infer<typeof METHOD.result>;

function answerOf(found: Found, isCut: boolean, known: readonly string[]): ToolAnswer {
  const { nextCursor, ...rest } = found;
  const next = nextCursor === undefined ? undefined : writeCursor(NAME, { after: nextCursor });
  const structured: z.infer<typeof output> = {
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
