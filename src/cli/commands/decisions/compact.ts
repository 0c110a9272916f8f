// `agent-compact decisions compact`: one cycle over the log, planned or carried out.
import { applyDecisionCompaction } from "../../../decisions/apply-decision-compaction.ts";
import { type DecisionCompactionPlan, readPlan } from "../../../decisions/cycle/plan-schema.ts";
import type { DecisionLog } from "../../../decisions/decision-log.ts";
import { planDecisionCompaction } from "../../../decisions/plan-decision-compaction.ts";
import { serveFaults } from "../../../decisions/serving/serve-page.ts";
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
import { doneResult, dryResult } from "./cycle-result.ts";

export interface CompactFlags extends DecisionFlags {
  readonly category?: string;
  readonly agent?: string;
  readonly dryRun?: true;
  readonly planOut?: string;
  readonly plan?: string;
}

/** Texts between two lines of progress. */
const TEXTS_A_LINE = 25;

export async function compactLog(flags: CompactFlags, terminal: Terminal): Promise<void> {
  refuseMixed(flags);
  refuseTwoOutputs({
    ...(flags.json === true ? { json: true } : {}),
    ...(flags.planOut === undefined ? {} : { out: flags.planOut }),
  });
  await withDecisions(flags, terminal, {}, async (opened) => {
    const { log, options, config } = opened;
    const progress = createProgress(terminal, flags);
    const plan =
      flags.plan === undefined
        ? await makePlan(flags, opened, progress)
        : await readPlanFile(flags.plan, readPlan, "--category", terminal);
    const view = await viewOf(log, plan, opened.shown);
    if (flags.planOut !== undefined) return writePlan(plan, flags.planOut, view, { flags, opened, terminal });
    if (flags.dryRun === true) {
      const run = `agent-compact decisions compact${opened.flag}`;
      const render = (colors: Colors) =>
        `${renderCyclePlan(plan, { ...view, colors })}Nothing was changed. To run it: ${colors.cyan(run)}\n`;
      printResult(dryResult(plan, await log.read(serveFaults)), render, flags, terminal);
      return;
    }
    const texts = toldTexts(decisionTextWriterOf(config), textsDue(plan), progress);
    const { signal } = terminal;
    const report = await applyDecisionCompaction(log, plan, { ...options, texts, trigger: "cli", signal });
    const result = doneResult(plan, report, await log.read(serveFaults));
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

function makePlan({ category, agent }: CompactFlags, { log, options }: OpenedDecisions, progress: Progress) {
  progress.step("working out which levels change");
  return planDecisionCompaction(log, { category, agent }, options);
}

async function viewOf(
  log: DecisionLog,
  plan: DecisionCompactionPlan,
  shown: string,
): Promise<Omit<CycleView, "colors">> {
  const decisions = await log.read((reader) => reader.decisions(leadingIds(plan)));
  return { shown, texts: new Map(decisions.map(({ id, text }) => [id, text])) };
}

/** Tells how far it is: a model takes its time. */
function toldTexts(texts: TextWriter, due: number, progress: Progress): TextWriter {
  let written = 0;
  return {
    strategy: texts.strategy,
    model: texts.model,
    async write(...request) {
      const text = await texts.write(...request);
      written += 1;
      if (written % TEXTS_A_LINE === 0 && written < due) progress.step(`${written} of ${due} texts written`);
      return text;
    },
  };
}

interface PlanPlace {
  readonly flags: CompactFlags;
  readonly opened: OpenedDecisions;
  readonly terminal: Terminal;
}

async function writePlan(
  plan: DecisionCompactionPlan,
  out: string,
  view: Omit<CycleView, "colors">,
  { flags, opened, terminal }: PlanPlace,
): Promise<void> {
  const place = chooseOutput({ cwd: terminal.cwd, out, input: undefined, extension: ".json" });
  await checkOutput(place, { kept: opened.log.location });
  await writeOutput(place, `${JSON.stringify(plan, undefined, 2)}\n`, terminal);
  if (place.kind === "stdout") return;
  const apply = `agent-compact decisions compact${opened.flag} --plan ${shellWord(place.shown)}`;
  printResult(
    { plan: place.path, counts: plan.counts },
    (colors) =>
      `${renderCyclePlan(plan, { ...view, colors })}Written to ${place.shown}. To carry it out: ${colors.cyan(apply)}\n`,
    flags,
    terminal,
  );
}
