// What a cycle did, for a person.
import type { DecisionCompactionReport } from "../../../decisions/apply-decision-compaction.ts";
import type { DecisionCompactionPlan } from "../../../decisions/cycle/plan-schema.ts";
import { figure, plural } from "../table.ts";
import { type CycleView, renderChanges, renderItems } from "./cycle.ts";
import { renderLevels } from "./levels.ts";

export function renderCycleReport(
  { run, changed, texts, warning }: DecisionCompactionReport,
  plan: DecisionCompactionPlan,
  view: CycleView,
): string {
  const { shown, colors } = view;
  const written = [
    ...(texts.llm === 0 ? [] : [`${figure(texts.llm)} by the model`]),
    ...(texts.extractive === 0 ? [] : [`${figure(texts.extractive)} by code`]),
  ].join(", ");
  const lines = [
    colors.bold(`Cycle over ${plural(run.total, "decision")} in ${shown}, ${figure(run.preserved)} of them preserved`),
    ...(view.unknown === "" ? [] : [view.unknown]),
    renderLevels(run.levels, plan.policies.at(-1)?.thresholds, colors),
    "",
    ...(changed === 0
      ? ["No level has changed since the last cycle."]
      : [
          colors.bold(plural(changed, "level changed", "levels changed")),
          renderChanges(plan, colors),
          "",
          renderItems(plan.items, view),
        ]),
    "",
    `Texts written: ${written === "" ? "none" : written}. The records are as they were.`,
    ...(texts.failed === 0
      ? []
      : [
          colors.yellow(
            warning ??
              `The model failed on ${plural(texts.failed, "text")}: code writes ${texts.failed === 1 ? "it" : "them"} until the next cycle asks again.`,
          ),
        ]),
  ];
  return `${lines.join("\n")}\n`;
}
