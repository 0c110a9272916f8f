// `agent-compact/conversation`: the messages of a running agent. A configuration is checked at once, so that a fault is told where
// it was made; what it names is loaded and made at the first call, since most processes import this long before.
import { apiKeyFor } from "./config/api-key.ts";
import { checkConversationConfig } from "./config/config-errors.ts";
import { limitsOf, resolveForModel } from "./config/limits.ts";
import type { LoadOptions } from "./config/load-config.ts";
import {
  type AttemptStart,
  attempt,
  type CommandResult,
  checkInput,
  describeOutcome,
  describeStatus,
  type ManualOptions,
  type PreflightOptions,
  type SessionStatus,
} from "./conversation/calls.ts";
import type { ConversationInput, ConversationParts } from "./conversation/conversation-parts.ts";
import type { ConversationPlan } from "./conversation/conversation-plan.ts";
import type { ConversationResult } from "./conversation/report.ts";
import type { Session } from "./conversation/session.ts";
import type { OpenedConversation } from "./factories/conversation.ts";
import { type ConversationConfig, conversationConfigOf } from "./factories/conversation-config.ts";
import { lazy } from "./lazy.ts";
import type { Converted } from "./providers/conversion/convert-conversation.ts";
import type { Conversation, ProviderFormat } from "./providers/format.ts";
import { withoutUndefined } from "./text/json-values.ts";

export type { LoadOptions } from "./config/load-config.ts";
export type { ModelChoice } from "./conversation/calls.ts";
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

/** What a session holds is a few times its messages: beyond this many, those that rest are forgotten. */
const MOST_RESTING = 200;
const RESTS_AFTER_MS = 10 * 60_000;
/** So does one that nobody called for a day, however few there are. */
const LONGEST_REST_MS = 24 * 3_600_000;

interface HeldSession {
  readonly session: Promise<Session>;
  readonly usedAt: number;
}

/** Compacts conversations by session. Throws `InvalidConfig` with the field's path. */
export class CompactManager {
  readonly #open: () => Promise<OpenedConversation>;
  /** The one used last at the end. */
  readonly #sessions = new Map<string, HeldSession>();
  /** Once it is there, a call begins in its own turn of the event loop, and calls keep their order. */
  #opened: OpenedConversation | undefined;

