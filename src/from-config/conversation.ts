// The only place where a configuration becomes objects. Names what implements what; adding an implementation is
// one line here.
import type { Archive } from "../archive/archive.ts";
import { createMemoryArchive } from "../archive/memory-archive.ts";
import type { RetentionPolicy } from "../archive/retention/plan-retention.ts";
import { checkConversationConfig } from "../config/check-conversation-config.ts";
import type { ConfigFile, ModelOverrides } from "../config/conversation-schema.ts";
import { limitsOf } from "../config/limits.ts";
import type { LoadOptions } from "../config/load-config.ts";
import { resolveForModel } from "../config/resolve-for-model.ts";
import type { SummarizerConfig } from "../config/schema/summarizer-schema.ts";
import type { Environment } from "../config/variables/environment.ts";
import type { ConversationParts, MessageCounter } from "../conversation/conversation-parts.ts";
import type { ConversationPlan } from "../conversation/conversation-plan.ts";
import { type ConversationPolicy, DEFAULT_POLICY } from "../conversation/policy.ts";
import type { ConversationResult } from "../conversation/report.ts";
import { type ManualOptions, type ModelChoice, SessionCompactor } from "../conversation/sessions/session-compactor.ts";
import { createRedactor, type RedactorOptions } from "../redaction/redactor.ts";
import type { Clock } from "../time.ts";
import { countSystem, countTools } from "../tokens/breakdown.ts";
import { createMessageCounter } from "../tokens/count-messages.ts";
import { counterFor } from "../tokens/create-token-counter.ts";
import { resolveModel } from "../tokens/models.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Trace } from "../trace/emit.ts";
import type { TraceSink } from "../trace/trace-sink.ts";
import { archiveOf, DEFAULT_ARCHIVE_PATH, type StorageConfig } from "./archive.ts";
import { FORMATS } from "./formats.ts";
import { lateExtractiveSummarizer } from "./late-summarizer.ts";
import { type Retention, retentionOf } from "./retention.ts";
import { readsRedacted, summarizerOf } from "./summarizer.ts";
import { conversationTrace, sinksOf } from "./trace.ts";

/** Of what a date can hold, in milliseconds. */
const LATEST_TIME = 8.64e15;

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
  /**
   * `{path}`: files there, each session's events.jsonl with them; `{adapter: "s3", bucket, ...}`: in a bucket, as the block
   * `storage` of a configuration file says, and events.jsonl below `path`; `false`: keep nothing. Default: `.compact/archive`
   * on Node, memory elsewhere.
   */
  readonly archive?: Archive | StorageConfig | false;
  /** Compaction goes on when the archive fails. Default false: nothing is pruned that was not archived. */
  readonly archiveOptional?: boolean;
  /** What leaves the archive after a compaction: `{maxAgeDays, maxBytes}`. Default: nothing ever leaves. */
  readonly retention?: RetentionPolicy;
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
  readonly #retention: Retention;

  constructor(config: ConversationConfig = {}) {
    checkConversationConfig(config);
    const trace = createTraceFrom(config);
    const partsFor = wireParts(config, trace);
    const parts = partsFor({});
    super(parts, partsFor);
    this.#trace = trace;
    this.#retention = retentionOf(retentionPolicyOf(config), { ...parts, trace });
  }

  override async compact(...call: Parameters<SessionCompactor["compact"]>): Promise<ConversationResult> {
    const result = await super.compact(...call);
    this.#retention.follow(result.report);
    return result;
  }

  override async apply(...call: Parameters<SessionCompactor["apply"]>): Promise<ConversationResult> {
    const result = await super.apply(...call);
    this.#retention.follow(result.report);
    return result;
  }

  /** Resolves when the archive's retention has done its work, and every trace event emitted so far has left. */
  async flush(): Promise<void> {
    await this.#retention.settled();
    await this.#trace.flush();
  }

  /** As `flush`, then lets go of what the sinks hold: events that come after it are dropped. Never rejects. */
  async close(): Promise<void> {
    await this.#retention.settled();
    await this.#trace.shutdown();
  }
}

