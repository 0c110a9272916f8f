// What a host can ask of the compaction of its sessions. The words stand here, once; session-compactor.ts does it, and
// `CompactManager` of from-config/ is it with everything a configuration names.
import type { ConversationPlan } from "../conversation-plan.ts";
import type { ConversationResult } from "../report.ts";
import type { SessionStatus } from "./session-status.ts";

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
}

export interface CommandResult {
  readonly messages: readonly unknown[];
  /** A few lines for the user. */
  readonly reply: string;
}

export interface Compactor {
  /** The list to send: compacted when it is due, else the same. Throws `InsufficientBudget`, `ArchiveFailed`. */
  preflight(sessionId: string, messages: readonly unknown[], options?: PreflightOptions): Promise<readonly unknown[]>;

  /** Compacts whatever the size. */
  manualCompact(sessionId: string, messages: readonly unknown[], options?: ManualOptions): Promise<readonly unknown[]>;

  /** `manualCompact` with its report. */
  compact(sessionId: string, messages: readonly unknown[], options?: ManualOptions): Promise<ConversationResult>;

  /** What `compact` would do, as plain data. Writes nothing. */
  plan(sessionId: string, messages: readonly unknown[], options?: ManualOptions): Promise<ConversationPlan>;

  /** Carries out a plan made by `plan`. Throws `Conflict` (`STALE_PLAN`) when the messages or the session have changed since. */
  apply(plan: ConversationPlan, messages: readonly unknown[], options?: ManualOptions): Promise<ConversationResult>;

  /**
   * Starts writing the summary of these messages now, in the background, so that a `preflight` that needs one later need
   * not wait. Resolves when it is written, true when there is one. It is used only if these messages still stand at the
   * head of the list then. A later call replaces an earlier one. Never throws for a failing model.
   */
  prepare(sessionId: string, messages: readonly unknown[], options?: PreflightOptions): Promise<boolean>;

  /**
   * Takes back the last compaction of this process: the very list that was compacted, and behind it what `messages` (the
   * list as it is now) has in addition. Throws `NotFound` when there is none. The archive keeps what it has, and the
   * next automatic compaction waits for 5 % of the window, or for an overrun.
   */
  undo(sessionId: string, messages?: readonly unknown[]): Promise<readonly unknown[]>;

  /** Drops what this process remembers of a session that has ended; what is archived stays, and a later call resumes from it. */
  forget(sessionId: string): Promise<void>;

  /** With `messages` they are measured first; without, the figures are those of the last look. Writes and emits nothing. */
  status(sessionId: string, messages?: readonly unknown[], options?: PreflightOptions): Promise<SessionStatus>;

  /**
   * Answers `/compact [wishes for the summary]` and `/compact_status`, typed by a user and routed here by the host.
   * Undefined for any other text, which is then an ordinary message.
   */
  command(
    sessionId: string,
    text: string,
    messages: readonly unknown[],
    options?: PreflightOptions,
  ): Promise<CommandResult | undefined>;
}
