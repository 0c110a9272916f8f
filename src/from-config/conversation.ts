// The only place where a configuration becomes objects. Names what implements what; adding an implementation is
// one line here.
import type { Archive } from "../archive/archive.ts";
import { createFsArchive } from "../archive/fs-archive.ts";
import { createMemoryArchive } from "../archive/memory-archive.ts";
import { checkConversationConfig } from "../config/check-conversation-config.ts";
import type { ConfigFile, ModelOverrides } from "../config/conversation-schema.ts";
import { limitsOf } from "../config/limits.ts";
import type { LoadOptions } from "../config/load-config.ts";
import { resolveForModel } from "../config/resolve-for-model.ts";
import type { SummarizerConfig } from "../config/schema/summarizer-schema.ts";
import type { ConversationParts, MessageCounter } from "../conversation/conversation-parts.ts";
import type { ConversationPlan } from "../conversation/conversation-plan.ts";
import { type ConversationPolicy, DEFAULT_POLICY } from "../conversation/policy.ts";
import type { ConversationResult } from "../conversation/report.ts";
import { type ManualOptions, type ModelChoice, SessionCompactor } from "../conversation/sessions/session-compactor.ts";
import { anthropicFormat } from "../formats/anthropic-format.ts";
import type { Format } from "../formats/format.ts";
import { openaiChatFormat } from "../formats/openai-chat-format.ts";
import { openaiResponsesFormat } from "../formats/openai-responses-format.ts";
import { claudeCodeReader } from "../formats/readers/claude-code-reader.ts";
import { piReader } from "../formats/readers/pi-reader.ts";
import type { SessionReader } from "../formats/readers/reader.ts";
import { createRedactor, type RedactorOptions } from "../redaction/redactor.ts";
import { createExtractiveSummarizer } from "../summarizers/extractive-summarizer.ts";
import type { Clock } from "../time.ts";
import { countSystem, countTools } from "../tokens/breakdown.ts";
import { createMessageCounter } from "../tokens/count-messages.ts";
import { counterFor } from "../tokens/create-token-counter.ts";
import { resolveModel } from "../tokens/models.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { createConsoleSink } from "../trace/console-sink.ts";
import { createTrace, type Trace } from "../trace/emit.ts";
import { createJsonlSink } from "../trace/jsonl-sink.ts";
import type { TraceSink } from "../trace/trace-sink.ts";
import { readsRedacted, summarizerOf } from "./summarizer.ts";

/** Every message format this package reads and writes; the order decides when a list fits several. */
export const FORMATS: readonly Format[] = [openaiChatFormat, openaiResponsesFormat, anthropicFormat];

/** Every kind of session file this package reads; it gives Anthropic messages. */
export const READERS: readonly SessionReader[] = [claudeCodeReader, piReader];

export const DEFAULT_ARCHIVE_PATH = ".compact/archive";

/** Configuration of the conversation part; keys of the configuration file in camelCase. Unknown keys are errors. */
export interface ConversationConfig {
  /** Decides the encoding and the window. Without one: o200k_base and 128,000. */
  readonly model?: string;
  readonly maxContextTokens?: number;
  readonly reservedOutputTokens?: number;
  readonly enabled?: boolean;
  readonly policy?: Partial<ConversationPolicy>;
  /** Where a model's limits or policy differ, by its name or a prefix that ends in `*`; resolved at each preflight. */
  readonly models?: Readonly<Record<string, ModelOverrides>>;
  /**
   * Default: extractive, which needs no model. `{model}` takes an async function, an object with `complete()`, or a language
   * model of the `ai` package; `{type, model, baseUrl}` a provider by name, with its key from the environment.
   */
  readonly summarizer?: SummarizerConfig;
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
    checkConversationConfig(config);
    const trace = createTraceFrom(config);
    const partsFor = wireParts(config, trace);
    super(partsFor({}), partsFor);
    this.#trace = trace;
  }

  /** Resolves when every trace event emitted so far has left. */
  flush(): Promise<void> {
    return this.#trace.flush();
  }
}

/** `compact.yaml` (named, or searched upward from `cwd`) and `COMPACT_*` as `CompactManager` takes them. Node only. Throws `InvalidConfig`, `NotFound`. */
export async function loadConversationConfig(options: LoadOptions = {}): Promise<ConversationConfig> {
  const { loadConfig } = await import("../config/load-config.ts");
  const { config } = await loadConfig({ cwd: globalThis.process?.cwd(), ...options });
  return conversationConfigOf(config);
}

/** What a file says, in the terms of code. `write` takes the lines of the console sink. */
export function conversationConfigOf(file: ConfigFile, write?: (line: string) => void): ConversationConfig {
  const { version: _, storage, telemetry, summarizer, ...rest } = file;
  const { observations: _observations, decisions: _decisions, mcp: _mcp, ...shared } = rest;
  const path = storage?.path ?? DEFAULT_ARCHIVE_PATH;
  return {
    ...shared,
    ...(summarizer?.type === undefined || summarizer.type === "extractive" ? {} : { summarizer }),
    ...(storage?.required === false ? { archiveOptional: true } : {}),
    // The folder's path stands for the archive and its events.jsonl.
    archive: telemetry?.jsonl === false ? createFsArchive({ path }) : { path },
    ...(telemetry?.console === true ? { trace: [createConsoleSink(write === undefined ? {} : { write })] } : {}),
  } as ConversationConfig; // keys and values have been checked; only their absence is spelt differently
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

/** What all models share is made once; what hangs on the model, once for each choice. */
function wireParts(config: ConversationConfig, trace: Trace): (choice: ModelChoice) => ConversationParts {
  const extractive = createExtractiveSummarizer();
  const redactor = createRedactor(config.redaction);
  const shared = {
    formats: FORMATS,
    summarizer: summarizerOf(config.summarizer, redactor, extractive),
    extractive,
    archive: archiveOf(config),
    isArchiveRequired: config.archiveOptional !== true,
    redactor,
    redactsPassages: readsRedacted(config.summarizer),
    trace,
    clock: clockOf(config),
    isEnabled: config.enabled ?? true,
    protect: config.protect,
  };
  const known = new Map<string, ConversationParts>();
  return (choice) => {
    const key = JSON.stringify([choice.model, choice.maxContextTokens]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const parts = { ...shared, ...modelParts({ ...resolveForModel(config, choice.model), ...choice }) };
    known.set(key, parts);
    return parts;
  };
}

function modelParts(config: ConversationConfig) {
  const { model, tokenCounter, policy } = config;
  const { margin, ...encoding } = resolveModel(model);
  return {
    counter: tokenCounter
      ? messageCounter(tokenCounter, 0)
      : messageCounter(counterFor({ ...encoding, margin }), margin),
    model: model ?? "unnamed",
    ...limitsOf(config),
    policy: { ...DEFAULT_POLICY, ...policy },
  };
}

function createTraceFrom(config: ConversationConfig): Trace {
  const { trace = [], archive, redaction } = config;
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
