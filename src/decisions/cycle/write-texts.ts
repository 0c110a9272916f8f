// Writes the texts that a plan names, in its order, and keeps each few as they come: what a cycle has written stays, even
// if it is ended before it is done. Waits for a model, so it never stands inside a transaction.
import type { StoredDecision } from "../decision.ts";
import type { DecisionLog, DecisionText } from "../decision-log.ts";
import type { TextWriter } from "../texts/text-writer.ts";
import type { CycleOptions } from "./cycle-options.ts";
import { inBatches } from "./in-batches.ts";
import type { Lease } from "./lease.ts";
import type { ModelWatch } from "./model-watch.ts";
import type { DecisionCompactionPlan } from "./plan-schema.ts";
import { byPriority } from "./priority.ts";

/** Calls of a model at a time. */
const AT_A_TIME = 4;
/** Texts of code between two looks at the signal: they take no time, keeping them does. */
const BY_CODE = 500;

export interface WrittenTexts {
  readonly llm: number;
  readonly extractive: number;
  /** A model gave none that is of use; they are served as code writes them, and asked for again by the next cycle. */
  readonly failed: number;
}

export const NO_TEXTS: WrittenTexts = { llm: 0, extractive: 0, failed: 0 };

export interface Writing extends Pick<CycleOptions, "texts" | "signal"> {
  readonly lease: Lease;
  readonly watch: ModelWatch;
}

type Due = { readonly id: string; readonly level: DecisionText["level"]; readonly priority: number };

/** Without a writer none is written. @throws Conflict (`CYCLE_LOST`); the reason of an aborted `signal`; StoreFailed. */
export async function writeTexts(
  log: DecisionLog,
  plan: DecisionCompactionPlan,
  { lease, texts, signal, watch }: Writing,
): Promise<WrittenTexts> {
  let counts = NO_TEXTS;
  if (texts === undefined) return counts;
  for (const batch of inBatches(dueTexts(plan), texts.model === "extractive" ? BY_CODE : AT_A_TIME)) {
    signal?.throwIfAborted();
    await lease.renew();
    const due = await missingTexts(log, batch, texts);
    const written = watch.isDown ? leftToCode(due) : await writeBatch(log, due, texts, signal);
    for (const { source, hasFailed, hasFailedCall } of written)
      if (source === "llm" || hasFailed === true) watch.note(hasFailedCall === true);
    counts = written.reduce(counted, counts);
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

function counted(counts: WrittenTexts, { source, hasFailed }: Outcome): WrittenTexts {
  const key = hasFailed === true ? "failed" : source;
  return { ...counts, [key]: counts[key] + 1 };
}
