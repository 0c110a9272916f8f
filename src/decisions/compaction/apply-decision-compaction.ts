// Carries out the plan of a cycle: writes the texts of decisions that come to be summaries and digests, then sets the
// levels and notes the run, in one write. No record is changed.
import { attempt, clockOf, emitDone, emitFailure } from "../../engine/attempt.ts";
import { CompactError } from "../../errors.ts";
import { type Clock, isoTime, readTime } from "../../time.ts";
import type { Times } from "../../trace/emit.ts";
import type { StoredDecision } from "../decision.ts";
import { type CycleRun, type DecisionLog, type DecisionText, inBatches, type LevelView } from "../decision-log.ts";
import { randomId } from "../record-values.ts";
import { readFilter } from "../serving/page-request.ts";
import type { TextWriter } from "../texts/text-writer.ts";
import { type CycleOptions, type Lease, underLease } from "./cycle-lease.ts";
import {
  addRun,
  byPriority,
  checkPlan,
  DECISIONS,
  type DecisionCompactionPlan,
  readPlan,
  textKey,
  writtenTexts,
} from "./plan-decision-compaction.ts";

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
  return attempt(DECISIONS, options, (elapsed) => {
    const read = readPlan(plan);
    return runCycle({ log, options, elapsed }, async (cycle) => {
      // Asked here too, before a model is paid for a plan that cannot be carried out.
      await log.read((reader) => checkPlan(reader, read, viewOf(cycle, read)));
      return commitPlan(cycle, read, await writeTexts(cycle, read));
    });
  });
}

/** What one cycle works with, however often it plans. */
export interface Cycle {
  readonly log: DecisionLog;
  readonly lease: Lease;
  readonly options: ApplyOptions & { readonly clock: Clock };
  /** Since it began. */
  readonly elapsed: () => Times;
  readonly modelWatch: ModelWatch;
}

/** @throws Conflict (`CYCLE_RUNNING`) while another cycle runs. */
export function runCycle<T>(
  { log, options: given, elapsed }: Pick<Cycle, "log" | "elapsed"> & { readonly options: ApplyOptions },
  work: (cycle: Cycle) => Promise<T>,
): Promise<T> {
  const options = { ...given, clock: clockOf(given) };
  return underLease(log, options.clock, (lease) =>
    work({ log, lease, options, elapsed, modelWatch: createModelWatch(options) }),
  );
}

/** Sets the levels of a plan and notes the run, in one write. @throws Conflict (`STALE_PLAN`, `CYCLE_LOST`); StoreFailed. */
export async function commitPlan(
  cycle: Cycle,
  plan: DecisionCompactionPlan,
  texts: WrittenTexts,
): Promise<DecisionCompactionReport> {
  const { log, lease, options, elapsed, modelWatch } = cycle;
  const { items } = plan;
  options.signal?.throwIfAborted();
  const view = viewOf(cycle, plan);
  const run = await log.write(async (writer) => {
    await lease.confirm(writer);
    await checkPlan(writer, plan, view);
    for (const batch of inBatches(items)) await writer.setLevels(batch.map(({ id, to }) => ({ id, level: to })));
    const noted: CycleRun = {
      id: `${randomId()}${randomId()}`,
      started_at: elapsed().started_at,
      finished_at: isoTime(options.clock()),
      trigger: options.trigger?.trim() || "request",
      ...(await writer.survey({ filter: readFilter(plan.filter), view })),
      changed: items.length,
      texts,
    };
    await addRun(writer, noted);
    return noted;
  });
  const { total, preserved, levels } = run;
  const written = { texts_llm: texts.llm, texts_extractive: texts.extractive, texts_failed: texts.failed };
  const counts = { total, preserved, changed: items.length, ...levels, ...written };
  emitDone("compact.applied", DECISIONS, { ids: items.map(({ id }) => id), counts }, options, elapsed());
  const warning = modelWatch.isDown ? { warning: warningOf(texts.failed) } : {};
  return { run, changed: items.length, texts, ...warning };
}

