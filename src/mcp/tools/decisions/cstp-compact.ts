// The tool `cstp_compact`: a cycle over the decision log, or what one would change.
import { compactMethod } from "../../../decisions/cstp/methods/compact.ts";
import { defineTool } from "../../tool.ts";
import { nameOf } from "../reading/row-text.ts";
import { levelsText } from "./decision-text.ts";
import { decisionsOf, methodParameters, toolAliases, toolDescription, toolParameters } from "./method-tool.ts";

/** Changes that the text names; the structured form has more. */
const MOST_NAMED = 20;

export const cstpCompact = defineTool({
  name: "cstp_compact",
  title: "Run a decision cycle",
  description: toolDescription(compactMethod),
  input: toolParameters(compactMethod.params),
  output: compactMethod.result,
  aliases: toolAliases(compactMethod.params),
  hints: compactMethod.hints,
  async run(given, context) {
    const result = await compactMethod.run(methodParameters(compactMethod.params, given), decisionsOf(context));
    const { compacted, preserved, levels, dryRun, changed, changedTotal, run, warning, errors = [] } = result;
    const named = changed.slice(0, MOST_NAMED).map(({ id, from, to }) => `- [${nameOf(id)}] ${from} -> ${to}`);
    const left = changedTotal - named.length;
    const lines = [
      dryRun ? "Dry run: nothing was written." : "Cycle done. The records are as they were.",
      `Decisions: ${compacted} (${preserved} preserved): ${levelsText(levels)}.`,
      `Levels that ${dryRun ? "would change" : "changed"}: ${changedTotal}.`,
      ...named,
      ...(left > 0 ? [`- and ${left} more`] : []),
      ...(run === undefined
        ? []
        : [`Texts written: ${run.texts.llm} by a model, ${run.texts.extractive} by code, ${run.texts.failed} failed.`]),
      ...(warning === undefined ? [] : [`⚠️ ${warning}`]),
      ...(errors.length === 0
        ? []
        : [
            `⚠️ Records not served as they should be: ${result.errorsTotal ?? errors.length}; cstp_get_compacted names them.`,
          ]),
    ];
    return { text: lines.join("\n"), structured: result };
  },
});
