// A configuration becomes the objects that compact: the only place that names what implements what for the conversation.
// Loaded at the first call of a `CompactManager`; adding an implementation is one line here.
import type { Archive } from "../archive/archive.ts";
import { createMemoryArchive } from "../archive/archives.ts";
import {
  applyRetention,
  hasLimit,
  planRetention,
  type RetentionPolicy,
  type RetentionReport,
} from "../archive/retention.ts";
import { limitsOf, resolveForModel } from "../config/limits.ts";
import type { ModelChoice } from "../conversation/calls.ts";
import type { ConversationParts, MessageCounter } from "../conversation/conversation-parts.ts";
import { DEFAULT_POLICY } from "../conversation/policy.ts";
import type { ConversationReport } from "../conversation/report.ts";
import { CompactError } from "../errors.ts";
import { createRedactor } from "../redaction/redactor.ts";
import type { Clock } from "../time.ts";
import { countSystem, countTools } from "../tokens/budget.ts";
import { createMessageCounter } from "../tokens/count-messages.ts";
import { counterFor } from "../tokens/create-token-counter.ts";
import { resolveModel } from "../tokens/models.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Trace } from "../trace/emit.ts";
import { archiveOf, DEFAULT_ARCHIVE_PATH, type StorageConfig } from "./archive.ts";
import type { ConversationConfig } from "./conversation-config.ts";
import { FORMATS } from "./formats.ts";
import { createHandOver } from "./hand-over.ts";
import { extractiveSummarizer, readsRedacted, summarizerOf } from "./summarizer.ts";
import { conversationTrace } from "./trace.ts";

/** Of what a date can hold, in milliseconds. */
const LATEST_TIME = 8.64e15;

/** What a `CompactManager` works with. */
export interface OpenedConversation {
  /** For the configured model. */
  readonly parts: ConversationParts;
  /** For another model; the same object for the same choice. */
  readonly partsFor: (choice: ModelChoice) => ConversationParts;
  readonly trace: Trace;
  readonly retention: Retention;
}

/**
 * What all models share is made once; what hangs on the model, once for each choice. `apiKey`: of the summarizing model, as it
 * was found when the configuration was checked.
 */
export function openConversation(config: ConversationConfig, apiKey: string | undefined): OpenedConversation {
  const trace = createTraceFrom(config);
  const redactor = createRedactor(config.redaction);
  const archive = configuredArchive(config);
  const clock = clockOf(config);
  const shared = {
    formats: FORMATS,
    summarizer: summarizerOf(config.summarizer, { redactor, apiKey }),
    extractive: extractiveSummarizer,
    archive,
    isArchiveRequired: config.archiveOptional !== true,
    redactor,
    redactsPassages: readsRedacted(config.summarizer),
    trace,
    clock,
    isEnabled: config.enabled ?? true,
    protect: config.protect,
    handOver: createHandOver(config.memory ?? {}, { clock, trace }),
  };
  const known = new Map<string, ConversationParts>();
  const partsFor = (choice: ModelChoice): ConversationParts => {
    const key = JSON.stringify([choice.model, choice.maxContextTokens, choice.reservedOutputTokens]);
    const parts = known.get(key) ?? {
      ...shared,
      ...modelParts({ ...resolveForModel(config, choice.model), ...choice }),
    };
    known.set(key, parts);
    return parts;
  };
  const retention = retentionOf(retentionPolicyOf(config), { archive, trace, clock });
  return { parts: partsFor({}), partsFor, trace, retention };
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
    countMessage: messages.countMessage,
    countMessageInTurns: messages.countMessageInTurns,
    countSystem: (system) => countSystem(system, messages.counter),
    countTools: (tools) => countTools(tools, messages.counter),
  };
}

// The retention of a configuration at work: after each compaction, behind the caller's back, one at a time. What fails
// is a warning; the compaction it follows is done.

export interface Retention {
  /** Starts it when something was compacted; never throws, never waits. */
  follow(report: ConversationReport): void;
  /** Resolves when what was started has ended; never rejects. */
  settled(): Promise<void>;
}

const NONE: Retention = { follow: () => undefined, settled: async () => undefined };

export function retentionOf(
  policy: RetentionPolicy | undefined,
  { archive, trace, clock }: { readonly archive: Archive | undefined; readonly trace: Trace; readonly clock: Clock },
): Retention {
  if (archive === undefined || policy === undefined || !hasLimit(policy)) return NONE;
  let running: Promise<void> | undefined;
  /** The session that asked while another's was at work: one more look answers all that ask meanwhile. */
  let next: string | undefined;

  const warn = (session_id: string, message: string) =>
    trace.emit({ event: "compact.warning", session_id, severity: "low", code: "retention_failed", message });
  const apply = async (sessionId: string): Promise<void> => {
    try {
      const report = await applyRetention(archive, planRetention(await archive.sizes(), policy, clock()), { trace });
      if (report.failed.length > 0) warn(sessionId, describeFailed(report));
    } catch (error) {
      warn(
        sessionId,
        `The archive's retention failed: ${CompactError.isInstance(error) ? error.message : "unexpected"}.`,
      );
    }
  };
  const work = async (first: string): Promise<void> => {
    for (let session: string | undefined = first; session !== undefined; session = next) {
      next = undefined;
      await apply(session);
    }
    running = undefined;
  };
  return {
    follow({ status, session_id }) {
      if (status === "skipped") return;
      if (running === undefined) running = work(session_id);
      else next = session_id;
    },
    settled: async () => running,
  };
}

function describeFailed({ failed, removed }: RetentionReport): string {
  const [first] = failed;
  const all = failed.length + removed.length;
  return `${failed.length} of ${all} steps could not leave the archive. Step ${first?.step} of session ${JSON.stringify(first?.session_id)}: ${first?.message}.`;
}
