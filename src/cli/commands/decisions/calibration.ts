// `agent-compact decisions calibration`: how confidence compares with what came of the decisions.
import { type Calibration, getCalibration } from "../../../decisions/calibration/get-calibration.ts";
import { type DecisionFlags, withDecisions } from "../../open-decisions.ts";
import { printResult } from "../../print-result.ts";
import { signed } from "../../render/decisions/figures.ts";
import { figure, plural, renderTable } from "../../render/table.ts";
import type { Colors, Terminal } from "../../terminal.ts";
import { unknownCategory } from "./unknown-category.ts";

interface CalibrationFlags extends DecisionFlags {
  readonly category?: string;
  readonly agent?: string;
}

export async function showCalibration(flags: CalibrationFlags, terminal: Terminal): Promise<void> {
  const { category, agent } = flags;
  await withDecisions(flags, terminal, {}, async ({ log, shown, flag, options }) => {
    const calibration = await getCalibration(log, { category, agent }, options);
    const unknown = calibration.overall.totalDecisions === 0 ? await unknownCategory(log, category, options) : "";
    printResult(calibration, (colors) => render(calibration, { shown, flag, colors, unknown }), flags, terminal);
  });
}

interface CalibrationView {
  readonly shown: string;
  readonly flag: string;
  readonly colors: Colors;
  /** What is to be said of a category that no decision has; else empty. */
  readonly unknown: string;
}

function render(calibration: Calibration, view: CalibrationView): string {
  const { overall, byConfidenceBucket: buckets } = calibration;
  const { shown, flag, colors, unknown } = view;
  const { totalDecisions, reviewedDecisions, interpretation, calibrationGap, brierScore, accuracy, avgConfidence } =
    overall;
  const head = colors.bold(
    `${plural(totalDecisions, "reviewed decision")} in ${shown}, ${figure(reviewedDecisions)} of them with an outcome and a confidence`,
  );
  if (unknown !== "") return `${head}\n${unknown}\n`;
  if (interpretation === null || calibrationGap === null)
    return `${head}\nNothing can be said below three of them: review decisions with agent-compact decisions review ID --outcome success${flag}\n`;
  const rows = buckets.map(({ bucket, decisions, expectedRate, accuracy: came, gap, interpretation: verdict }) => [
    bucket,
    decisions,
    expectedRate.toFixed(2),
    came.toFixed(2),
    signed(gap),
    verdict.replaceAll("_", " "),
  ]);
  const columns = [
    { title: "confidence" },
    { title: "decisions", isNumber: true },
    { title: "stated", isNumber: true },
    { title: "came true", isNumber: true },
    { title: "gap", isNumber: true },
    { title: "" },
  ];
  return [
    head,
    `Stated ${avgConfidence?.toFixed(2)}, came true ${accuracy?.toFixed(2)}, gap ${signed(calibrationGap)}: ${colors.bold(interpretation.replaceAll("_", " "))}. Brier score ${brierScore?.toFixed(3)} (0 is perfect).`,
    ...(buckets.length === 0 ? [] : ["", renderTable(columns, rows, colors)]),
    ...leftOutLines(calibration),
    "",
  ].join("\n");
}

/** A range of confidence is shown from three decisions on: below that its figures say nothing. */
function leftOutLines({ overall, byConfidenceBucket: buckets }: Calibration): readonly string[] {
  const left = overall.reviewedDecisions - buckets.reduce((sum, { decisions }) => sum + decisions, 0);
  if (buckets.length === 0) return ["No range of confidence has three decisions, so none is shown by itself."];
  return left === 0 ? [] : [`Not shown: ${plural(left, "decision")} in ranges of confidence with fewer than three.`];
}
