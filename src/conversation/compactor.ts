// What the calls of a `CompactManager` take and give back, and what is told of a session between compactions.
import { countFacts } from "../facts/ledger.ts";
import { describeLimits } from "./conversation-parts.ts";
import { isPaused, type LiveSession } from "./live-session.ts";
import type { ConversationReport } from "./report.ts";

export interface ModelChoice {
  /** The model that the messages go to now, when it is not the configured one. */
  readonly model?: string;
  readonly maxContextTokens?: number;
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

// What a host may show about a session between compactions.

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

// The two commands a host can route here when its user types them: `/compact [what to keep in mind]`, `/compact_status`.

type SessionCommand = { readonly name: "compact"; readonly note?: string } | { readonly name: "status" };

/** Undefined when the text is no command of ours. Only its first line is looked at for the name. */
export function readCommand(text: string): SessionCommand | undefined {
  const trimmed = text.trim();
  if (trimmed === "/compact_status") return { name: "status" };
  if (trimmed === "/compact") return { name: "compact" };
  if (!/^\/compact\s/.test(trimmed)) return undefined;
  return { name: "compact", note: trimmed.slice("/compact".length).trim() };
}

/** A few lines for the user who asked. */
export function describeStatus(status: SessionStatus): string {
  const number = (tokens: number) => tokens.toLocaleString("en-US");
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
