// Carries out the plan of a cycle: writes the texts of decisions that come to be summaries and digests, then sets the
// levels and notes the run, in one write. No record is changed.
import { attempt, clockOf, emitDone, emitFailure } from "../../engine/attempt.ts";
import { CompactError } from "../../errors.ts";
import { isoTime, readTime } from "../../time.ts";
import { startWatch, type Times, type Trace } from "../../trace/emit.ts";
import type { StoredDecision } from "../decision.ts";
import type { CycleRun, DecisionLog, DecisionText, DecisionWriter, LevelView } from "../decision-log.ts";
import { randomId } from "../record-values.ts";
import { readFilter } from "../serving/page-request.ts";
import type { TextWriter } from "../texts/text-writer.ts";
import { addRun, checkPlan, DECISIONS, type DecisionCompactionPlan, inBatches, readPlan } from "./compaction-plan.ts";
import { type CycleOptions, type Lease, underLease } from "./cycle-lease.ts";
import { byPriority } from "./plan-decision-compaction.ts";

interface ApplyOptions extends CycleOptions {
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
  return attempt(DECISIONS, timed, async () => {
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
  const run = await commitPlan(log, plan, { lease, options, elapsed, texts });
  return reportOf(plan, run, watch);
}

export function reportOf(plan: DecisionCompactionPlan, run: CycleRun, watch: ModelWatch): DecisionCompactionReport {
  const warning = warningOf(watch, run.texts.failed);
  return { run, changed: plan.items.length, texts: run.texts, ...(warning === undefined ? {} : { warning }) };
}

interface PlanCommit {
  readonly lease: Lease;
  readonly options: ApplyOptions;
  /** Since the cycle began. */
  readonly elapsed: () => Times;
  readonly texts: WrittenTexts;
}

/** Sets the levels of a plan and notes the run, in one write. @throws Conflict (`STALE_PLAN`, `CYCLE_LOST`); StoreFailed. */
export async function commitPlan(
  log: DecisionLog,
  plan: DecisionCompactionPlan,
  { lease, options, elapsed, texts }: PlanCommit,
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
    await addRun(writer, noted);
    return noted;
  });
  emitApplied(plan, run, elapsed(), options);
  return run;
}

/** Levels are those of the time of the plan. */
function viewOf(plan: DecisionCompactionPlan, { policies, now }: ApplyOptions): LevelView {
  return { policies, now: readTime(plan.created_at) ?? now };
}

async function setLevels(writer: DecisionWriter, { items }: DecisionCompactionPlan): Promise<void> {
  for (const batch of inBatches(items)) await writer.setLevels(batch.map(({ id, to }) => ({ id, level: to })));
}

function emitApplied(
  { items }: DecisionCompactionPlan,
  { total, preserved, levels, texts }: CycleRun,
  times: Times,
  options: Pick<ApplyOptions, "trace">,
): void {
  const counts = {
    total,
    preserved,
    changed: items.length,
    ...levels,
    texts_llm: texts.llm,
    texts_extractive: texts.extractive,
    texts_failed: texts.failed,
  };
  emitDone("compact.applied", DECISIONS, { ids: items.map(({ id }) => id), counts }, options, times);
}

// Writes the texts that a plan names, in its order, and keeps each few as they come: what a cycle has written stays, even
// if it is ended before it is done. Waits for a model, so it never stands inside a transaction.

/** Calls of a model at a time. */
const TEXTS_AT_A_TIME = 4;
/** Texts of code between two looks at the signal: they take no time, keeping them does. */
const BY_CODE = 500;

interface WrittenTexts {
  readonly llm: number;
  readonly extractive: number;
  /** A model gave none that is of use; they are served as code writes them, and asked for again by the next cycle. */
  readonly failed: number;
}

export const NO_TEXTS: WrittenTexts = { llm: 0, extractive: 0, failed: 0 };

interface TextWriting extends Pick<CycleOptions, "texts" | "signal"> {
  readonly lease: Lease;
  readonly watch: ModelWatch;
}

type Due = { readonly id: string; readonly level: DecisionText["level"]; readonly priority: number };

/** Without a writer none is written. @throws Conflict (`CYCLE_LOST`); the reason of an aborted `signal`; StoreFailed. */
export async function writeTexts(
  log: DecisionLog,
  plan: DecisionCompactionPlan,
  { lease, texts, signal, watch }: TextWriting,
): Promise<WrittenTexts> {
  let counts = NO_TEXTS;
  if (texts === undefined) return counts;
  for (const batch of inBatches(dueTexts(plan), texts.model === "extractive" ? BY_CODE : TEXTS_AT_A_TIME)) {
    signal?.throwIfAborted();
    await lease.renew();
    const due = await missingTexts(log, batch, texts);
    const written = watch.isDown ? leftToCode(due) : await writeBatch(log, due, texts, signal);
    for (const { source, hasFailed, hasFailedCall } of written)
      if (source === "llm" || hasFailed === true) watch.note(hasFailedCall === true);
    counts = written.reduce(addOutcome, counts);
  }
  return counts;
}

