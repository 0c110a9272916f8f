// Gets the text that stands for what left: a framed summary, or, when the summarizer fails, what the policy's
// `on_summary_failure` asks for. An error text never becomes a summary.
import { CompactError } from "../../errors.ts";
import { writeRecord } from "../../summaries/record.ts";
import type { Doubt, LeftOut, Strategy, SummaryUsage } from "../../summaries/summarizer.ts";
import { nextTurn } from "../../tokens/turns/pacer.ts";
import { runInTurns } from "../../tokens/turns/stepwise.ts";
import { startWatch, type Times } from "../../trace/watch.ts";
import type { ConversationParts } from "../conversation-parts.ts";
import { emitError } from "../emit-error.ts";
import type { DueCompaction } from "../prepared-compaction.ts";
import { failuresOf } from "../sessions/failures-of.ts";
import { askSummarizer, type LastCall } from "./ask-summarizer.ts";
import { type FrameInput, frameNotice, frameSummary } from "./summary-frame.ts";
import { frameTokens, summaryRequest, type TimedSummary, textCap } from "./summary-room.ts";

export interface WrittenSummary {
  /** Whole message text, frame included. */
  readonly text: string;
  /** N of the summary; null for a notice. */
  readonly version: number | null;
  readonly source: "extractive" | "model" | "model+ledger" | "none";
  /** Of the text: a refused one may have become a brief one. */
  readonly strategy: Strategy;
  readonly left: LeftOut;
  /** What of a model's text was marked or left out. */
  readonly doubts: readonly Doubt[];
  readonly usage: SummaryUsage | undefined;
  /** Failed calls of the model, 0 when its answer was used; undefined when none was asked. */
  readonly modelFailures: number | undefined;
  /** The failure that the text stands in for, and what can be done about it. */
  readonly failure: { readonly code: string; readonly hint?: string | undefined } | undefined;
  /** Of the summarizer; undefined for a notice, which none wrote. */
  readonly times: Times | undefined;
}

/** A model that cannot be loaded is as good as one that does not answer. */
const SUMMARIZER_FAILURES: ReadonlySet<string> = new Set(["SummarizationFailed", "MissingDependency"]);

export interface WriteOptions {
  readonly isArchived: boolean;
  /** Give up instead of falling back: the list may stay as it is. */
  readonly keepsOnFailure: boolean;
}

/** No summary could be had, and the policy wants the list left alone then. */
export interface KeptList {
  readonly kept: true;
  readonly modelFailures: number;
}

/**
 * Undefined when nothing but tool results was shortened, so there is nothing to stand for. Throws what is not the summarizer's failure, and that too when somebody asked
 * for the compaction and is to learn of it.
 */
export async function writeSummary(
  due: DueCompaction,
  parts: ConversationParts,
  { isArchived, keepsOnFailure }: WriteOptions,
): Promise<WrittenSummary | KeptList | undefined> {
  if (due.layers.removed.length === 0) return undefined;
  const lastCall: LastCall = { watch: undefined };
  const frame = frameOf(due, isArchived);
  try {
    const summary = due.layers.draft ?? (await askSummarizer(due, parts, lastCall));
    await nextTurn();
    return await finish(summary, due, frame, parts);
  } catch (error) {
    const times = lastCall.watch?.();
    if (CompactError.isInstance(error) && !SUMMARIZER_FAILURES.has(error.kind)) throw error;
    due.input.signal?.throwIfAborted();
    if (keepsOnFailure) {
      if (due.input.isManual) throw error;
      emitError(due.input.sessionId, error, "kept-original", parts, times);
      return { kept: true, modelFailures: failuresOf(error) };
    }
    return fallBack({ error, times }, due, frame, parts);
  }
}

async function finish(
  summary: TimedSummary,
  due: DueCompaction,
  frame: FrameInput,
  parts: ConversationParts,
): Promise<WrittenSummary> {
  // A model that was shown secrets may repeat them; the list that goes on is read by others.
  const safe = summary.source === "extractive" ? summary : { ...summary, text: parts.redactor.text(summary.text) };
  const { text, source, left } =
    safe.left === undefined ? await completed(safe, due, parts) : { left: safe.left, ...safe };
  return {
    text: frameSummary(text, frame),
    version: frame.version,
    source,
    strategy: summary.strategy ?? parts.policy.strategy,
    left,
    doubts: summary.doubts ?? [],
    usage: summary.usage,
    modelFailures: summary.source === "extractive" ? undefined : 0,
    failure: undefined,
    times: summary.times,
  };
}

/** The text of a summarizer that is not ours stands as it is; what it lacks stands below it. */
async function completed(summary: TimedSummary, { layers, input }: DueCompaction, parts: ConversationParts) {
  const room = textCap(layers.summaryTokens, parts, input);
  const strategy = summary.strategy ?? parts.policy.strategy;
  const count = (text: string) => parts.counter.countText(text);
  const record = await runInTurns(
    writeRecord({ ledger: layers.shown, strategy, room, count, header: [], above: summary.text }),
  );
  if (record.text === "")
    throw new CompactError("SummarizationFailed", "The summarizer returned more than it was asked for.", {
      code: "TOO_LONG_ANSWER",
    });
  const isAdded = record.text.length > summary.text.length + 2;
  const source = summary.source === "model" && isAdded ? ("model+ledger" as const) : summary.source;
  return { text: record.text, source, left: record.left };
}

/** What the policy wants instead of the summary that could not be had. */
async function fallBack(
  { error, times }: { readonly error: unknown; readonly times: Times | undefined },
  due: DueCompaction,
  frame: FrameInput,
  parts: ConversationParts,
): Promise<WrittenSummary> {
  const { input, layers, read } = due;
  const modelFailures = due.isModelPaused ? undefined : failuresOf(error);
  const failure = CompactError.isInstance(error) ? error : { code: "SUMMARIZER_FAILED" };
  const usage = usageOf(error);
  if (parts.policy.onSummaryFailure === "extractive") {
    emitError(input.sessionId, error, "extractive", parts, times);
    const request = summaryRequest(layers, layers.summaryTokens, parts, read.previousSummary, input);
    const watch = startWatch(parts.clock);
    const summary = await parts.extractive.summarize(request);
    const written = await finish({ ...summary, times: watch() }, due, frame, parts);
    return { ...written, modelFailures, failure, usage };
  }
  emitError(input.sessionId, error, "pruning-only", parts, times);
  const room = layers.summaryTokens - frameTokens(parts, input);
  const count = (text: string) => parts.counter.countText(text);
  const record = await runInTurns(
    writeRecord({ ledger: layers.shown, strategy: "brief", room: Math.max(0, room), count, header: [] }),
  );
  return {
    text: frameNotice(record.text === "" ? [] : record.text.split("\n"), frame),
    version: null,
    source: "none",
    strategy: parts.policy.strategy,
    left: record.left,
    doubts: [],
    usage,
    modelFailures,
    failure,
    times: undefined,
  };
}

/** What failed calls cost all the same. */
function usageOf(error: unknown): SummaryUsage | undefined {
  if (!CompactError.isInstance(error)) return undefined;
  const { calls, inputTokens, outputTokens } = error.data;
  const isKnown = typeof calls === "number" && typeof inputTokens === "number" && typeof outputTokens === "number";
  return isKnown ? { calls, inputTokens, outputTokens } : undefined;
}

function frameOf({ input, read, step, layers }: DueCompaction, isArchived: boolean): FrameInput {
  return {
    version: read.carried.summary_version + 1,
    sessionId: input.sessionId,
    step,
    prunedCount: layers.removed.length,
    isArchived,
  };
}
