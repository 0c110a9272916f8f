// The tool `cstp_get_compacted`: decisions at the level of their age. What an answer has no room for comes with the next
// page.
import * as z from "zod";
import { getCompactedMethod } from "../../../decisions/cstp/methods/get-compacted.ts";
import { optionsOf } from "../../../decisions/cstp/methods/options.ts";
import { otherCategories } from "../../../decisions/serving/other-categories.ts";
import type { ServedDecision } from "../../../decisions/serving/served.ts";
import { readCursor, writeCursor } from "../../answer/cursor.ts";
import { answerLimit } from "../../answer/fit-page.ts";
import { cursorFooter } from "../../answer/footers.ts";
import { defineTool, type ToolAnswer } from "../../tool.ts";
import * as parameters from "../reading/parameters.ts";
import { nameOf } from "../reading/row-text.ts";
import { categoriesText, decisionsText, errorsText, levelsText, plural } from "./decision-text.ts";
import { fitServed } from "./fit-served.ts";
import { decisionsOf, methodParameters, toolAliases, toolDescription, toolParameters } from "./method-tool.ts";

const NAME = "cstp_get_compacted";
const METHOD = getCompactedMethod;

const input = toolParameters(METHOD.params).extend({
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const output = METHOD.result.omit({ nextCursor: true }).extend({
  cut: z.boolean().optional().describe("True where the texts of the one decision shown are cut to the room there is"),
  next_cursor: parameters.nextCursor.optional(),
});

type Served = z.infer<typeof METHOD.result>;

const position = z.strictObject({ after: z.string() });

export const cstpGetCompacted = defineTool({
  name: NAME,
  title: "Decisions by age",
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
    const build = (page: Served, isCut: boolean) => answerOf(page, isCut, known);
    return fitServed({ first, ask, answerOf: build }, answerLimit(max_tokens, context));
  },
});

function answerOf(served: Served, isCut: boolean, known: readonly string[]): ToolAnswer {
  const { nextCursor, ...rest } = served;
  const next = nextCursor === undefined ? undefined : writeCursor(NAME, { after: nextCursor });
  const structured: z.infer<typeof output> = {
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
