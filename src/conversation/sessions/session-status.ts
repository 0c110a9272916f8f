// What a host may show about a session between compactions.
import { countFacts } from "../../facts/ledger.ts";
import type { ConversationReport } from "../report.ts";
import { describeLimits } from "../usage/limits.ts";
import type { LiveSession } from "./live-session.ts";
import { isPaused } from "./model-breaker.ts";

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

export function describeSession(sessionId: string, session: LiveSession): SessionStatus {
  const { parts, state, early } = session;
  const { maxContextTokens, budget } = parts;
  const { trigger_tokens } = describeLimits(parts);
  return {
    session_id: sessionId,
    model: parts.model,
    tokens: session.tokens ?? null,
    max_context_tokens: maxContextTokens,
    budget,
    trigger_tokens: Math.max(trigger_tokens, Math.min(session.waitUntil ?? 0, budget + 1)),
    step: state.step,
    summary_version: state.summary_version,
    facts: countFacts(state.ledger),
    early: early === undefined ? "none" : early.isReady ? "ready" : "running",
    model_paused: isPaused(session.breaker, parts.clock(), false),
    can_undo: session.undoable !== undefined,
    last: session.lastReport ?? null,
  };
}
