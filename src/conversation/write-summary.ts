// Gets the text that stands for what left: a framed summary, or, when the summarizer fails, what the policy's
// `on_summary_failure` asks for. An error text never becomes a summary.
import { emitFailure } from "../engine/attempt.ts";
import { CompactError } from "../errors.ts";
import { writeRecord } from "../summaries/record.ts";
import type { Doubt, LeftOut, Setback, Strategy, SummaryUsage } from "../summaries/summarizer.ts";
import { nextTurn, runInTurns } from "../tokens/stepwise.ts";
import { startWatch, type Times } from "../trace/emit.ts";
import type { Assembled } from "./assemble.ts";
import { type ConversationParts, placeOfFailure } from "./conversation-parts.ts";
import type { DueCompaction, PreparedCompaction } from "./layers.ts";
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
  // Where no call was made: since it was to be written.
  const lastCall: LastCall = { watch: startWatch(parts.clock) };
  const frame = frameOf(due, isArchived);
  try {
    const summary = due.layers.draft ?? (await askSummarizer(due, parts, lastCall));
    await nextTurn();
    return await finish(summary, due, frame, parts);
  } catch (error) {
    const times = lastCall.watch();
    if (CompactError.isInstance(error) && !SUMMARIZER_FAILURES.has(error.kind)) throw error;
    due.input.signal?.throwIfAborted();
    if (keepsOnFailure) {
      if (due.input.isManual) throw error;
      const place = placeOfFailure(due, parts);
      emitFailure({ sessionId: due.input.sessionId, fallback: "kept-original", place }, error, parts, times);
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
    writeRecord({
      ledger: layers.shown,
      staying: layers.staying,
      strategy,
      room,
      count,
      header: [],
      above: summary.text,
    }),
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
  { error, times }: { readonly error: unknown; readonly times: Times },
  due: DueCompaction,
  frame: FrameInput,
  parts: ConversationParts,
): Promise<WrittenSummary> {
  const { input, layers, read } = due;
  const of = { sessionId: input.sessionId, place: placeOfFailure(due, parts) };
  const modelFailures = due.isModelPaused ? undefined : failuresOf(error);
  const failure = CompactError.isInstance(error) ? error : { code: "SUMMARIZER_FAILED" };
  const usage = usageOf(error);
  if (parts.policy.onSummaryFailure === "extractive") {
    emitFailure({ ...of, fallback: "extractive" }, error, parts, times);
    const request = summaryRequest(layers, layers.summaryTokens, parts, read.previousSummary, input);
    const watch = startWatch(parts.clock);
    const summary = await parts.extractive.summarize(request);
    const written = await finish({ ...summary, times: watch() }, due, frame, parts);
    return { ...written, modelFailures, failure, usage };
  }
  emitFailure({ ...of, fallback: "pruning-only" }, error, parts, times);
  const room = layers.summaryTokens - frameTokens(parts, input);
  const count = (text: string) => parts.counter.countText(text);
  const record = await runInTurns(
    writeRecord({
      ledger: layers.shown,
      staying: layers.staying,
      strategy: "brief",
      room: Math.max(0, room),
      count,
      header: [],
    }),
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

// Asks the summarizer for a text and tells of each step of its failure ladder. What stands in for a text that could not
// be had is decided in write-summary.ts.

/** Tells how long the summarizer, or the model behind it, has been at its last call. */
export interface LastCall {
  watch: () => Times;
}

/**
 * Asks the summarizer, unless its model is paused. Each step of its failure ladder is an event, with the times of the call
 * that failed; those of the last one are left in `lastCall`, since its failure is told by who knows what stands in for it.
 */
export async function askSummarizer(
  due: DueCompaction,
  parts: ConversationParts,
  lastCall: LastCall = { watch: startWatch(parts.clock) },
): Promise<TimedSummary> {
  const { input, layers, read } = due;
  if (due.isModelPaused && parts.summarizer.kind === "model") throw paused();
  const watch = startWatch(parts.clock);
  const onCall = () => {
    lastCall.watch = startWatch(parts.clock);
  };
  onCall();
  const onSetback = (setback: Setback) => {
    // The last one is told by the fallback that follows.
    if (setback.next === "give-up") return;
    emitSetback(due, setback, lastCall.watch(), parts);
    onCall();
  };
  const request = summaryRequest(layers, layers.summaryTokens, parts, read.previousSummary, input);
  const summary = await parts.summarizer.summarize({ ...request, onCall, onSetback });
  if (typeof summary?.text !== "string" || summary.text.trim() === "")
    throw new CompactError("SummarizationFailed", "The summarizer returned an empty text.", { code: "EMPTY_ANSWER" });
  return { ...summary, times: watch() };
}

function emitSetback(
  due: DueCompaction,
  { code, message, next, attempt }: Setback,
  times: Times,
  parts: ConversationParts,
): void {
  parts.trace.emit({
    event: "compact.error",
    session_id: due.input.sessionId,
    status: "error",
    error_type: code,
    message,
    fallback: next,
    attempt,
    ...placeOfFailure(due, parts),
    ...times,
  });
}

function paused(): CompactError {
  return new CompactError("SummarizationFailed", "The model failed three times in this session and is not asked now.", {
    code: "MODEL_PAUSED",
    hint: "A manual compaction asks it again; so does an automatic one ten minutes after its last failure.",
  });
}

// A summary that is written before it is due, while the agent works on. It is used only when the list it was made from
// still stands at the head of the list that is due; else it is dropped and made anew.

export interface EarlySummary {
  readonly given: readonly unknown[];
  /** As for a compaction of `given` that is due, with the summary already in it. */
  readonly prepared: PreparedCompaction;
}

/** Share of the window by which the result may lie above the target: the messages that came since were not reckoned with. */
const SLACK = 0.05;

/** For a list that begins with `given`. Undefined when it had to be healed, or when what came since takes the room that was won. */
export function adoptEarly({ given, prepared }: EarlySummary, now: PreparedCompaction): PreparedCompaction | undefined {
  const { messages } = now.input;
  const { due } = prepared;
  if (due === undefined || now.measured.repairs.length > 0) return undefined;
  const { layers } = due;
  const written = now.parts.counter.countText(layers.draft?.text ?? "") + frameTokens(now.parts, now.input);
  const appended = now.measured.tokens.slice(given.length).reduce((sum, size) => sum + size, 0);
  const expected = layers.fit.tokens + written + appended;
  const acceptable = Math.min(layers.target + SLACK * now.parts.maxContextTokens, now.parts.budget);
  if (expected > acceptable) return undefined;
  const input = { ...now.input, messages: messages.slice(0, given.length) };
  const read = { ...due.read, total: now.measured.total };
  return { ...now, due: { ...due, input, read }, appended: messages.slice(given.length) };
}

/** The sizes with what stands behind the compacted list. */
export function withAppended(assembled: Assembled, { appended, measured, parts }: PreparedCompaction): Assembled {
  if (appended.length === 0) return assembled;
  const added = appended.reduce<number>(
    (sum, message) => sum + parts.counter.countMessage(message, measured.format.view(message)),
    0,
  );
  return { ...assembled, tokens: assembled.tokens + added, recentTokens: assembled.recentTokens + added };
}

// How many calls of a model stand behind a failed summary: what the breaker counts.

export function failuresOf(error: unknown): number {
  const failures = CompactError.isInstance(error) ? error.data.failures : undefined;
  return typeof failures === "number" && failures > 0 ? failures : 1;
}
