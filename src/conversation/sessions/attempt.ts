// One attempt at compacting, from when it was asked for to how it ends, whatever ends it: what it tells on the way
// carries its run, and the figures of its last event are those that it told itself.
import { CompactError } from "../../errors.ts";
import type { RunEvent } from "../../trace/compact-event.ts";
import type { NewCompactEvent } from "../../trace/emit.ts";
import { type RunEnd, startRun } from "../../trace/run.ts";
import type { ConversationParts } from "../conversation-parts.ts";
import { emitError } from "../emit-error.ts";
import type { ConversationReport, ConversationResult } from "../report.ts";

export interface AttemptStart {
  readonly event: RunEvent["event"];
  /** As the caller gave it: it may be refused. */
  readonly sessionId: unknown;
  readonly note?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** The work begins before anything is awaited. What it throws is an event, ends the run, and is thrown on. */
export async function attempt(
  { event, sessionId, note, signal }: AttemptStart,
  { trace, clock }: Pick<ConversationParts, "trace" | "clock">,
  work: (trace: ConversationParts["trace"]) => Promise<ConversationResult>,
): Promise<ConversationResult> {
  const session_id = typeof sessionId === "string" ? sessionId : "";
  const run = startRun(trace, { event, session_id, ...(typeof note === "string" ? { note } : {}) }, clock);
  const told: Told = {};
  const emit = (event: NewCompactEvent) => {
    listen(told, event);
    run.emit(event);
  };
  try {
    const result = await work({ emit });
    run.end(endOf(result.report, told));
    return result;
  } catch (error) {
    emitError(session_id, error, "kept-original", { trace: { emit } });
    const { reason, ...figures } = told;
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
  if ("step" in event && event.step !== undefined) told.step = event.step;
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
