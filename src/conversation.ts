// `agent-compact/conversation`: the messages of a running agent. A configuration is checked at once, so that a fault is told where
// it was made; what it names is loaded and made at the first call, since most processes import this long before.
import { checkConversationConfig } from "./config/config-errors.ts";
import { limitsOf, resolveForModel } from "./config/limits.ts";
import type { LoadOptions } from "./config/load-config.ts";
import type { CommandResult, ManualOptions, PreflightOptions, SessionStatus } from "./conversation/compactor.ts";
import type { ConversationPlan } from "./conversation/conversation-plan.ts";
import type { ConversationResult } from "./conversation/report.ts";
import type { WiredCompactor } from "./factories/compactor.ts";
import type { ConversationConfig } from "./factories/conversation-config.ts";
import { apiKeyFor } from "./factories/lazy-summarizer.ts";
import { lazy } from "./lazy.ts";
import type { Converted } from "./providers/conversion/convert-conversation.ts";
import type { Conversation, ProviderFormat } from "./providers/format.ts";

export type { LoadOptions } from "./config/load-config.ts";
export type { ModelChoice } from "./conversation/compactor.ts";
export type { PlannedMessage } from "./conversation/conversation-plan.ts";
export type { ConversationPolicy } from "./conversation/policy.ts";
export type { ConversationReport, ReportWarning } from "./conversation/report.ts";
export { FORMATS } from "./factories/formats.ts";
export type { Ledger } from "./facts/ledger.ts";
export type { Format, MessageView, Repair, Violation } from "./providers/format.ts";
export { markProtected } from "./providers/message-marks.ts";
export type { ReadNote } from "./session-files/session-reader.ts";
export type {
  CommandResult,
  Conversation,
  ConversationConfig,
  ConversationPlan,
  ConversationResult,
  Converted,
  ManualOptions,
  PreflightOptions,
  ProviderFormat,
  SessionStatus,
};

/** Compacts conversations by session. Throws `InvalidConfig` with the field's path. */
export class CompactManager {
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

  /** The list to send: compacted when it is due, else the same. Throws `InsufficientBudget`, `ArchiveFailed`. */
  async preflight<Message>(
    sessionId: string,
    messages: readonly Message[],
    options?: PreflightOptions,
  ): Promise<Message[]> {
    return (await this.compact(sessionId, messages, { ...options, ifNeeded: true })).messages;
  }

  /** Compacts whatever the size. */
  async manualCompact<Message>(
    sessionId: string,
    messages: readonly Message[],
    options?: ManualOptions,
  ): Promise<Message[]> {
    return (await this.compact(sessionId, messages, options)).messages;
  }

  /** `manualCompact` with its report. */
  async compact<Message>(
    sessionId: string,
    messages: readonly Message[],
    options?: ManualOptions,
  ): Promise<ConversationResult<Message[]>> {
    const given = asItIs(messages);
    return this.#ask((compactor) => compactor.compact(sessionId, messages, options, given)) as Promise<
      ConversationResult<Message[]>
    >;
  }

  /** What `compact` would do, as plain data. Writes nothing. */
  async plan(sessionId: string, messages: readonly unknown[], options?: ManualOptions): Promise<ConversationPlan> {
    return this.#ask((compactor) => compactor.plan(sessionId, messages, options));
  }

  /** Carries out a plan made by `plan`. Throws `Conflict` (`STALE_PLAN`) when the messages or the session have changed since. */
  async apply<Message>(
    messages: readonly Message[],
    plan: ConversationPlan,
    options?: ManualOptions,
  ): Promise<ConversationResult<Message[]>> {
    return this.#ask((compactor) => compactor.apply(messages, plan, options)) as Promise<ConversationResult<Message[]>>;
  }

  /**
   * Starts writing the summary of these messages now, in the background, so that a `preflight` that needs one later need
   * not wait. Resolves when it is written, true when there is one. It is used only if these messages still stand at the
   * head of the list then. A later call replaces an earlier one. Never throws for a failing model.
   */
  async prepare(sessionId: string, messages: readonly unknown[], options?: PreflightOptions): Promise<boolean> {
    const given = asItIs(messages);
    return this.#ask((compactor) => compactor.prepare(sessionId, given, options));
  }

  /**
   * Takes back the last compaction of this process: the very list that was compacted, and behind it what `messages` (the
   * list as it is now) has in addition. Throws `NotFound` when there is none. The archive keeps what it has, and the
   * next automatic compaction waits for 5 % of the window, or for an overrun.
   */
  async undo<Message>(sessionId: string, messages?: readonly Message[]): Promise<Message[]> {
    return this.#ask((compactor) => compactor.undo(sessionId, messages)) as Promise<Message[]>;
  }

  /** Drops what this process remembers of a session that has ended; what is archived stays, and a later call resumes from it. */
  async forget(sessionId: string): Promise<void> {
    await this.#wired?.forget(sessionId);
  }

  /** With `messages` they are measured first; without, the figures are those of the last look. Writes and emits nothing. */
  async status(sessionId: string, messages?: readonly unknown[], options?: PreflightOptions): Promise<SessionStatus> {
    return this.#ask((compactor) => compactor.status(sessionId, messages, options));
  }

  /**
   * Answers `/compact [wishes for the summary]` and `/compact_status`, typed by a user and routed here by the host.
   * Undefined for any other text, which is then an ordinary message.
   */
  async command<Message>(
    sessionId: string,
    text: string,
    messages: readonly Message[],
    options?: PreflightOptions,
  ): Promise<CommandResult<Message[]> | undefined> {
    return this.#ask((compactor) => compactor.command(sessionId, text, messages, options)) as Promise<
      CommandResult<Message[]> | undefined
    >;
  }

  /** Resolves when the archive's retention has done its work, and every trace event emitted so far has left. */
  async flush(): Promise<void> {
    await this.#wired?.flush();
  }

  /** As `flush`, then lets go of the sinks that no other holds: events that come after it are dropped. Never rejects. */
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
export async function applyConversationCompaction<Message>(
  messages: readonly Message[],
  plan: ConversationPlan,
  { config, ...options }: CompactionOptions = {},
): Promise<ConversationResult<Message[]>> {
  return new CompactManager(config).apply(messages, plan, options);
}

/** Plans and applies, whatever the size. A host with a running session keeps a `CompactManager` instead. */
export async function compactConversation<Message>(
  sessionId: string,
  messages: readonly Message[],
  { config, ...options }: CompactionOptions = {},
): Promise<ConversationResult<Message[]>> {
  return new CompactManager(config).compact(sessionId, messages, options);
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
