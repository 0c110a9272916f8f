// What only this process knows of a session, beside the stored state: which list it answered with what, how it counted,
// how its model fares, and what the last compaction can be taken back to.
import { emitFailure } from "../engine/attempt.ts";
import { CompactError } from "../errors.ts";
import { type Calibration, UNCALIBRATED } from "../tokens/budget.ts";
import { startWatch } from "../trace/emit.ts";
import type { ConversationParts } from "./conversation-parts.ts";
import type { MeasuredConversation } from "./measure-conversation.ts";
import type { ConversationReport } from "./report.ts";
import { FRESH_STATE, loadState, type SessionState } from "./session-state.ts";
import type { CallSize } from "./usage.ts";
import type { EarlySummary } from "./write-summary.ts";

interface Undoable {
  /** The list that was compacted, the same objects. */
  readonly before: readonly unknown[];
  readonly tokens: number;
  readonly output: readonly unknown[];
  readonly state: SessionState;
  readonly answered: Answered | undefined;
}

export interface Early {
  readonly given: readonly unknown[];
  /** It goes on from this state; after another compaction it would forget what that one carried. */
  readonly state: SessionState;
  readonly written: Promise<EarlySummary | undefined>;
  isReady: boolean;
  readonly controller: AbortController;
}

export interface LiveSession {
  state: SessionState;
  /** The list last answered, and the answer. */
  answered: Answered | undefined;
  /** Tokens below which another automatic round would gain nothing. */
  waitUntil: number | undefined;
  counted: MeasuredConversation | undefined;
  calibration: Calibration;
  lastCall: CallSize | undefined;
  /** Tokens at the last look. */
  tokens: number | undefined;
  /** The parts of the last look: a session may go on with another model. */
  parts: ConversationParts;
  breaker: ModelBreaker;
  undoable: Undoable | undefined;
  early: Early | undefined;
  lastReport: ConversationReport | undefined;
  /** Ends when the session's running compaction ends. */
  queue: Promise<unknown>;
}

/** `trace`: of the attempt that needs it. Throws `StoreFailed`, `ArchiveFailed`, unless it may go on without an archive. */
export async function openSession(
  sessionId: string,
  parts: ConversationParts,
  trace: ConversationParts["trace"],
): Promise<LiveSession> {
  return {
    state: await loadOrStartOver(sessionId, { ...parts, trace }),
    answered: undefined,
    waitUntil: undefined,
    counted: undefined,
    calibration: UNCALIBRATED,
    lastCall: undefined,
    tokens: undefined,
    parts,
    breaker: NO_FAILURES,
    undoable: undefined,
    early: undefined,
    lastReport: undefined,
    queue: Promise.resolve(),
  };
}

async function loadOrStartOver(sessionId: string, parts: ConversationParts): Promise<SessionState> {
  const watch = startWatch(parts.clock);
  try {
    return await loadState(parts.archive, sessionId);
  } catch (error) {
    if (parts.isArchiveRequired) throw error;
    const place = { strategy: parts.policy.strategy, model: parts.model };
    emitFailure({ sessionId, place }, error, parts, watch());
    return FRESH_STATE;
  }
}

/** Counts of another model say nothing about this one; the list is measured anew. */
export function switchModel(session: LiveSession, parts: ConversationParts): void {
  if (session.parts === parts) return;
  session.parts = parts;
  session.counted = undefined;
  session.calibration = UNCALIBRATED;
  session.lastCall = undefined;
  session.waitUntil = undefined;
}

// How one list of messages goes on from another: what a caller keeps by itself, and what it added while we worked.

/** A list as it came in, and what it became. */
interface Answered {
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
}

/** A caller that keeps its own whole history gets the compacted prefix instead of the messages it stands for. */
export function replay(answered: Answered | undefined, messages: readonly unknown[]): readonly unknown[] {
  if (answered === undefined || !continues(messages, answered.input)) return messages;
  return [...answered.output, ...messages.slice(answered.input.length)];
}

/** Does `messages` begin with these, by content? Copies of the same messages count. */
export function continues(messages: readonly unknown[], head: readonly unknown[]): boolean {
  return messages.length >= head.length && head.every((message, index) => isSame(message, messages[index]));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** What the caller pushed onto its list meanwhile; undefined when the list is no longer the one that was read. */
export function appendedSince(before: readonly unknown[], now: readonly unknown[]): readonly unknown[] | undefined {
  const isIntact = now.length >= before.length && before.every((message, index) => message === now[index]);
  return isIntact ? now.slice(before.length) : undefined;
}

/** What `messages` has behind the list that the last compaction gave. Throws `Conflict` when it does not go on from it. */
export function behind(output: readonly unknown[], messages: readonly unknown[]): readonly unknown[] {
  if (continues(messages, output)) return messages.slice(output.length);
  throw new CompactError("Conflict", "The messages do not go on from the list that the last compaction gave.", {
    code: "LIST_CHANGED",
    hint: "Call undo without messages to get the list as it was before that compaction.",
  });
}

// Stops asking a model that keeps failing: after three failed calls of a session in a row every turn would pay for one
// more. A manual compaction is the probe; so is the first automatic one after a pause, since outages end.

interface ModelBreaker {
  /** Failed calls since the last answer that was of use. */
  readonly failures: number;
  /** Milliseconds since the epoch of the last one. */
  readonly failedAt: number;
}

const NO_FAILURES: ModelBreaker = { failures: 0, failedAt: 0 };

const MOST_FAILURES = 3;
const PAUSE_MS = 10 * 60_000;

export function isPaused({ failures, failedAt }: ModelBreaker, now: number, isManual: boolean): boolean {
  return !isManual && failures >= MOST_FAILURES && now - failedAt < PAUSE_MS;
}

/** `failures`: failed calls of one summary that came to nothing; 0 when it was written. */
export function recordOutcome(breaker: ModelBreaker, failures: number, now: number): ModelBreaker {
  return failures === 0 ? NO_FAILURES : { failures: breaker.failures + failures, failedAt: now };
}
