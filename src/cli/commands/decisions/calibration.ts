// `agent-compact decisions calibration`: how confidence compares with what came of the decisions.
import { type Calibration, getCalibration } from "../../../decisions/calibration/get-calibration.ts";
import { type DecisionFlags, withDecisions } from "../../open-decisions.ts";
import { printResult } from "../../print-result.ts";
import { signed } from "../../render/decisions/figures.ts";
import { figure, plural, renderTable } from "../../render/table.ts";
import type { Colors, Terminal } from "../../terminal.ts";

interface CalibrationFlags extends DecisionFlags {
  readonly category?: string;
  readonly agent?: string;
}

export async function showCalibration(flags: CalibrationFlags, terminal: Terminal): Promise<void> {
  const { category, agent } = flags;
  await withDecisions(flags, terminal, {}, async ({ log, shown, options }) => {
    const calibration = await getCalibration(log, { category, agent }, options);
    printResult(calibration, (colors) => render(calibration, shown, colors), flags, terminal);
  });
}

function render({ overall, byConfidenceBucket: buckets }: Calibration, shown: string, colors: Colors): string {
  const { totalDecisions, reviewedDecisions, interpretation, calibrationGap, brierScore, accuracy, avgConfidence } =
    overall;
  const head = colors.bold(
    `${plural(totalDecisions, "reviewed decision")} in ${shown}, ${figure(reviewedDecisions)} of them with an outcome and a confidence`,
  );
  if (interpretation === null || calibrationGap === null)
    return `${head}\nNothing can be said below three of them: review decisions with agent-compact decisions review ID --outcome success\n`;
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
    "",
  ].join("\n");
}
