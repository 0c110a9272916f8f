// The conversation part as a user of the library sees it. A configuration is checked at once, so that a fault is told where
// it was made; what it names is loaded and made at the first call, since most processes import this long before.
import { checkConversationConfig } from "../config/check-conversation-config.ts";
import { limitsOf } from "../config/limits.ts";
import type { LoadOptions } from "../config/load-config.ts";
import { resolveForModel } from "../config/resolve-for-model.ts";
import type { ConversationPlan } from "../conversation/conversation-plan.ts";
import type { ConversationResult } from "../conversation/report.ts";
import type { CommandResult, Compactor, ManualOptions, PreflightOptions } from "../conversation/sessions/compactor.ts";
import type { SessionStatus } from "../conversation/sessions/session-status.ts";
import { apiKeyFor } from "./check-summarizer.ts";
import type { ConversationConfig } from "./conversation-config.ts";
import type { WiredCompactor } from "./wire-compactor.ts";

/** Compacts conversations by session. Throws `InvalidConfig` with the field's path. */
export class CompactManager implements Compactor {
  readonly #config: ConversationConfig;
  readonly #apiKey: string | undefined;
  #wired: Promise<WiredCompactor> | undefined;

  constructor(config: ConversationConfig = {}) {
    checkConversationConfig(config);
    limitsOf(resolveForModel(config));
    this.#apiKey = apiKeyFor(config.summarizer);
    this.#config = { ...config };
  }

  async preflight(
    sessionId: string,
    messages: readonly unknown[],
    options?: PreflightOptions,
  ): Promise<readonly unknown[]> {
    return (await this.#open()).preflight(sessionId, messages, options);
  }

  async manualCompact(
    sessionId: string,
    messages: readonly unknown[],
    options?: ManualOptions,
  ): Promise<readonly unknown[]> {
    return (await this.#open()).manualCompact(sessionId, messages, options);
  }

  async compact(sessionId: string, messages: readonly unknown[], options?: ManualOptions): Promise<ConversationResult> {
    return (await this.#open()).compact(sessionId, messages, options);
  }

  async plan(sessionId: string, messages: readonly unknown[], options?: ManualOptions): Promise<ConversationPlan> {
    return (await this.#open()).plan(sessionId, messages, options);
  }

  async apply(
    plan: ConversationPlan,
    messages: readonly unknown[],
    options?: ManualOptions,
  ): Promise<ConversationResult> {
    return (await this.#open()).apply(plan, messages, options);
  }

  async prepare(sessionId: string, messages: readonly unknown[], options?: PreflightOptions): Promise<boolean> {
    return (await this.#open()).prepare(sessionId, messages, options);
  }

  async undo(sessionId: string, messages?: readonly unknown[]): Promise<readonly unknown[]> {
    return (await this.#open()).undo(sessionId, messages);
  }

  async forget(sessionId: string): Promise<void> {
    await (await this.#wired)?.forget(sessionId);
  }

  async status(sessionId: string, messages?: readonly unknown[], options?: PreflightOptions): Promise<SessionStatus> {
    return (await this.#open()).status(sessionId, messages, options);
  }

  async command(
    sessionId: string,
    text: string,
    messages: readonly unknown[],
    options?: PreflightOptions,
  ): Promise<CommandResult | undefined> {
    return (await this.#open()).command(sessionId, text, messages, options);
  }

  /** Resolves when the archive's retention has done its work, and every trace event emitted so far has left. */
  async flush(): Promise<void> {
    await (await this.#wired)?.flush();
  }

  /** As `flush`, then lets go of what the sinks hold: events that come after it are dropped. Never rejects. */
  async close(): Promise<void> {
    await (await this.#open()).close();
  }

  /** What is changed while it is being loaded is seen as if it had been changed before the call. */
  #open(): Promise<WiredCompactor> {
    this.#wired ??= import("./wire-compactor.ts").then((code) => new code.WiredCompactor(this.#config, this.#apiKey));
    return this.#wired;
  }
}

/** `compact.yaml` (named, or searched upward from `cwd`) and `COMPACT_*` as `CompactManager` takes them. Node only. Throws `InvalidConfig`, `NotFound`. */
export async function loadConversationConfig(options: LoadOptions = {}): Promise<ConversationConfig> {
  const { loadConfig } = await import("../config/load-config.ts");
  const { config } = await loadConfig({ cwd: globalThis.process?.cwd(), ...options });
  const { conversationConfigOf } = await import("./file-to-conversation.ts");
  return conversationConfigOf(config, undefined, options.env);
}

export interface CompactionOptions extends ManualOptions {
  readonly config?: ConversationConfig;
}

/** What a compaction of these messages would do, as plain serialisable data. Writes nothing. */
export async function planConversationCompaction(
  sessionId: string,
  messages: readonly unknown[],
  { config, ...options }: CompactionOptions = {},
): Promise<ConversationPlan> {
  return new CompactManager(config).plan(sessionId, messages, options);
}

/** Carries out a plan. Throws `Conflict` (`STALE_PLAN`) when messages or session changed since; appended messages are kept. */
export async function applyConversationCompaction(
  plan: ConversationPlan,
  messages: readonly unknown[],
  { config, ...options }: CompactionOptions = {},
): Promise<ConversationResult> {
  return new CompactManager(config).apply(plan, messages, options);
}