/** `compact.yaml` (named, or searched upward from `cwd`) and `COMPACT_*` as `CompactManager` takes them. Node only. Throws `InvalidConfig`, `NotFound`. */
export async function loadConversationConfig(options: LoadOptions = {}): Promise<ConversationConfig> {
  const { loadConfig } = await import("../config/load-config.ts");
  const { config } = await loadConfig({ cwd: globalThis.process?.cwd(), ...options });
  return conversationConfigOf(config, undefined, options.env);
}

/** What a file says, in the terms of code. `write` takes the lines of the sinks, a collector's headers are in `environment`. */
export function conversationConfigOf(
  file: ConfigFile,
  write?: (line: string) => void,
  environment?: Environment,
): ConversationConfig {
  const { version: _, storage, telemetry, summarizer: _summarizer, ...rest } = file;
  const { observations: _observations, decisions: _decisions, memoryFiles: _memory, mcp: _mcp, ...shared } = rest;
  const { required: _required, ...place } = { path: DEFAULT_ARCHIVE_PATH, ...storage };
  const trace = sinksOf(telemetry, { write, environment });
  return {
    ...shared,
    ...summaryConfigOf(file),
    ...(storage?.required === false ? { archiveOptional: true } : {}),
    ...(storage?.retention === undefined ? {} : { retention: storage.retention }),
    // The block stands for the archive and its events.jsonl.
    archive: telemetry?.jsonl === false ? archiveOf(place) : place,
    ...(trace.length === 0 ? {} : { trace }),
  } as ConversationConfig; // keys and values have been checked; only their absence is spelt differently
}

/** Who writes summaries, and what they are shown: for parts that need no more of the configuration. */
export function summaryConfigOf({
  summarizer,
  redaction,
}: Pick<ConfigFile, "summarizer" | "redaction">): Pick<ConversationConfig, "summarizer" | "redaction"> {
  return {
    ...(summarizer?.type === undefined || summarizer.type === "extractive" ? {} : { summarizer }),
    ...(redaction === undefined ? {} : { redaction }),
  } as Pick<ConversationConfig, "summarizer" | "redaction">; // as above
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

/** What all models share is made once; what hangs on the model, once for each choice. */
function wireParts(config: ConversationConfig, trace: Trace): (choice: ModelChoice) => ConversationParts {
  const extractive = lateExtractiveSummarizer();
  const redactor = createRedactor(config.redaction);
  const shared = {
    formats: FORMATS,
    summarizer: summarizerOf(config.summarizer, redactor, extractive),
    extractive,
    archive: configuredArchive(config),
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

/** To the sinks of a configuration, each session's events.jsonl among them where files are kept. */
export function createTraceFrom(config: ConversationConfig): Trace {
  const { archive } = config;
  return conversationTrace(config, archive === false ? undefined : fileArchivePath(archive));
}

function configuredArchive({ archive }: ConversationConfig): Archive | undefined {
  if (archive === false) return undefined;
  if (archive === undefined) return isNode() ? archiveOf() : createMemoryArchive();
  return isArchive(archive) ? archive : archiveOf(archive);
}

function retentionPolicyOf({ retention, archive }: ConversationConfig): RetentionPolicy | undefined {
  if (retention !== undefined || archive === undefined || archive === false || isArchive(archive)) return retention;
  return archive.retention;
}

/** Where files go, if they do: events.jsonl stands beside the transcripts, or alone where those are in a bucket. */
function fileArchivePath(archive: Exclude<ConversationConfig["archive"], false>): string | undefined {
  if (archive === undefined) return isNode() ? DEFAULT_ARCHIVE_PATH : undefined;
  return isArchive(archive) ? undefined : (archive.path ?? DEFAULT_ARCHIVE_PATH);
}

/** A block of configuration has an adapter's name, too, but does nothing. */
function isArchive(archive: Archive | StorageConfig): archive is Archive {
  return "saveTranscript" in archive;
}

function isNode(): boolean {
  return typeof globalThis.process?.versions?.node === "string";
}

/** A clock that fails, or tells no time, is never worth a compaction: the system's own stands in. */
function clockOf({ now }: ConversationConfig): Clock {
  if (now === undefined) return Date.now;
  return () => {
    try {
      const time = now();
      return Math.abs(time) <= LATEST_TIME ? time : Date.now();
    } catch {
      return Date.now();
    }
  };
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
