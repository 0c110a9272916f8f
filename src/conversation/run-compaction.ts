// Runs one compaction of a session: with what earlier looks found, on the next free step, and remembers what came of it.
import { emitFailure } from "../engine/attempt.ts";
import { CompactError } from "../errors.ts";
import { isoTime } from "../time.ts";
import type { RunEvent } from "../trace/compact-event.ts";
import { type NewCompactEvent, type RunEnd, startRun } from "../trace/emit.ts";
import type { AppliedCompaction, Earlier } from "./compact-conversation.ts";
import { type ConversationInput, type ConversationParts, writerOf } from "./conversation-parts.ts";
import { loadCompaction, startEarly, takeEarly } from "./early-summary.ts";
import { isPaused, type LiveSession, recordOutcome } from "./live-session.ts";
import type { ConversationReport, ConversationResult } from "./report.ts";
import type { SessionState } from "./session-state.ts";
import { sizeUp } from "./usage.ts";
import { failuresOf } from "./write-summary.ts";

/** Share of the window that must be new before a round that could not reach its target is tried again. */
export const GROWTH_SHARE = 0.05;
/** Another process may take the same step number; each try takes the next free one. */
const STEP_TRIES = 50;
/** Reasons after which the same list would come to nothing again. */
const FRUITLESS: ReadonlySet<string> = new Set(["not_beneficial", "nothing_to_compact", "summary_failed"]);

/** `trace`: of the attempt; what is prepared for a later one has none. A failure is the attempt's to tell. */
export async function runCompaction(
  input: ConversationInput,
  session: LiveSession,
  isStillThere: () => boolean,
  trace: ConversationParts["trace"],
): Promise<AppliedCompaction> {
  const parts = { ...session.parts, trace };
  const { applyPrepared, prepareCompaction } = await loadCompaction();
  for (let tries = 1; ; tries++) {
    try {
      const earlier = { ...earlierLooks(session, input), isTold: tries > 1 };
      const prepared = await prepareCompaction(input, session.state, parts, earlier);
      const { counted, calibration, lastCall } = prepared.sizes;
      Object.assign(session, { counted, calibration, lastCall, tokens: prepared.measured.total });
      const applied = await applyPrepared(prepared, isStillThere);
      if (applied.modelFailures !== undefined)
        session.breaker = recordOutcome(session.breaker, applied.modelFailures, parts.clock());
      if (FRUITLESS.has(applied.report.reason ?? ""))
        session.waitUntil = prepared.measured.total - prepared.measured.doubted + GROWTH_SHARE * parts.maxContextTokens;
      if (applied.report.reason === "below_trigger" && isTimeToPrepare(session, prepared.measured.total))
        // Not with the caller's signal: it speaks of this call, which is over.
        startEarly(withoutSignal(input), session, session.parts);
      return applied;
    } catch (error) {
      const isTaken = CompactError.isInstance(error) && error.kind === "Conflict";
      if (isTaken && tries < STEP_TRIES) continue;
      if (CompactError.isInstance(error) && error.kind === "SummarizationFailed")
        session.breaker = recordOutcome(session.breaker, failuresOf(error), parts.clock());
      throw error;
    }
  }
}

/** Size of the list as a compaction would see it. */
export async function measureNow(input: ConversationInput, session: LiveSession): Promise<number> {
  const { measured, next } = await sizeUp(input, session.state, session.parts, earlierLooks(session, input));
  Object.assign(session, next);
  return measured.total;
}

/** The soft trigger: once for a list, which may go on growing. */
function isTimeToPrepare({ early, parts }: LiveSession, tokens: number): boolean {
  const { preparePct = Number.POSITIVE_INFINITY, prepareTokens = Number.POSITIVE_INFINITY } = parts.policy;
  return early === undefined && (tokens >= preparePct * parts.maxContextTokens || tokens >= prepareTokens);
}

function withoutSignal({ signal: _, ...input }: ConversationInput): ConversationInput {
  return input;
}

function earlierLooks(session: LiveSession, input: ConversationInput): Earlier {
  const { counted, calibration, lastCall, waitUntil, answered, breaker, parts } = session;
  return {
    counted,
    calibration,
    lastCall,
    waitUntil,
    compactedLength: answered?.output.length ?? 0,
    isModelPaused: isPaused(breaker, parts.clock(), input.isManual),
    takeEarly: () => takeEarly(session, input),
  };
}