/** Levels are those of the time of the plan. */
function viewOf({ options: { policies, now } }: Cycle, plan: DecisionCompactionPlan): LevelView {
  return { policies, now: readTime(plan.created_at) ?? now };
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

type Due = { readonly id: string; readonly level: DecisionText["level"]; readonly priority: number };

/** Without a writer none is written. @throws Conflict (`CYCLE_LOST`); the reason of an aborted `signal`; StoreFailed. */
export async function writeTexts(
  { log, lease, options: { texts, signal }, modelWatch }: Cycle,
  { items, rewrites }: DecisionCompactionPlan,
): Promise<WrittenTexts> {
  let counts = NO_TEXTS;
  if (texts === undefined) return counts;
  const coming = items.flatMap(({ id, to, priority }): readonly Due[] =>
    to === "summary" || to === "digest" ? [{ id, level: to, priority }] : [],
  );
  const all = [...coming, ...rewrites].sort(byPriority);
  for (const batch of inBatches(all, texts.model === "extractive" ? BY_CODE : TEXTS_AT_A_TIME)) {
    signal?.throwIfAborted();
    await lease.renew();
    const due = await missingTexts(log, batch, texts);
    // Left to code they are not kept, so the next cycle asks again.
    const written = modelWatch.isDown ? due.map(() => LEFT_TO_CODE) : await writeBatch(log, due, texts, signal);
    for (const { source, hasFailed, hasFailedCall } of written) {
      if (source === "llm" || hasFailed === true) modelWatch.note(hasFailedCall === true);
      const key = hasFailed === true ? "failed" : source;
      counts = { ...counts, [key]: counts[key] + 1 };
    }
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

interface DueText {
  readonly decision: StoredDecision;
  readonly level: DecisionText["level"];
}

/** Texts that are there already, of this hash, strategy and model, are not written again. */
function missingTexts(log: DecisionLog, batch: readonly Due[], texts: TextWriter): Promise<readonly DueText[]> {
  const levels = new Map(batch.map(({ id, level }) => [id, level]));
  return log.read(async (reader) => {
    const written = await writtenTexts(reader, [...levels.keys()], texts);
    return (await reader.decisions([...levels.keys()])).flatMap((decision) => {
      const level = levels.get(decision.id);
      return level === undefined || written.has(textKey(decision.id, level)) ? [] : [{ decision, level }];
    });
  });
}

type Outcome = Awaited<ReturnType<TextWriter["write"]>>;

const LEFT_TO_CODE: Outcome = { text: "", source: "extractive", hasFailed: true, hasFailedCall: true };

/** One that rejects leaves the others to be kept before it is thrown on. */
async function writeBatch(
  log: DecisionLog,
  due: readonly DueText[],
  texts: TextWriter,
  signal: AbortSignal | undefined,
): Promise<readonly Outcome[]> {
  const { strategy, model } = texts;
  const results = await Promise.allSettled(due.map(({ decision, level }) => texts.write(decision, level, { signal })));
  const good = results.flatMap((result, at): readonly DecisionText[] => {
    const text = due[at];
    if (text === undefined || result.status === "rejected" || result.value.hasFailed === true) return [];
    const { id, hash } = text.decision;
    return [{ id, level: text.level, hash, strategy, model, text: result.value.text, source: result.value.source }];
  });
  if (good.length > 0) await log.write((writer) => writer.putTexts(good));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
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
function createModelWatch({ texts, trace }: CycleOptions): ModelWatch {
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
      const message = `${MOST_FAILURES} calls of the model ${texts?.model ?? ""} failed in a row; this cycle asks it no more.`;
      const failure = new CompactError("SummarizationFailed", message, { code: "MODEL_GIVEN_UP" });
      emitFailure({ ...DECISIONS, fallback: "extractive" }, failure, { trace });
    },
  };
}

/** For whoever reads what the cycle did. */
function warningOf(failed: number): string {
  const texts = failed === 1 ? "1 text is" : `${failed} texts are`;
  return `${MOST_FAILURES} calls of the model failed in a row, so it was asked no more: ${texts} written by code until a later cycle asks again.`;
}
