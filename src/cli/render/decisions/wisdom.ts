// Wisdom for a person: a table of the categories' figures, then what each taught, with how often that came true.
import { roundHalfUp } from "../../../decisions/calibration/round.ts";
import { nearestMinimum } from "../../../decisions/wisdom/get-wisdom.ts";
import type { CategoryWisdom, FailureMode, Principle, Wisdom } from "../../../decisions/wisdom/wisdom.ts";
import type { Colors } from "../../terminal.ts";
import { figure, oneLine, plural, renderTable } from "../table.ts";
import { signed } from "./figures.ts";
import { wrapText } from "./wrap.ts";

export interface WisdomView {
  readonly shown: string;
  readonly flag: string;
  readonly width: number;
  /** As asked for. */
  readonly minDecisions: number | undefined;
  /** Of the decisions that wisdom is drawn from, those that lists show in full. */
  readonly preserved: number;
  /** What is to be said of a category that no decision has; else empty. */
  readonly unknown: string;
  readonly colors: Colors;
}

export function renderWisdom(wisdom: Wisdom, view: WisdomView): string {
  const { categories, crossCategory, totalDecisions, policy, errors = [] } = wisdom;
  const { shown, colors } = view;
  const age = `${figure(policy.thresholds.digest)} days and more`;
  const least = nearestMinimum(view.minDecisions ?? policy.minDecisions);
  if (view.unknown !== "") return `${view.unknown}\n`;
  if (totalDecisions === 0)
    return `No reviewed decision in ${shown} is of ${age}: there is no wisdom yet. Review old ones: agent-compact decisions review ID --outcome success${view.flag}\n`;
  const kept =
    view.preserved <= 0
      ? ""
      : `, ${figure(view.preserved)} of them preserved: ${view.preserved === 1 ? "it is" : "they are"} listed and counted in full`;
  const head = `${colors.bold(`Wisdom of ${plural(totalDecisions, "reviewed decision")} of ${age} in ${shown}`)}${kept}`;
  const counted = categories.reduce((sum, { decisions }) => sum + decisions, 0);
  const left = totalDecisions - counted;
  const blocks = [
    head,
    ...(categories.length === 0 ? [] : [renderFigures(categories, colors)]),
    ...(categories.length > 0 && categories.every(({ successRate }) => successRate === undefined)
      ? [
          `None of them has an outcome, so nothing was learned yet. To say what came of one: agent-compact decisions review ID --outcome success${view.flag}`,
        ]
      : []),
    ...categories.flatMap((category) => renderCategory(category, view)),
    ...(crossCategory.length === 0
      ? []
      : [
          [
            colors.bold("In several categories"),
            ...crossCategory.flatMap((each) => principleLines(each, view, each.categories)),
          ].join("\n"),
        ]),
    ...(left === 0
      ? []
      : [
          `${plural(left, "decision")} in categories of fewer than ${figure(least)}. To see these too: ${colors.cyan(`agent-compact decisions wisdom --min-decisions 1${view.flag}`)}`,
        ]),
    ...(errors.length === 0
      ? []
      : [
          colors.yellow(`${plural(errors.length, "record")} with faults: see agent-compact decisions list${view.flag}`),
        ]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function renderFigures(categories: readonly CategoryWisdom[], colors: Colors): string {
  const columns = [
    { title: "category", width: 30 },
    { title: "decisions", isNumber: true },
    { title: "success", isNumber: true },
    { title: "confidence", isNumber: true },
    { title: "gap", isNumber: true },
    { title: "Brier", isNumber: true },
  ];
  const rows = categories.map(({ category, decisions, successRate, avgConfidence, scored }) => [
    category,
    decisions,
    successRate === undefined ? "-" : `${figure(roundHalfUp(successRate * 100, 0))} %`,
    avgConfidence === undefined ? "-" : roundHalfUp(avgConfidence, 2).toFixed(2),
    scored === undefined ? "-" : signed(scored.calibrationGap),
    scored === undefined ? "-" : roundHalfUp(scored.brierScore, 3).toFixed(3),
  ]);
  return renderTable(columns, rows, colors);
}

function renderCategory({ category, principles, failureModes }: CategoryWisdom, view: WisdomView): readonly string[] {
  if (principles.length === 0 && failureModes.length === 0) return [];
  const lines = [
    view.colors.bold(oneLine(category)),
    ...principles.flatMap((principle) => principleLines(principle, view)),
    ...failureModes.flatMap((mode) => failureLines(mode, view)),
  ];
  return [lines.join("\n")];
}

function principleLines(
  { text, confirmations, contradictions, confirmingIds }: Principle,
  { width, colors }: WisdomView,
  categories: readonly string[] = [],
): readonly string[] {
  const against = contradictions === 0 ? "" : `, ${plural(contradictions, "contradiction")}`;
  const where = categories.length === 0 ? "" : ` in ${categories.map(oneLine).join(", ")}`;
  const proof = `${plural(confirmations, "confirmation")}${against}${where}: ${idsOf(confirmingIds, confirmations)}`;
  return [...wrapText(text, { width, indent: "    ", hanging: `  ${colors.green("✓")} ` }), colors.dim(`    ${proof}`)];
}

function failureLines({ text, failures, decisions, failingIds }: FailureMode, { width, colors }: WisdomView) {
  const proof = `failed ${plural(failures, "time")} of ${figure(decisions)}: ${idsOf(failingIds, failures)}`;
  return [...wrapText(text, { width, indent: "    ", hanging: `  ${colors.red("✗")} ` }), colors.dim(`    ${proof}`)];
}

function idsOf(ids: readonly string[], count: number): string {
  return `${ids.map(oneLine).join(", ")}${count > ids.length ? ", ..." : ""}`;
}
