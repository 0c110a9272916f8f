// What only this process knows of a session, beside the stored state: which list it answered with what, how it counted,
// how its model fares, and what the last compaction can be taken back to.
import { type Calibration, UNCALIBRATED } from "../../tokens/calibrate.ts";
import type { ConversationParts } from "../conversation-parts.ts";
import { emitError } from "../emit-error.ts";
import type { ConversationReport } from "../report.ts";
import { FRESH_STATE, loadState, type SessionState } from "../session-state.ts";
import type { MeasuredConversation } from "../stages/measure-conversation.ts";
import type { CallSize } from "../usage/calibrated-counter.ts";
import type { EarlySummary } from "./early-summary.ts";
import type { Answered } from "./list-continuation.ts";
import { type ModelBreaker, NO_FAILURES } from "./model-breaker.ts";

export interface Undoable {
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
  try {
    return await loadState(parts.archive, sessionId);
  } catch (error) {
    if (parts.isArchiveRequired) throw error;
    emitError(sessionId, error, "none", parts);
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
