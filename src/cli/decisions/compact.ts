// `agent-compact decisions compact`: one cycle over the log, planned or carried out.
import {
  applyDecisionCompaction,
  type DecisionCompactionReport,
} from "../../decisions/compaction/apply-decision-compaction.ts";
import { type CarriedOutCycle, carryOutCycle, cycleResult } from "../../decisions/compaction/compact-decisions.ts";
import {
  type DecisionCompactionPlan,
  type PlannedChange,
  planDecisionCompaction,
  readPlan,
} from "../../decisions/compaction/plan-decision-compaction.ts";
import { LEVELS, type Level } from "../../decisions/decision.ts";
import { roundHalfUp } from "../../decisions/statistics.ts";
import type { TextWriter } from "../../decisions/texts/text-writer.ts";
import { decisionTextWriterOf } from "../../factories/decisions.ts";
import { figure, plural } from "../../text/figures.ts";
import { groupBy } from "../../text/words.ts";
import { writePlan } from "../files/output.ts";
import { readPlanFile } from "../files/read-file.ts";
import { badFlag, refuseTwoOutputs, shellWord } from "../flags.ts";
import { atMost, cutToCells, renderTable, right } from "../render.ts";
import { createProgress, type Progress, printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { paintLevel, renderLevels } from "./figures.ts";
import { type OpenedDecisions, unknownCategory, withDecisions } from "./open-decisions.ts";
import type { CompactFlags } from "./program.ts";

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
      isReport: true,
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
  if (flags.planOut !== undefined) {
    const kept = [{ kept: log.location, keptAs: "the log itself" }];
    const render = (shown: string, colors: Colors) => {
      const apply = `agent-compact decisions compact${opened.flag} --plan ${shellWord(shown)}`;
      return `${renderCyclePlan(plan, { ...view, colors })}Written to ${shown}. To carry it out: ${colors.cyan(apply)}\n`;
    };
    const { counts } = plan;
    return writePlan({ out: flags.planOut, plan, kept, figures: { counts }, render }, flags, terminal);
  }
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

const MOST_ITEMS = 12;

interface CycleView {
  readonly shown: string;
  readonly colors: Colors;
  /** What is to be said of a category that no decision has; else empty. */
  readonly unknown: string;
  /** What the first decisions of the plan are about, by id. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The decisions that are shown by name. */
function leadingIds({ items }: DecisionCompactionPlan): readonly string[] {
  return items.slice(0, MOST_ITEMS).map(({ id }) => id);
}

function renderCyclePlan(plan: DecisionCompactionPlan, view: CycleView): string {
  const { items, rewrites, survey, last_run } = plan;
  const due = textsDue(plan);
  const since = last_run === null ? "the beginning" : "the last cycle";
  return renderCycle(plan, view, {
    head: `${plural(survey.total, "decision")} in ${view.shown}, ${figure(survey.preserved)} of them preserved`,
    levels: survey.levels as Record<Level, number>,
    changed: `${plural(items.length, "level changes", "levels change")} ${sinceWhen(plan)}`,
    unchanged: `No level has changed since ${since}.`,
    last: [
      ...(rewrites.length === 0
        ? []
        : ["", `${plural(rewrites.length, "decision")} of an unchanged level whose text is due.`]),
      "",
      `Texts to write: ${due === 0 ? "none" : figure(due)}. The records stay as they are.${items.length === 0 ? "" : " Why each level changes: --json."}`,
    ],
  });
}

interface CycleWords {
  readonly head: string;
  readonly levels: Record<Level, number>;
  readonly changed: string;
  readonly unchanged: string;
  readonly last: readonly string[];
}

function renderCycle(
  plan: DecisionCompactionPlan,
  view: CycleView,
  { head, levels, changed, unchanged, last }: CycleWords,
): string {
  const { colors, unknown } = view;
  const lines = [
    colors.bold(head),
    ...(unknown === "" ? [] : [unknown]),
    renderLevels(levels, plan.policies.at(-1)?.thresholds, colors),
    "",
    ...(plan.items.length === 0
      ? [unchanged]
      : [colors.bold(changed), renderChanges(plan, colors), "", renderItems(plan.items, view)]),
    ...last,
  ];
  return `${lines.join("\n")}\n`;
}

function sinceWhen({ last_run }: DecisionCompactionPlan): string {
  return last_run === null ? "(no cycle has run yet: before, all were full)" : "since the last cycle";
}

/** Summaries and digests have a text of their own. */
function textsDue({ items, rewrites }: DecisionCompactionPlan): number {
  return items.filter(({ to }) => to === "summary" || to === "digest").length + rewrites.length;
}

function renderChanges({ items }: DecisionCompactionPlan, colors: Colors): string {
  const rows = LEVELS.flatMap((from) =>
    LEVELS.flatMap((to) => {
      const members = items.filter((item) => item.from === from && item.to === to);
      if (members.length === 0) return [];
      const paint = () => `${paintLevel(from, colors)} → ${paintLevel(to, colors)}`;
      return [[{ text: `${from} → ${to}`, paint }, members.length, categoriesOf(members)]];
    }),
  );
  return renderTable(["change", right("decisions"), "categories"], rows, colors);
}

const MOST_CATEGORIES = 4;

function categoriesOf(items: readonly PlannedChange[]): string {
  const groups = [...groupBy(items, ({ category }) => category)];
  const sorted = groups.sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1));
  const named = sorted
    .slice(0, MOST_CATEGORIES)
    .map(([name, { length }]) => `${cutToCells(name, 24)} ${figure(length)}`);
  return `${named.join(", ")}${sorted.length > MOST_CATEGORIES ? ", ..." : ""}`;
}

function renderItems(items: readonly PlannedChange[], { colors, texts }: CycleView): string {
  const columns = [atMost("id", 24), atMost("decision", 56), atMost("category", 18), "change", right("priority")];
  const rows = items
    .slice(0, MOST_ITEMS)
    .map(({ id, category, from, to, priority }) => [
      id,
      texts.get(id) ?? "",
      category,
      `${from} → ${to}`,
      roundHalfUp(priority, 2).toFixed(2),
    ]);
  const left = items.length - rows.length;
  const more = left > 0 ? `\n  and ${figure(left)} more` : "";
  return renderTable(columns, rows, colors) + more;
}

export function renderCycleReport(
  { run, changed, texts, warning }: DecisionCompactionReport,
  plan: DecisionCompactionPlan,
  view: CycleView,
): string {
  const written = [
    ...(texts.llm === 0 ? [] : [`${figure(texts.llm)} by the model`]),
    ...(texts.extractive === 0 ? [] : [`${figure(texts.extractive)} by code`]),
  ];
  const failed = `The model failed on ${plural(texts.failed, "text")}: code writes ${texts.failed === 1 ? "it" : "them"} until the next cycle asks again.`;
  return renderCycle(plan, view, {
    head: `Cycle over ${plural(run.total, "decision")} in ${view.shown}, ${figure(run.preserved)} of them preserved`,
    levels: run.levels,
    changed: plural(changed, "level changed", "levels changed"),
    unchanged: "No level has changed since the last cycle.",
    last: [
      "",
      `Texts written: ${written.length === 0 ? "none" : written.join(", ")}. The records are as they were.`,
      ...(texts.failed === 0 ? [] : [view.colors.yellow(warning ?? failed)]),
    ],
  });
}
