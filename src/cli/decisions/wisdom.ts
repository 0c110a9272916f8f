// `agent-compact decisions wisdom` and `calibration`: what the oldest decisions taught, and how confidence compares with
// what came of the decisions.
import { type Calibration, getCalibration } from "../../decisions/calibration.ts";
import type { DecisionLog, DecisionOptions } from "../../decisions/decision-log.ts";
import { readFilter } from "../../decisions/serving/page-request.ts";
import { roundHalfUp } from "../../decisions/statistics.ts";
import { getWisdom, nearestMinimum } from "../../decisions/wisdom/get-wisdom.ts";
import {
  type CategoryWisdom,
  type FailureMode,
  type Principle,
  specForm,
  structuredForm,
  type Wisdom,
} from "../../decisions/wisdom/wisdom.ts";
import { figure, plural } from "../../text/figures.ts";
import { atMost, cutToCells, oneLine, renderTable, right, wrapText } from "../render.ts";
import { printResult } from "../report.ts";
import { type Colors, type Terminal, widthOf } from "../terminal.ts";
import { signed } from "./figures.ts";
import { unknownCategory, withDecisions } from "./open-decisions.ts";
import type { CalibrationFlags, WisdomFlags } from "./program.ts";

export async function showWisdom(flags: WisdomFlags, terminal: Terminal): Promise<void> {
  const { category, agent, minDecisions, format } = flags;
  await withDecisions(flags, terminal, {}, async ({ log, shown, flag, options }) => {
    const wisdom = await getWisdom(log, { category, agent, minDecisions }, options);
    const unknown = wisdom.totalDecisions === 0 ? await unknownCategory(log, category, options) : "";
    const preserved = wisdom.totalDecisions - (await listedAsWisdom(log, { category, agent }, options));
    const width = widthOf(terminal.stdout);
    printResult(
      format === "structured" ? structuredForm(wisdom) : specForm(wisdom),
      (colors) => renderWisdom(wisdom, { shown, flag, width, minDecisions, preserved, unknown, colors }),
      flags,
      terminal,
    );
  });
}

/** Wisdom is drawn from preserved decisions, too, which lists show and count in full. */
async function listedAsWisdom(
  log: DecisionLog,
  request: Parameters<typeof readFilter>[0],
  { policies, now }: DecisionOptions,
): Promise<number> {
  const filter = readFilter(request);
  const { levels } = await log.read((reader) => reader.survey({ filter, view: { policies, now } }));
  return levels.wisdom;
}

interface WisdomView {
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

function renderWisdom(wisdom: Wisdom, view: WisdomView): string {
  const { categories, crossCategory, lines, totalDecisions, policy, errors = [] } = wisdom;
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
    ...(lines.length === 0 ? [] : [renderLines(lines, view)]),
    ...(left === 0
      ? []
      : [
          `${plural(left, "decision")} in categories of fewer than ${figure(least)}. Their figures: ${colors.cyan(`agent-compact decisions wisdom --min-decisions 1${view.flag}`)}`,
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
    atMost("category", 30),
    right("decisions"),
    right("success"),
    right("confidence"),
    right("gap"),
    right("Brier"),
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

function failureLines({ text, failures, decisions, failingIds, learned }: FailureMode, { width, colors }: WisdomView) {
  const proof = `failed ${plural(failures, "time")} of ${figure(decisions)}: ${idsOf(failingIds, failures)}`;
  return [
    ...wrapText(text, { width, indent: "    ", hanging: `  ${colors.red("✗")} ` }),
    ...learned.flatMap((lesson) => wrapText(lesson, { width, indent: "    ", head: "learned: " })),
    colors.dim(`    ${proof}`),
  ];
}

/** What went wrong first, then the latest. */
function renderLines(lines: Wisdom["lines"], { flag, width, colors }: WisdomView): string {
  const all = colors.cyan(`agent-compact decisions list --lines${flag}`);
  return [
    `${colors.bold("Without a principle yet")}${colors.dim(`; every decision in one line: ${all}`)}`,
    ...lines.flatMap(({ id, category, date = "", outcome = "no outcome", superseded, lessons, oneLine: said = "" }) => {
      const about = [...(superseded ? ["superseded"] : []), outcome, category, date].map(oneLine).join(" · ");
      const line = `  ${colors.cyan(oneLine(id))}  ${cutToCells(`${oneLine(said)} (${about})`, width - id.length - 4)}`;
      return lessons === undefined ? [line] : [line, `      learned: ${cutToCells(lessons, width - 15)}`];
    }),
  ].join("\n");
}

function idsOf(ids: readonly string[], count: number): string {
  return `${ids.map(oneLine).join(", ")}${count > ids.length ? ", ..." : ""}`;
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
  const columns = ["confidence", right("decisions"), right("stated"), right("came true"), right("gap"), ""];
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
