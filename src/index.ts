// The public surface: the conversation's manager, and what all memories share, which is archives, sinks and errors. Each
// memory has a door of its own: `agent-compact/conversation`, `/observations`, `/decisions`, `/memory-files`. Named exports
// only; nothing behind them imports a Node built-in statically.
export type {
  Archive,
  ArchivedStep,
  ArchiveFiles,
  ReadTranscriptOptions,
  StepSize,
  StoredContent,
  StoredFile,
  SummaryRecord,
} from "./archive/archive.ts";
export { createFsArchive, createMemoryArchive, createS3Archive, type S3ArchiveOptions } from "./archive/archives.ts";
export {
  type ApplyRetentionOptions,
  applyRetention,
  planRetention,
  type RetentionPolicy,
  type RetentionReport,
} from "./archive/retention.ts";
export { createFileArchive, type FileArchiveOptions } from "./archive/stored-archive.ts";
export type { SummarizerConfig } from "./config/summarizer-schema.ts";
export {
  applyConversationCompaction,
  CompactManager,
  type Conversation,
  type ConversationConfig,
  /** The specification's name for it. */
  type ConversationConfig as CompactConfig,
  type ConversationPlan,
  type ConversationReport,
  type ConversationResult,
  convertConversation,
  FORMATS,
  type Format,
  type Ledger,
  loadConversationConfig,
  type ManualOptions,
  type MessageView,
  markProtected,
  type PreflightOptions,
  planConversationCompaction,
  type Repair,
  type SessionStatus,
  type Violation,
} from "./conversation.ts";
export { CompactError, type CompactErrorKind } from "./errors.ts";
export { partTrace, type TraceConfig } from "./factories/trace.ts";
export type { Model, ModelAnswer, ModelFunction, ModelRequest } from "./models/model.ts";
export type { Redacted, Redactor, RedactorOptions } from "./redaction/redactor.ts";
export type {
  Passage,
  Setback,
  Strategy,
  Summarizer,
  Summary,
  SummaryRequest,
  SummaryUsage,
} from "./summaries/summarizer.ts";
export type { Clock } from "./time.ts";
export type { TokenCounter } from "./tokens/token-counter.ts";
export { type AriadneSinkOptions, createAriadneSink } from "./trace/ariadne-sink.ts";
export { createCallbackSink } from "./trace/callback-sink.ts";
export type { CompactEvent } from "./trace/compact-event.ts";
export { createConsoleSink } from "./trace/console-sink.ts";
export type { Trace } from "./trace/emit.ts";
export { createJsonlSink, type JsonlSinkOptions } from "./trace/jsonl-sink.ts";
export { createOpenAIAgentsSink, type OpenAIAgentsSinkOptions } from "./trace/openai-agents-sink.ts";
export { createOpenTelemetrySink, type OpenTelemetrySinkOptions } from "./trace/opentelemetry-sink.ts";
export { createOtlpSink, type OtlpSinkOptions } from "./trace/otlp-sink.ts";
export type { TraceSink } from "./trace/trace-sink.ts";
