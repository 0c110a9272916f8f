// What the calls of a `CompactManager` have in common: what they take and give back, how their input is checked, and the run
// in the trace that each attempt at a compaction is.
import { emitFailure } from "../engine/attempt.ts";
import { CompactError } from "../errors.ts";
import { figure } from "../text/figures.ts";
import { isoTime } from "../time.ts";
import type { RunEvent } from "../trace/compact-event.ts";
import { type NewCompactEvent, type RunEnd, startRun } from "../trace/emit.ts";
import { type ConversationInput, type ConversationParts, writerOf } from "./conversation-parts.ts";
import type { ConversationReport, ConversationResult } from "./report.ts";

export interface ModelChoice {
  /** The model that the messages go to now, when it is not the configured one. */
  readonly model?: string;
  readonly maxContextTokens?: number;
  /** Kept free of the prompt for the answer. */
  readonly reservedOutputTokens?: number;
}

export interface PreflightOptions extends ModelChoice {
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  readonly format?: string;
  /** The provider's `usage` of the last call: anchors the estimate. Also read off answers that carry it. */
  readonly usage?: unknown;
  readonly signal?: AbortSignal;
}

export interface ManualOptions extends PreflightOptions {
  readonly note?: string;
  readonly targetTokens?: number;
  readonly isStrict?: boolean;
  /** Act only when the trigger says so, as `preflight` does. */
  readonly ifNeeded?: boolean;
  /** Whatever the size, but a host's own trigger asked and no person: told as such. */
  readonly isAutomatic?: boolean;
}

export interface CommandResult<Messages extends readonly unknown[] = readonly unknown[]> {
  readonly messages: Messages;
  /** A few lines for the user. */
  readonly reply: string;
}

/** What a host may show about a session between compactions. */
export interface SessionStatus {
  readonly session_id: string;
  readonly model: string;
  /** At the last look; null before the first. */
  readonly tokens: number | null;
  readonly max_context_tokens: number;
  readonly budget: number;
  /** Tokens at which the next automatic compaction starts. */
  readonly trigger_tokens: number;
  /** Number of the last compaction, over all processes. */
  readonly step: number;
  readonly summary_version: number;
  readonly facts: Readonly<Record<string, number>>;
  /** Whether a summary is being written ahead. */
  readonly early: "none" | "running" | "ready";
  readonly model_paused: boolean;
  /** Whether `undo` has something to take back. */
  readonly can_undo: boolean;
  /** Of the last compaction of this process. */
  readonly last: ConversationReport | null;
}

/** A few lines for the user who asked. */
export function describeStatus(status: SessionStatus): string {
  const number = (tokens: number) => figure(tokens);
  const { tokens } = status;
  const size =
    tokens === null
      ? "Nothing has been measured yet"
      : `${number(tokens)} of ${number(status.max_context_tokens)} tokens (${Math.round((100 * tokens) / status.max_context_tokens)} %)`;
  return [
    `${size}; compaction starts at ${number(status.trigger_tokens)}.`,
    status.summary_version === 0 ? "No summary yet." : `Summary v${status.summary_version}, step ${status.step}.`,
    ...(status.early === "none" ? [] : [`A summary prepared ahead is ${status.early}.`]),
    ...(status.model_paused ? ["The model failed three times and is not asked now; /compact asks it again."] : []),
  ].join("\n");
}

/** The same for a compaction that they asked for. */
export function describeOutcome({ status, reason = "", tokens_before, tokens_after }: ConversationReport): string {
  if (status === "skipped") return `Nothing was compacted (${reason.replaceAll("_", " ")}).`;
  const [before, after] = [tokens_before, tokens_after].map(figure);
  return `Compacted from ${before} to ${after} tokens.`;
}

// What a caller may pass: a session id, a list of messages, known options. Anything else is said at the door, not
// found out in the middle.

const KNOWN: ReadonlySet<string> = new Set([
  "sessionId",
  "messages",
  "format",
  "system",
  "tools",
  "isManual",
  "isAutomatic",
  "targetTokens",
  "note",
  "usage",
  "isStrict",
  "signal",
] satisfies readonly (keyof ConversationInput)[]);

/** Throws `InvalidInput` naming what is wrong. */
export function checkInput(input: ConversationInput): void {
  if (typeof input.sessionId !== "string" || input.sessionId === "")
    throw invalid("The session id must be a text that is not empty.");
  if (!Array.isArray(input.messages)) throw invalid("The messages must be a list.");
  const unknown = Object.keys(input).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) throw invalid(`${unknown} is not a known option.`);
  const { targetTokens } = input;
  if (targetTokens !== undefined && !(Number.isSafeInteger(targetTokens) && targetTokens > 0)) {
    throw invalid("targetTokens must be a whole number above 0.");
  }
}

function invalid(message: string): CompactError {
  return new CompactError("InvalidInput", message, { hint: "See the types of CompactManager." });
}

// One attempt at compacting, from when it was asked for to how it ends, whatever ends it: what it tells on the way
// carries its run, and the figures of its last event are those that it told itself.

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
  { trace, clock, policy, model, summarizer }: Omit<ConversationParts, "archive">,
  work: (trace: ConversationParts["trace"]) => Promise<ConversationResult>,
): Promise<ConversationResult> {
  const session_id = typeof sessionId === "string" ? sessionId : "";
  const run = startRun(trace, { event, session_id, ...(typeof note === "string" ? { note } : {}) }, clock);
  const figures: Figures = {};
  // What fails began when the last thing that was emitted had ended.
  let since = clock();
  let step: number | undefined;
  const emit = (event: NewCompactEvent) => {
    noteFigures(figures, event);
    if (event.event === "compact.trigger_decision") step = event.step;
    const { started_at, duration_ms = 0 } = event;
    since = started_at === undefined ? clock() : Math.max(since, Date.parse(started_at) + duration_ms);
    run.emit(event);
  };
  try {
    const result = await work({ emit });
    run.end(endOf(result.report, figures));
    return result;
  } catch (error) {
    const { reason, ...rest } = figures;
    const isSummary = CompactError.isInstance(error) && error.kind === "SummarizationFailed";
    const writer = isSummary ? writerOf(summarizer) : {};
    const place = { ...(step === undefined ? {} : { step }), strategy: policy.strategy, model, ...writer };
    const times = { started_at: isoTime(since), duration_ms: Math.max(0, clock() - since) };
    emitFailure({ sessionId: session_id, fallback: "kept-original", place }, error, { trace: { emit } }, times);
    if (isAbort(error, signal)) run.end({ outcome: "aborted", reason: reason ?? "aborted", ...rest });
    else run.end({ outcome: "failed", reason: codeOf(error), ...rest });
    throw error;
  }
}

/** What the events of the run have said so far. */
type Figures = { -readonly [Field in "reason" | "step" | "tokens_before"]?: RunEvent[Field] };

function noteFigures(figures: Figures, event: NewCompactEvent): void {
  if (event.event === "compact.token_estimate") figures.tokens_before = event.t_est;
  if (event.event === "compact.trigger_decision") figures.reason = event.reason;
  else if ("step" in event && event.step !== undefined) figures.step = event.step;
}

function endOf({ status, reason, tokens_before, tokens_after }: ConversationReport, figures: Figures): RunEnd {
  const { reason: trigger = "unknown", ...rest } = figures;
  if (status === "skipped") return { outcome: "skipped", reason: reason ?? trigger, ...rest };
  return { outcome: "completed", reason: trigger, ...rest, tokens_before, tokens_after };
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
