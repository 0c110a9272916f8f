// The tool `cstp_set_preserve`: keeps a decision in full at any age, or lets it be shown shorter again.
import { setPreserveMethod } from "../../../decisions/cstp/methods/set-preserve.ts";
import { defineTool } from "../../tool.ts";
import { nameOf } from "../reading/row-text.ts";
import { decisionsOf, methodParameters, toolAliases, toolDescription, toolParameters } from "./method-tool.ts";

export const cstpSetPreserve = defineTool({
  name: "cstp_set_preserve",
  title: "Preserve a decision",
  description: toolDescription(setPreserveMethod),
  input: toolParameters(setPreserveMethod.params),
  output: setPreserveMethod.result,
  aliases: toolAliases(setPreserveMethod.params),
  hints: setPreserveMethod.hints,
  async run(given, context) {
    const result = await setPreserveMethod.run(methodParameters(setPreserveMethod.params, given), decisionsOf(context));
    const { success, decisionId, preserve, error = "" } = result;
    const id = `[${nameOf(decisionId)}]`;
    const done = preserve ? `${id} is preserved: shown in full at any age.` : `${id} is not preserved any more.`;
    const text = success ? done : `${nameOf(error)}\nNothing was changed. cstp_get_compacted lists the ids.`;
    return { text, structured: result };
  },
});
