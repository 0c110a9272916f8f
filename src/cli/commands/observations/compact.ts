// `agent-compact observations compact`: rows that are named, or the groups that a plan proposes.
import { CompactError } from "../../../errors.ts";
import { planObservationCompaction } from "../../../from-config/observations.ts";
import { summaryConfigOf } from "../../../from-config/summary-config.ts";
import { applyObservationCompaction } from "../../../observations/apply-observation-compaction.ts";
import type { CompactionPlan } from "../../../observations/grouping/plan-schema.ts";
import { readPlan } from "../../../observations/grouping/plan-schema.ts";
import type { Strategy } from "../../../summaries/summarizer.ts";
import { badFlag } from "../../flags.ts";
import { readPlanFile } from "../../input/read-plan-file.ts";
import { readConfig, shellWord } from "../../open-compactor.ts";
import { type FilterFlags, type OpenedStore, withStore } from "../../open-store.ts";
import { checkOutput, chooseOutput } from "../../output/output-place.ts";
import { writeOutput } from "../../output/write-output.ts";
import { printResult } from "../../print-result.ts";
import { createProgress } from "../../progress.ts";
import { renderCompaction, renderPlan } from "../../render/observations/plan.ts";
import type { Terminal } from "../../terminal.ts";
import { compactNamed, type NamedFlags } from "./compact-named.ts";
import { readIdWords } from "./read-id-words.ts";
import { DEFAULT_AGE } from "./stale.ts";
import { unknownProject } from "./unknown-project.ts";

export interface CompactFlags extends FilterFlags, NamedFlags {
  readonly olderThan?: number;
  readonly strategy?: string;
  readonly planOut?: string;
  readonly plan?: string;
}

export async function compactStale(words: readonly string[], flags: CompactFlags, terminal: Terminal): Promise<void> {
  refuseMixed(words, flags);
  await withStore(flags, terminal, {}, async (opened) => {
    if (words.length > 0) return compactNamed(readIdWords(words), flags, opened, terminal);
    const plan =
      flags.plan === undefined
        ? await makePlan(flags, opened, terminal)
        : await readPlanFile(flags.plan, readPlan, "--project", terminal);
    const unknown = plan.groups.length === 0 ? await unknownProject(opened.store, flags.project) : "";
    if (flags.planOut !== undefined) return writePlan(plan, flags.planOut, flags, opened, terminal);
    if (flags.dryRun === true) {
      printResult(plan, (colors) => renderPlan(plan, opened, colors) + unknown, flags, terminal);
      return;
    }
    const report = await applyObservationCompaction(opened.store, plan, { now: Date.now(), trace: opened.trace });
    printResult(report, (colors) => renderCompaction(report, plan, opened, colors) + unknown, flags, terminal, {
      isTold: true,
    });
    const { refused } = report;
    if (refused.length === 0) return;
    throw new CompactError("Conflict", `${refused.length} of ${plan.groups.length} groups were not compacted.`, {
      code: "STALE_PLAN",
      hint: "Their rows changed since the plan was made. Run the command again.",
    });
  });
}

function refuseMixed(words: readonly string[], flags: CompactFlags): void {
  const { plan, planOut, dryRun, summaryTitle, summaryContent, summaryFile, strategy } = flags;
  const hasSummary = [summaryTitle, summaryContent, summaryFile].some((value) => value !== undefined);
  if (words.length === 0 && hasSummary)
    throw badFlag("A summary was given without the rows it stands for.", "Name them: observations compact 12 15 ...");
  const hasPlan = plan !== undefined || planOut !== undefined;
  if (words.length > 0 && (hasPlan || strategy !== undefined))
    throw badFlag("Named rows need no plan and no strategy.", "Leave --plan, --plan-out and --strategy out.");
  if (plan !== undefined && (planOut !== undefined || dryRun === true || strategy !== undefined))
    throw badFlag("--plan carries a plan out: it goes with no --plan-out, --dry-run or --strategy.");
}

async function makePlan(
  flags: CompactFlags,
  { store, count, trace }: OpenedStore,
  terminal: Terminal,
): Promise<CompactionPlan> {
  const { olderThan = DEFAULT_AGE, project, scope, namespace, strategy } = flags;
  const { summarizer, redaction } = summaryConfigOf((await readConfig(flags, terminal)).config);
  createProgress(terminal, flags).step("looking for notes that say the same or share a topic");
  return planObservationCompaction(
    store,
    {
      olderThanDays: olderThan,
      project,
      scope,
      namespace,
      count,
      strategy: strategy as Strategy | undefined,
      redaction,
      summarizer,
      signal: terminal.signal,
    },
    { trace },
  );
}

async function writePlan(
  plan: CompactionPlan,
  out: string,
  flags: CompactFlags,
  opened: OpenedStore,
  terminal: Terminal,
): Promise<void> {
  const place = chooseOutput({ cwd: terminal.cwd, out, input: undefined, extension: ".json" });
  await checkOutput(place, { kept: opened.path, keptAs: "the store itself", flag: "--plan-out" });
  await writeOutput(place, `${JSON.stringify(plan, undefined, 2)}\n`, terminal);
  if (place.kind === "stdout") return;
  const { totals } = plan;
  const apply = `agent-compact observations compact${opened.flag} --plan ${shellWord(place.shown)}`;
  printResult(
    { plan: place.path, totals },
    (colors) =>
      flags.quiet === true
        ? `${place.shown}\n`
        : `${renderPlan(plan, opened, colors)}Written to ${place.shown}. To carry it out: ${colors.cyan(apply)}\n`,
    flags,
    terminal,
  );
}
