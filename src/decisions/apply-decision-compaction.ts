// Carries out the plan of a cycle: writes the texts of decisions that come to be summaries and digests, then sets the
// levels and notes the run, in one write. No record is changed.
import { isoTime, readTime } from "../time.ts";
import { startWatch, type Times } from "../trace/watch.ts";
import { checkPlan } from "./cycle/check-plan.ts";
import { type CycleOptions, clockOf } from "./cycle/cycle-options.ts";
import { inBatches } from "./cycle/in-batches.ts";
import { noteRun } from "./cycle/last-run.ts";
import { type Lease, underLease } from "./cycle/lease.ts";
import { createModelWatch, type ModelWatch, warningOf } from "./cycle/model-watch.ts";
import { type DecisionCompactionPlan, readPlan } from "./cycle/plan-schema.ts";
import { DECISIONS_SESSION, MOST_TOLD, tellingFailure } from "./cycle/tell-failure.ts";
import { type WrittenTexts, writeTexts } from "./cycle/write-texts.ts";
import type { CycleRun, DecisionLog, DecisionWriter, LevelView } from "./decision-log.ts";
import { randomId } from "./recording/random-id.ts";
import { readFilter } from "./serving/read-request.ts";

export interface ApplyOptions extends CycleOptions {
  /** Who asked, as the run notes it: `schedule`, `cli`, an agent. Default `request`. */
  readonly trigger?: string | undefined;
}

export interface DecisionCompactionReport {
  /** As the log keeps it. */
  readonly run: CycleRun;
  /** Decisions whose level was set. */
  readonly changed: number;
  /** Texts by who wrote them. */
  readonly texts: WrittenTexts;
  /** For a person: the model failed again and again, so the rest of the texts was left to code. */
  readonly warning?: string;
}

/**
 * `plan` is one of `planDecisionCompaction`, or what was read back from its JSON. All of it is carried out or none: only
 * texts that were written before a failure stay, since each is made of one record and good for it alone.
 * @throws InvalidInput (`INVALID_PLAN`) before anything is written; Conflict (`STALE_PLAN`) when a record of the plan was
 * changed, is gone or has another standing, or another cycle ran since; Conflict (`CYCLE_RUNNING`); the reason of an aborted
 * `signal`; StoreFailed.
 */
export function applyDecisionCompaction(
  log: DecisionLog,
  plan: unknown,
  options: ApplyOptions,
): Promise<DecisionCompactionReport> {
  const timed = { ...options, clock: clockOf(options) };
  return tellingFailure(timed, async () => {
    const read = readPlan(plan);
    return underLease(log, timed.clock, (lease) => carryOut(log, read, lease, timed));
  });
}

async function carryOut(
  log: DecisionLog,
  plan: DecisionCompactionPlan,
  lease: Lease,
  options: ApplyOptions,
): Promise<DecisionCompactionReport> {
  const elapsed = startWatch(clockOf(options));
  // Asked here too, before a model is paid for a plan that cannot be carried out.
  await log.read((reader) => checkPlan(reader, plan, viewOf(plan, options)));
  const watch = createModelWatch(options.texts?.model ?? "", options.trace);
  const texts = await writeTexts(log, plan, { ...options, lease, watch });
  options.signal?.throwIfAborted();
  const run = await settle(log, plan, { lease, options, elapsed, texts });
  return reportOf(plan, run, watch);
}

export function reportOf(plan: DecisionCompactionPlan, run: CycleRun, watch: ModelWatch): DecisionCompactionReport {
  const warning = warningOf(watch, run.texts.failed);
  return { run, changed: plan.items.length, texts: run.texts, ...(warning === undefined ? {} : { warning }) };
}

export interface Settling {
  readonly lease: Lease;
  readonly options: ApplyOptions;
  /** Since the cycle began. */
  readonly elapsed: () => Times;
  readonly texts: WrittenTexts;
}

/** Sets the levels of a plan and notes the run, in one write. @throws Conflict (`STALE_PLAN`, `CYCLE_LOST`); StoreFailed. */
export async function settle(
  log: DecisionLog,
  plan: DecisionCompactionPlan,
  { lease, options, elapsed, texts }: Settling,
): Promise<CycleRun> {
  const clock = clockOf(options);
  const view = viewOf(plan, options);
  const run = await log.write(async (writer) => {
    await lease.confirm(writer);
    await checkPlan(writer, plan, view);
    await setLevels(writer, plan);
    const noted: CycleRun = {
      id: `${randomId()}${randomId()}`,
      started_at: elapsed().started_at,
      finished_at: isoTime(clock()),
      trigger: options.trigger?.trim() || "request",
      ...(await writer.survey({ filter: readFilter(plan.filter), view })),
      changed: plan.items.length,
      texts,
    };
    await noteRun(writer, noted);
    return noted;
  });
  tell(plan, run, elapsed(), options);
  return run;
}

/** Levels are those of the time of the plan. */
function viewOf(plan: DecisionCompactionPlan, { policies, now }: ApplyOptions): LevelView {
  return { policies, now: readTime(plan.created_at) ?? now };
}

async function setLevels(writer: DecisionWriter, { items }: DecisionCompactionPlan): Promise<void> {
  for (const batch of inBatches(items)) await writer.setLevels(batch.map(({ id, to }) => ({ id, level: to })));
}

function tell(
  { items }: DecisionCompactionPlan,
  { total, preserved, levels, texts }: CycleRun,
  times: Times,
  { trace }: Pick<ApplyOptions, "trace">,
): void {
  trace?.emit({
    event: "compact.applied",
    part: "decisions",
    session_id: DECISIONS_SESSION,
    ids: items.slice(0, MOST_TOLD).map(({ id }) => id),
    counts: {
      total,
      preserved,
      changed: items.length,
      ...levels,
      texts_llm: texts.llm,
      texts_extractive: texts.extractive,
      texts_failed: texts.failed,
    },
    ...times,
  });
}