export function remember(
  session: LiveSession,
  { given, current }: { readonly given: readonly unknown[]; readonly current: readonly unknown[] },
  { report, messages: output }: AppliedCompaction,
  state: SessionState,
): void {
  const { state: before, answered, parts } = session;
  session.undoable = { before: current, tokens: report.tokens_before, output, state: before, answered };
  session.state = state;
  session.answered = { input: given, output };
  // Where the target was missed, or lies at the trigger, the next message would start the next round.
  session.waitUntil = report.tokens_after + GROWTH_SHARE * parts.maxContextTokens;
  session.lastReport = report;
  session.tokens = report.tokens_after;
}

// One attempt at compacting, from when it was asked for to how it ends, whatever ends it: what it tells on the way
// carries its run, and the figures of its last event are those that it told itself.

interface AttemptStart {
  readonly event: RunEvent["event"];
  /** As the caller gave it: it may be refused. */
  readonly sessionId: unknown;
  readonly note?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** The work begins before anything is awaited. What it throws is an event, ends the run, and is thrown on. */
export async function attempt(
  { event, sessionId, note, signal }: AttemptStart,
  { trace, clock, policy, model, summarizer }: Omit<ConversationParts, "archive">,
  work: (trace: ConversationParts["trace"]) => Promise<ConversationResult>,
): Promise<ConversationResult> {
  const session_id = typeof sessionId === "string" ? sessionId : "";
  const run = startRun(trace, { event, session_id, ...(typeof note === "string" ? { note } : {}) }, clock);
  const told: Told = {};
  // What fails began when the last thing that is told had ended.
  let since = clock();
  let step: number | undefined;
  const emit = (event: NewCompactEvent) => {
    listen(told, event);
    if (event.event === "compact.trigger_decision") step = event.step;
    const { started_at, duration_ms = 0 } = event;
    since = started_at === undefined ? clock() : Math.max(since, Date.parse(started_at) + duration_ms);
    run.emit(event);
  };
  try {
    const result = await work({ emit });
    run.end(endOf(result.report, told));
    return result;
  } catch (error) {
    const isSummary = CompactError.isInstance(error) && error.kind === "SummarizationFailed";
    const { reason, ...figures } = told;
    const writer = isSummary ? writerOf(summarizer) : {};
    const place = { ...(step === undefined ? {} : { step }), strategy: policy.strategy, model, ...writer };
    const times = { started_at: isoTime(since), duration_ms: Math.max(0, clock() - since) };
    emitFailure({ sessionId: session_id, fallback: "kept-original", place }, error, { trace: { emit } }, times);
    if (isAbort(error, signal)) run.end({ outcome: "aborted", reason: reason ?? "aborted", ...figures });
    else run.end({ outcome: "failed", reason: codeOf(error), ...figures });
    throw error;
  }
}

/** What the run has told of itself so far. */
type Told = { -readonly [Field in "reason" | "step" | "tokens_before"]?: RunEvent[Field] };

function listen(told: Told, event: NewCompactEvent): void {
  if (event.event === "compact.token_estimate") told.tokens_before = event.t_est;
  if (event.event === "compact.trigger_decision") told.reason = event.reason;
  else if ("step" in event && event.step !== undefined) told.step = event.step;
}

function endOf({ status, reason, tokens_before, tokens_after }: ConversationReport, told: Told): RunEnd {
  const { reason: trigger = "unknown", ...figures } = told;
  if (status === "skipped") return { outcome: "skipped", reason: reason ?? trigger, ...figures };
  return { outcome: "completed", reason: trigger, ...figures, tokens_before, tokens_after };
}

/** The caller's wish, however it was put; an error of ours that came up at the same time is a failure all the same. */
function isAbort(error: unknown, signal: AbortSignal | undefined): boolean {
  if (CompactError.isInstance(error)) return false;
  return signal?.aborted === true || (error instanceof Error && error.name === "AbortError");
}

function codeOf(error: unknown): string {
  if (CompactError.isInstance(error)) return error.code;
  return error instanceof Error ? error.name : "Error";
}
