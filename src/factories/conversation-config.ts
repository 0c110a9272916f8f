// What `CompactManager` is given, and how the blocks of a configuration file say it. Checked by config/conversation-schema.ts;
// turned into objects by conversation.ts.
import type { Archive } from "../archive/archive.ts";
import type { RetentionPolicy } from "../archive/retention.ts";
import type { ModelOverrides } from "../config/conversation-schema.ts";
import type { ConfigFile } from "../config/file-schema.ts";
import type { SummarizerConfig } from "../config/summarizer-schema.ts";
import type { Environment } from "../config/variables.ts";
import type { ConversationPolicy } from "../conversation/policy.ts";
import type { RedactorOptions } from "../redaction/redactor.ts";
import type { Clock } from "../time.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { TraceSink } from "../trace/trace-sink.ts";
import { archiveOf, DEFAULT_ARCHIVE_PATH, type StorageConfig } from "./archive.ts";
import { sinksOf } from "./trace.ts";

export interface MemoryConfig {
  /** A SQLite file, made where it is not there. `~/` is the home folder. Default: nowhere. */
  readonly observations?: string | undefined;
  /** Of the rows. Default: the name of the working directory. */
  readonly project?: string | undefined;
}

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
  /** Where what a session taught goes after each compaction. Default: nowhere. */
  readonly memory?: MemoryConfig;
  /** Sinks besides the session's events.jsonl. */
  readonly trace?: readonly TraceSink[];
  readonly redaction?: RedactorOptions;
  readonly tokenCounter?: TokenCounter;
  readonly protect?: (message: unknown) => boolean;
  readonly now?: Clock;
}

/** What a file says, in the terms of code. `write` takes the lines of the sinks, a collector's headers are in `environment`. */
export function conversationConfigOf(
  file: ConfigFile,
  write?: (line: string) => void,
  environment?: Environment,
): ConversationConfig {
  const { version: _, storage, telemetry, summarizer: _summarizer, ...rest } = file;
  const {
    observations: _observations,
    decisions: _decisions,
    memoryFiles: _memory,
    mcp: _mcp,
    proxy: _proxy,
    ...shared
  } = rest;
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
