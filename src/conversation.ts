// The conversation part as a user of the library sees it. A configuration is checked at once, so that a fault is told where
// it was made; what it names is loaded and made at the first call, since most processes import this long before.
import { checkConversationConfig } from "./config/config-errors.ts";
import { limitsOf, resolveForModel } from "./config/limits.ts";
import type { LoadOptions } from "./config/load-config.ts";
import type {
  CommandResult,
  Compactor,
  ManualOptions,
  PreflightOptions,
  SessionStatus,
} from "./conversation/compactor.ts";
import type { ConversationPlan } from "./conversation/conversation-plan.ts";
import type { ConversationResult } from "./conversation/report.ts";
import type { WiredCompactor } from "./factories/compactor.ts";
import type { ConversationConfig } from "./factories/conversation-config.ts";
import { apiKeyFor } from "./factories/lazy-summarizer.ts";
import { lazy } from "./lazy.ts";
import type { Converted } from "./providers/conversion/convert-conversation.ts";
import type { Conversation, ProviderFormat } from "./providers/format.ts";

/** Compacts conversations by session. Throws `InvalidConfig` with the field's path. */
export class CompactManager implements Compactor {
  readonly #open: () => Promise<WiredCompactor>;
  #wired: WiredCompactor | undefined;

  constructor(config: ConversationConfig = {}) {
    checkConversationConfig(config);
    limitsOf(resolveForModel(config));
    const apiKey = apiKeyFor(config.summarizer);
    const taken = { ...config };
    this.#open = lazy(async () => {
      const { WiredCompactor } = await import("./factories/compactor.ts");
      this.#wired = new WiredCompactor(taken, apiKey);
      return this.#wired;
    });
  }

  async preflight(
    sessionId: string,
    messages: readonly unknown[],
    options?: PreflightOptions,
  ): Promise<readonly unknown[]> {
    return (await this.compact(sessionId, messages, { ...options, ifNeeded: true })).messages;
  }

  async manualCompact(
    sessionId: string,
    messages: readonly unknown[],
    options?: ManualOptions,
  ): Promise<readonly unknown[]> {
    return (await this.compact(sessionId, messages, options)).messages;
  }

  async compact(sessionId: string, messages: readonly unknown[], options?: ManualOptions): Promise<ConversationResult> {
    const given = asItIs(messages);
    return this.#ask((compactor) => compactor.compact(sessionId, messages, options, given));
  }

  async plan(sessionId: string, messages: readonly unknown[], options?: ManualOptions): Promise<ConversationPlan> {
    return this.#ask((compactor) => compactor.plan(sessionId, messages, options));
  }

  async apply(
    plan: ConversationPlan,
    messages: readonly unknown[],
    options?: ManualOptions,
  ): Promise<ConversationResult> {
    return this.#ask((compactor) => compactor.apply(plan, messages, options));
  }

  async prepare(sessionId: string, messages: readonly unknown[], options?: PreflightOptions): Promise<boolean> {
    const given = asItIs(messages);
    return this.#ask((compactor) => compactor.prepare(sessionId, given, options));
  }

  async undo(sessionId: string, messages?: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#ask((compactor) => compactor.undo(sessionId, messages));
  }

  async forget(sessionId: string): Promise<void> {
    await this.#wired?.forget(sessionId);
  }

  async status(sessionId: string, messages?: readonly unknown[], options?: PreflightOptions): Promise<SessionStatus> {
    return this.#ask((compactor) => compactor.status(sessionId, messages, options));
  }

  async command(
    sessionId: string,
    text: string,
    messages: readonly unknown[],
    options?: PreflightOptions,
  ): Promise<CommandResult | undefined> {
    return this.#ask((compactor) => compactor.command(sessionId, text, messages, options));
  }

  /** Resolves when the archive's retention has done its work, and every trace event emitted so far has left. */
  async flush(): Promise<void> {
    await this.#wired?.flush();
  }

  /** As `flush`, then lets go of what the sinks hold: events that come after it are dropped. Never rejects. */
  async close(): Promise<void> {
    await this.#ask((compactor) => compactor.close());
  }

  /** In the turn of the call, but for the calls before everything is loaded: those keep their order. */
  #ask<Answer>(ask: (compactor: WiredCompactor) => Promise<Answer>): Promise<Answer> {
    return this.#wired === undefined ? this.#open().then(ask) : ask(this.#wired);
  }
}

/** What the caller changes from here on arrived meanwhile. No list at all is refused later, with its reason. */
function asItIs(messages: readonly unknown[]): readonly unknown[] {
  return Array.isArray(messages) ? [...messages] : messages;
}

/** `compact.yaml` (named, or searched upward from `cwd`) and `COMPACT_*` as `CompactManager` takes them. Node only. Throws `InvalidConfig`, `NotFound`. */
export async function loadConversationConfig(options: LoadOptions = {}): Promise<ConversationConfig> {
  const { loadConfig } = await import("./config/load-config.ts");
  const { config } = await loadConfig({ cwd: globalThis.process?.cwd(), ...options });
  const { conversationConfigOf } = await import("./factories/file-to-conversation.ts");
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

/** Carries out a plan. Throws `Conflict` (`STALE_PLAN`) when messages, session or policy changed since; appended messages are kept. */
export async function applyConversationCompaction(
  plan: ConversationPlan,
  messages: readonly unknown[],
  { config, ...options }: CompactionOptions = {},
): Promise<ConversationResult> {
  return new CompactManager(config).apply(plan, messages, options);
}

// A conversation for another provider, for those who import the package: its readers and writers are loaded when they are needed.

/**
 * The messages, the system prompt and the tools of a conversation in the shapes of another provider.
 *
 * Texts, images, documents, calls and their results come over, in order; marks (`markProtected`) and `meta` too.
 * Reasoning is left out: only the provider that wrote it reads it. What the target has no place for is said as
 * labelled text, or left out, and told in `notes`. A valid list gives a valid list; a damaged one stays damaged, for
 * the format's `heal`. Never rejects. Where the format is already `to`, the messages are the same array.
 *
 * ```ts
 * const { messages, system, notes } = await convertConversation({ format: "openai-chat", messages: chat }, "anthropic");
 * ```
 */
export async function convertConversation(conversation: Conversation, to: ProviderFormat): Promise<Converted> {
  const { convertConversation: convert } = await import("./providers/conversion/convert-conversation.ts");
  return convert(conversation, to);
}