  constructor(config: ConversationConfig = {}) {
    checkConversationConfig(config);
    limitsOf(resolveForModel(config));
    const apiKey = apiKeyFor(config.summarizer);
    const given = { ...config };
    this.#open = lazy(async () => {
      const { openConversation } = await import("./factories/conversation.ts");
      this.#opened = openConversation(given, apiKey);
      return this.#opened;
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
    options: ManualOptions = {},
  ): Promise<ConversationResult<Message[]>> {
    const given = copyOf(messages);
    const isTriggered = options.ifNeeded === true || options.isAutomatic === true;
    const event = isTriggered ? "compact.preflight" : "compact.manual";
    return this.#attempt({ ...options, event, sessionId }, async (opened, trace) => {
      const { input, parts } = readCall(opened, sessionId, given, options);
      const session = await this.#session(sessionId, opened, trace);
      return session.compact({ ...input, messages }, given, parts, trace);
    });
  }

  /** What `compact` would do, as plain data. Writes nothing. */
  async plan(sessionId: string, messages: readonly unknown[], options: ManualOptions = {}): Promise<ConversationPlan> {
    const opened = this.#opened ?? (await this.#open());
    const { input, parts } = readCall(opened, sessionId, messages, options);
    return (await this.#session(sessionId, opened)).plan(input, parts);
  }

  /** Carries out a plan made by `plan`. Throws `Conflict` (`STALE_PLAN`) when the messages or the session have changed since. */
  async apply<Message>(
    messages: readonly Message[],
    plan: ConversationPlan,
    options: ManualOptions = {},
  ): Promise<ConversationResult<Message[]>> {
    const event = plan?.reason === "manual" ? "compact.manual" : "compact.preflight";
    return this.#attempt({ ...options, event, sessionId: plan?.session_id }, async (opened, trace) => {
      const { readPlan } = await import("./conversation/conversation-plan.ts");
      const read = readPlan(plan);
      const { input, parts } = readCall(opened, read.session_id, messages, { ...options, ifNeeded: false });
      const session = await this.#session(read.session_id, opened, trace);
      return session.apply(read, input, parts, trace);
    });
  }

  /**
   * Starts writing the summary of these messages now, in the background, so that a `preflight` that needs one later need
   * not wait. Resolves when it is written, true when there is one. It is used only if these messages still stand at the
   * head of the list then. A later call replaces an earlier one. Never throws for a failing model.
   */
  async prepare(sessionId: string, messages: readonly unknown[], options: PreflightOptions = {}): Promise<boolean> {
    const given = copyOf(messages);
    const opened = this.#opened ?? (await this.#open());
    const { input, parts } = readCall(opened, sessionId, given, { ...options, ifNeeded: true });
    return (await this.#session(sessionId, opened)).prepare(input, parts);
  }

  /**
   * Takes back the last compaction of this process: the very list that was compacted, and behind it what `messages` (the
   * list as it is now) has in addition. Throws `NotFound` when there is none. The archive keeps what it has, and the
   * next automatic compaction waits for 5 % of the window, or for an overrun.
   */
  async undo<Message>(sessionId: string, messages?: readonly Message[]): Promise<Message[]> {
    const session = await this.#session(sessionId, this.#opened ?? (await this.#open()));
    return session.undo(messages) as Promise<Message[]>;
  }

  /**
   * Drops what this process remembers of a session that has ended; what is archived stays, and a later call resumes from it.
   * A session that nobody called for a day is forgotten by itself, and after ten minutes where more than 200 are held.
   */
  async forget(sessionId: string): Promise<void> {
    const held = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    await (await held?.session)?.end();
  }

  /** With `messages` they are measured first; without, the figures are those of the last look. Writes and emits nothing. */
  async status(
    sessionId: string,
    messages?: readonly unknown[],
    options: PreflightOptions = {},
  ): Promise<SessionStatus> {
    const opened = this.#opened ?? (await this.#open());
    const session = await this.#session(sessionId, opened);
    if (messages === undefined) return session.describe();
    const { input, parts } = readCall(opened, sessionId, messages, { ...options, ifNeeded: true });
    return session.measure({ ...input, messages: copyOf(messages) }, parts);
  }

  /**
   * Answers `/compact [wishes for the summary]` and `/compact_status`, typed by a user and routed here by the host.
   * Undefined for any other text, which is then an ordinary message.
   */
  async command<Message>(
    sessionId: string,
    text: string,
    messages: readonly Message[],
    options: PreflightOptions = {},
  ): Promise<CommandResult<Message[]> | undefined> {
    const typed = text.trim();
    if (typed === "/compact_status") {
      const reply = describeStatus(await this.status(sessionId, messages, options));
      return { messages: messages as Message[], reply };
    }
    if (!/^\/compact(?:\s|$)/.test(typed)) return undefined;
    const note = typed.slice("/compact".length).trim();
    const result = await this.compact(sessionId, messages, note === "" ? options : { ...options, note });
    return { messages: result.messages, reply: describeOutcome(result.report) };
  }

  /** Resolves when the archive's retention has done its work, and every trace event emitted so far has left. */
  async flush(): Promise<void> {
    await this.#opened?.retention.settled();
    await this.#opened?.trace.flush();
  }

  /** As `flush`, then lets go of the sinks that no other holds: events that come after it are dropped. Never rejects. */
  async close(): Promise<void> {
    const { retention, trace } = await this.#open();
    await retention.settled();
    await trace.shutdown();
  }

  async #attempt<Message>(
    start: AttemptStart,
    work: (opened: OpenedConversation, trace: ConversationParts["trace"]) => Promise<ConversationResult>,
  ): Promise<ConversationResult<Message[]>> {
    const opened = this.#opened ?? (await this.#open());
    const result = await attempt(start, opened.parts, (trace) => work(opened, trace));
    opened.retention.follow(result.report);
    return result as ConversationResult<Message[]>;
  }

  #session(id: string, { parts }: OpenedConversation, trace = parts.trace): Promise<Session> {
    const now = parts.clock();
    const known = this.#sessions.get(id);
    const session =
      known?.session ?? import("./conversation/session.ts").then(({ openSession }) => openSession(id, parts, trace));
    this.#sessions.delete(id);
    this.#sessions.set(id, { session, usedAt: now });
    if (known === undefined) session.catch(() => this.#sessions.delete(id));
    this.#forgetResting(now);
    return session;
  }

  #forgetResting(now: number): void {
    for (const [id, { usedAt }] of this.#sessions) {
      const rests = now - usedAt;
      if (rests < (this.#sessions.size > MOST_RESTING ? RESTS_AFTER_MS : LONGEST_REST_MS)) return;
      void this.forget(id).catch(() => undefined);
    }
  }
}

/** Throws `InvalidInput` for what a caller may not pass. */
function readCall(
  { parts, partsFor }: OpenedConversation,
  sessionId: string,
  messages: readonly unknown[],
  { ifNeeded = false, model, maxContextTokens, reservedOutputTokens, ...options }: ManualOptions,
): { readonly input: ConversationInput; readonly parts: ConversationParts } {
  const input = { ...options, sessionId, messages, isManual: !ifNeeded };
  checkInput(input);
  const choice = withoutUndefined({ model, maxContextTokens, reservedOutputTokens });
  return { input, parts: Object.keys(choice).length === 0 ? parts : partsFor(choice) };
}

/** What the caller changes from here on arrived meanwhile. No list at all is refused later, with its reason. */
function copyOf(messages: readonly unknown[]): readonly unknown[] {
  return Array.isArray(messages) ? [...messages] : messages;
}

/** `compact.yaml` (named, or searched upward from `cwd`) and `COMPACT_*` as `CompactManager` takes them. Node only. Throws `InvalidConfig`, `NotFound`. */
export async function loadConversationConfig(options: LoadOptions = {}): Promise<ConversationConfig> {
  const { loadConfig } = await import("./config/load-config.ts");
  const { config } = await loadConfig({ cwd: globalThis.process?.cwd(), ...options });
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
