// The only place where a configuration becomes objects. Names what implements what; adding an implementation is
// one line here.
import type { Archive } from "./archive/archive.ts";
import { createFsArchive } from "./archive/fs-archive.ts";
import { createMemoryArchive } from "./archive/memory-archive.ts";
import { conversationConfigSchema } from "./config/conversation-schema.ts";
import { explainConfigError } from "./config/explain-config-error.ts";
import type { ConversationParts, MessageCounter } from "./conversation/conversation-parts.ts";
import type { ConversationPlan } from "./conversation/conversation-plan.ts";
import { type ConversationPolicy, DEFAULT_POLICY } from "./conversation/policy.ts";
import type { ConversationResult } from "./conversation/report.ts";
import { type ManualOptions, SessionCompactor } from "./conversation/session-compactor.ts";
import { CompactError } from "./errors.ts";
import { anthropicFormat } from "./formats/anthropic-format.ts";
import type { Format } from "./formats/format.ts";
import { openaiChatFormat } from "./formats/openai-chat-format.ts";
import { openaiResponsesFormat } from "./formats/openai-responses-format.ts";
import { createRedactor, type RedactorOptions } from "./redaction/redactor.ts";
import { createExtractiveSummarizer } from "./summarizers/extractive-summarizer.ts";
import type { Summarizer } from "./summarizers/summarizer.ts";
import type { Clock } from "./time.ts";
import { countSystem, countTools } from "./tokens/breakdown.ts";
import { budgetOf } from "./tokens/budget.ts";
import { createMessageCounter } from "./tokens/count-messages.ts";
import { counterFor } from "./tokens/create-token-counter.ts";
import { resolveModel } from "./tokens/models.ts";
import type { TokenCounter } from "./tokens/token-counter.ts";
import { createTrace, type Trace } from "./trace/emit.ts";
import { createJsonlSink } from "./trace/jsonl-sink.ts";
import type { TraceSink } from "./trace/trace-sink.ts";

/** Every message format this package reads and writes; the order decides when a list fits several. */
export const FORMATS: readonly Format[] = [openaiChatFormat, openaiResponsesFormat, anthropicFormat];

export const DEFAULT_ARCHIVE_PATH = ".compact/archive";
const DEFAULT_WINDOW = 128_000;

/** Configuration of the conversation part; keys of the configuration file in camelCase. Unknown keys are errors. */
export interface ConversationConfig {
  /** Decides the encoding and the window. Without one: o200k_base and 128,000. */
  readonly model?: string;
  readonly maxContextTokens?: number;
  readonly reservedOutputTokens?: number;
  readonly enabled?: boolean;
  readonly policy?: Partial<ConversationPolicy>;
  readonly summarizer?: Summarizer;
  /** `{path}`: files there; `false`: keep nothing. Default: `.compact/archive` on Node, memory elsewhere. */
  readonly archive?: Archive | { readonly path: string } | false;
  /** Compaction goes on when the archive fails. Default false: nothing is pruned that was not archived. */
  readonly archiveOptional?: boolean;
  /** Sinks besides the session's events.jsonl. */
  readonly trace?: readonly TraceSink[];
  readonly redaction?: RedactorOptions;
  readonly tokenCounter?: TokenCounter;
  readonly protect?: (message: unknown) => boolean;
  readonly now?: Clock;
}

/** Compacts conversations by session. Throws `InvalidConfig` with the field's path. */
export class CompactManager extends SessionCompactor {
  readonly #trace: Trace;

  constructor(config: ConversationConfig = {}) {
    const trace = createTraceFrom(config);
    super(conversationParts(config, trace));
    this.#trace = trace;
  }

  /** Resolves when every trace event emitted so far has left. */
  flush(): Promise<void> {
    return this.#trace.flush();
  }
}

export interface CompactionOptions extends ManualOptions {
  readonly config?: ConversationConfig;
}

/** What a compaction of these messages would do, as plain serialisable data. Writes nothing. */
export function planConversationCompaction(
  sessionId: string,
  messages: readonly unknown[],
  { config, ...options }: CompactionOptions = {},
): Promise<ConversationPlan> {
  return new CompactManager(config).plan(sessionId, messages, options);
}

