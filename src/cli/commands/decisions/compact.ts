// `agent-compact decisions compact`: one cycle over the log, planned or carried out.
import { applyDecisionCompaction } from "../../../decisions/apply-decision-compaction.ts";
import { type CarriedOutCycle, carryOutCycle, cycleResult } from "../../../decisions/compact-decisions.ts";
import { type DecisionCompactionPlan, readPlan } from "../../../decisions/cycle/plan-schema.ts";
import { planDecisionCompaction } from "../../../decisions/plan-decision-compaction.ts";
import type { TextWriter } from "../../../decisions/texts/text-writer.ts";
import { decisionTextWriterOf } from "../../../from-config/decisions.ts";
import { badFlag, refuseTwoOutputs } from "../../flags.ts";
import { readPlanFile } from "../../input/read-plan-file.ts";
import { shellWord } from "../../open-compactor.ts";
import { type DecisionFlags, type OpenedDecisions, withDecisions } from "../../open-decisions.ts";
import { checkOutput, chooseOutput } from "../../output/output-place.ts";
import { writeOutput } from "../../output/write-output.ts";
import { printResult } from "../../print-result.ts";
import { createProgress, type Progress } from "../../progress.ts";
import { type CycleView, leadingIds, renderCyclePlan, textsDue } from "../../render/decisions/cycle.ts";
import { renderCycleReport } from "../../render/decisions/cycle-report.ts";
import type { Colors, Terminal } from "../../terminal.ts";
import { unknownCategory } from "./unknown-category.ts";

export interface CompactFlags extends DecisionFlags {
  readonly category?: string;
  readonly agent?: string;
  readonly dryRun?: true;
  readonly planOut?: string;
  readonly plan?: string;
}

/** Texts between two lines of progress. */
const TEXTS_A_LINE = 25;
const PLANNING = "working out which levels change";
/** Who asked, as the run notes it. */
const TRIGGER = "cli";

export async function compactLog(flags: CompactFlags, terminal: Terminal): Promise<void> {
  refuseMixed(flags);
  refuseTwoOutputs(flags);
  await withDecisions(flags, terminal, {}, async (opened) => {
    const progress = createProgress(terminal, flags);
    const writer = decisionTextWriterOf(opened.config);
    const places = { flags, opened, terminal };
    if (flags.planOut !== undefined || flags.dryRun === true) return showPlan(places, writer, progress);
    const { plan, report } = await carryOut(places, writer, progress);
    const view = await viewOf(opened, plan, flags.category);
    const result = { ...(await cycleResult(opened.log, plan, report)), texts: report.texts };
    printResult(result, (colors) => renderCycleReport(report, plan, { ...view, colors }), flags, terminal, {
      isTold: true,
    });
  });
}

function refuseMixed({ plan, planOut, dryRun, category, agent }: CompactFlags): void {
  if (plan === undefined) return;
  if (planOut !== undefined || dryRun === true)
    throw badFlag("--plan carries a plan out: it goes with no --plan-out or --dry-run.");
  if (category !== undefined || agent !== undefined)
    throw badFlag("A plan says which decisions it is of.", "Leave --category and --agent out.");
}

/** The plan that a cycle of the same writer would make. */
async function showPlan(places: Places, texts: TextWriter, progress: Progress): Promise<void> {
  const { flags, opened, terminal } = places;
  const { log, options } = opened;
  progress.step(PLANNING);
  const { category, agent } = flags;
  const plan = await planDecisionCompaction(log, { category, agent }, { ...options, texts });
  const view = await viewOf(opened, plan, category);
  if (flags.planOut !== undefined) return writePlan(plan, flags.planOut, view, places);
  const run = `agent-compact decisions compact${opened.flag}`;
  const render = (colors: Colors) =>
    `${renderCyclePlan(plan, { ...view, colors })}Nothing was changed. To run it: ${colors.cyan(run)}\n`;
  printResult({ ...(await cycleResult(log, plan)), ...plan }, render, flags, terminal);
}

/** Without a plan of the caller's the cycle makes its own, and makes it anew where records change meanwhile. */
async function carryOut(
  { flags, opened: { log, options }, terminal }: Places,
  writer: TextWriter,
  progress: Progress,
): Promise<CarriedOutCycle> {
  const { texts, onPlan } = toldTexts(writer, progress);
  const cycle = { ...options, texts, onPlan, signal: terminal.signal };
  if (flags.plan === undefined) {
    progress.step(PLANNING);
    const { category, agent } = flags;
    return carryOutCycle(log, { category, agent, trigger: TRIGGER }, cycle);
  }
  const plan = await readPlanFile(flags.plan, readPlan, "--category", terminal);
  onPlan(plan);
  return { plan, report: await applyDecisionCompaction(log, plan, { ...cycle, trigger: TRIGGER }) };
}

async function viewOf(
  { log, shown, options }: OpenedDecisions,
  plan: DecisionCompactionPlan,
  category: string | undefined,
): Promise<Omit<CycleView, "colors">> {
  const decisions = await log.read((reader) => reader.decisions(leadingIds(plan)));
  const unknown = plan.survey.total === 0 ? await unknownCategory(log, category, options) : "";
  return { shown, unknown, texts: new Map(decisions.map(({ id, text }) => [id, text])) };
}

/** Tells how far it is: a model takes its time. */
function toldTexts(writer: TextWriter, progress: Progress) {
  let [due, written] = [0, 0];
  const texts: TextWriter = {
    strategy: writer.strategy,
    model: writer.model,
    async write(...request) {
      const text = await writer.write(...request);
      written += 1;
      if (written % TEXTS_A_LINE === 0 && written < due) progress.step(`${written} of ${due} texts written`);
      return text;
    },
  };
  const onPlan = (plan: DecisionCompactionPlan) => {
    due = textsDue(plan);
    written = 0;
  };
  return { texts, onPlan };
}

interface Places {
  readonly flags: CompactFlags;
  readonly opened: OpenedDecisions;
  readonly terminal: Terminal;
}

async function writePlan(
  plan: DecisionCompactionPlan,
  out: string,
  view: Omit<CycleView, "colors">,
  { flags, opened, terminal }: Places,
): Promise<void> {
  const place = chooseOutput({ cwd: terminal.cwd, out, input: undefined, extension: ".json" });
  await checkOutput(place, { kept: opened.log.location, keptAs: "the log itself", flag: "--plan-out" });
  await writeOutput(place, `${JSON.stringify(plan, undefined, 2)}\n`, terminal);
  if (place.kind === "stdout") return;
  const apply = `agent-compact decisions compact${opened.flag} --plan ${shellWord(place.shown)}`;
  printResult(
    { plan: place.path, counts: plan.counts },
    (colors) =>
      flags.quiet === true
        ? `${place.shown}\n`
        : `${renderCyclePlan(plan, { ...view, colors })}Written to ${place.shown}. To carry it out: ${colors.cyan(apply)}\n`,
    flags,
    terminal,
  );
}