/** Of two plans of one cycle: what the first could not get, the second has asked for again. */
export function addTexts(before: WrittenTexts, later: WrittenTexts): WrittenTexts {
  return {
    llm: before.llm + later.llm,
    extractive: before.extractive + later.extractive,
    failed: later.failed,
  };
}

/** Not kept, so they are served as code writes them and the next cycle asks again. */
function leftToCode(due: readonly DueText[]): readonly Outcome[] {
  return due.map(() => ({ source: "extractive", hasFailed: true, hasFailedCall: true }));
}

function dueTexts({ items, rewrites }: DecisionCompactionPlan): readonly Due[] {
  const coming = items.flatMap(({ id, to, priority }) =>
    to === "summary" || to === "digest" ? [{ id, level: to, priority }] : [],
  );
  return [...coming, ...rewrites].sort(byPriority);
}

type DueText = { readonly decision: StoredDecision; readonly level: DecisionText["level"] };

/** Texts that are there already, of this hash, strategy and model, are not written again. */
async function missingTexts(
  log: DecisionLog,
  batch: readonly Due[],
  { strategy, model }: TextWriter,
): Promise<readonly DueText[]> {
  const levels = new Map(batch.map(({ id, level }) => [id, level]));
  const [decisions, kept] = await log.read(async (reader) => {
    const ids = [...levels.keys()];
    return [await reader.decisions(ids), await reader.texts(ids)];
  });
  const ours = kept.filter((text) => text.strategy === strategy && text.model === model);
  const there = new Set(ours.map(({ id, level }) => `${level} ${id}`));
  return decisions.flatMap((decision) => {
    const level = levels.get(decision.id);
    return level === undefined || there.has(`${level} ${decision.id}`) ? [] : [{ decision, level }];
  });
}

/** One that rejects leaves the others to be kept before it is thrown on. */
async function writeBatch(
  log: DecisionLog,
  due: readonly DueText[],
  texts: TextWriter,
  signal: AbortSignal | undefined,
): Promise<readonly Written[]> {
  const settled = await Promise.allSettled(
    due.map(async ({ decision, level }) => ({
      ...(await texts.write(decision, level, { signal })),
      id: decision.id,
      level,
      hash: decision.hash,
    })),
  );
  const written = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  await keep(log, written, texts);
  for (const result of settled) if (result.status === "rejected") throw result.reason;
  return written;
}

type Outcome = Pick<Awaited<ReturnType<TextWriter["write"]>>, "source" | "hasFailed" | "hasFailedCall">;
type Written = Awaited<ReturnType<TextWriter["write"]>> & Pick<DecisionText, "id" | "level" | "hash">;

async function keep(log: DecisionLog, written: readonly Written[], { strategy, model }: TextWriter): Promise<void> {
  const good = written.filter(({ hasFailed }) => hasFailed !== true);
  if (good.length === 0) return;
  const texts = good.map(({ id, level, hash, text, source }) => ({ id, level, hash, strategy, model, text, source }));
  await log.write((writer) => writer.putTexts(texts));
}

function addOutcome(counts: WrittenTexts, { source, hasFailed }: Outcome): WrittenTexts {
  const key = hasFailed === true ? "failed" : source;
  return { ...counts, [key]: counts[key] + 1 };
}

// Whether the model behind the texts of a cycle is there at all. One that is not costs a time-out with all its retries for
// every text; after a few failures in a row the cycle asks it no more. An answer that is no use is an answer.

/** Failed calls one after another. */
const MOST_FAILURES = 3;

interface ModelWatch {
  readonly isDown: boolean;
  /** Of one text that a model was asked for, in the order of the texts. */
  note(hasFailedCall: boolean): void;
}

/** For one cycle, however often it plans. */
export function createModelWatch(model: string, trace: Pick<Trace, "emit"> | undefined): ModelWatch {
  let failures = 0;
  let isDown = false;
  return {
    get isDown() {
      return isDown;
    },
    note(hasFailedCall) {
      failures = hasFailedCall ? failures + 1 : 0;
      if (isDown || failures < MOST_FAILURES) return;
      isDown = true;
      const message = `${MOST_FAILURES} calls of the model ${model} failed in a row; this cycle asks it no more.`;
      const failure = new CompactError("SummarizationFailed", message, { code: "MODEL_GIVEN_UP" });
      emitFailure({ ...DECISIONS, fallback: "extractive" }, failure, { trace });
    },
  };
}

/** For whoever reads what the cycle did. Undefined where nothing is to be told. */
function warningOf({ isDown }: ModelWatch, failed: number): string | undefined {
  if (!isDown) return undefined;
  const texts = failed === 1 ? "1 text is" : `${failed} texts are`;
  return `${MOST_FAILURES} calls of the model failed in a row, so it was asked no more: ${texts} written by code until a later cycle asks again.`;
}