/** Carries out a plan. Throws `Conflict` (`STALE_PLAN`) when messages or session changed since; appended messages are kept. */
export function applyConversationCompaction(
  plan: ConversationPlan,
  messages: readonly unknown[],
  { config, ...options }: CompactionOptions = {},
): Promise<ConversationResult> {
  return new CompactManager(config).apply(plan, messages, options);
}

export function openFsArchive(path: string): Archive {
  return createFsArchive({ path });
}

function conversationParts(config: ConversationConfig, trace: Trace): ConversationParts {
  const { policy: overrides = {}, ...rest } = checked(config);
  const policy: ConversationPolicy = { ...DEFAULT_POLICY, ...overrides };
  const { window, ...encoding } = resolveModel(rest.model);
  const maxContextTokens = rest.maxContextTokens ?? (rest.model === undefined ? DEFAULT_WINDOW : window);
  if (maxContextTokens === undefined) throw unknownWindow(rest.model);
  const extractive = createExtractiveSummarizer();
  return {
    formats: FORMATS,
    counter: rest.tokenCounter
      ? messageCounter(rest.tokenCounter, 0)
      : messageCounter(counterFor(encoding), encoding.margin),
    model: rest.model ?? "unnamed",
    maxContextTokens,
    budget: budgetOf({
      maxContextTokens,
      hardCapBuffer: policy.hardCapBuffer,
      reservedOutputTokens: rest.reservedOutputTokens ?? 0,
    }),
    policy,
    summarizer: rest.summarizer ?? extractive,
    extractive,
    archive: archiveOf(rest),
    isArchiveRequired: rest.archiveOptional !== true,
    redactor: createRedactor(rest.redaction),
    trace,
    clock: clockOf(rest),
    isEnabled: rest.enabled ?? true,
    protect: rest.protect,
  };
}

function checked(config: ConversationConfig): ConversationConfig {
  const parsed = conversationConfigSchema.safeParse(config);
  if (!parsed.success) throw explainConfigError(parsed.error);
  return config;
}

function createTraceFrom(config: ConversationConfig): Trace {
  const { trace = [], archive, redaction } = checked(config);
  const path = archive === false ? undefined : fileArchivePath(archive);
  const sinks = path === undefined ? trace : [createJsonlSink({ path }), ...trace];
  return createTrace(sinks, createRedactor(redaction), clockOf(config));
}

function archiveOf({ archive }: ConversationConfig): Archive | undefined {
  if (archive === false) return undefined;
  if (archive !== undefined && "adapter" in archive) return archive;
  const path = fileArchivePath(archive);
  return path === undefined ? createMemoryArchive() : createFsArchive({ path });
}

/** Where files go, if they do: events.jsonl stands beside the transcripts. */
function fileArchivePath(archive: Exclude<ConversationConfig["archive"], false>): string | undefined {
  if (archive === undefined) return isNode() ? DEFAULT_ARCHIVE_PATH : undefined;
  return "path" in archive ? archive.path : undefined;
}

function isNode(): boolean {
  return typeof globalThis.process?.versions?.node === "string";
}

function clockOf({ now }: ConversationConfig): Clock {
  return now ?? Date.now;
}

function messageCounter(counter: TokenCounter, margin: number): MessageCounter {
  const messages = createMessageCounter(counter);
  return {
    isExact: counter.isExact,
    margin,
    countText: (text) => messages.counter.count(text),
    countMessage: (message, view) => messages.countMessage(message, view),
    countSystem: (system) => countSystem(system, messages.counter),
    countTools: (tools) => countTools(tools, messages.counter),
  };
}

function unknownWindow(model: string | undefined): CompactError {
  return new CompactError("InvalidConfig", `The context window of the model ${JSON.stringify(model)} is not known.`, {
    code: "UNKNOWN_MODEL",
    hint: "Set max_context_tokens to the model's window, or name a model that is known (gpt-4o, claude-sonnet-4, gemini-2.5-pro, ...).",
  });
}
