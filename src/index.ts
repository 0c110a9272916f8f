// The public surface. Named exports only; nothing behind it imports a Node built-in statically.
export type { Archive, ArchivedStep, SummaryRecord } from "./archive/archive.ts";
export { createFsArchive } from "./archive/fs-archive.ts";
export { createMemoryArchive } from "./archive/memory-archive.ts";
export type { LoadOptions } from "./config/load-config.ts";
export type { SummarizerConfig } from "./config/schema/summarizer-schema.ts";
export type { ConversationPlan, PlannedMessage } from "./conversation/conversation-plan.ts";
export type { ConversationPolicy } from "./conversation/policy.ts";
export type { ConversationReport, ConversationResult, ReportWarning } from "./conversation/report.ts";
export type {
  CommandResult,
  ManualOptions,
  ModelChoice,
  PreflightOptions,
} from "./conversation/sessions/session-compactor.ts";
export type { SessionStatus } from "./conversation/sessions/session-status.ts";
export { CompactError, type CompactErrorKind } from "./errors.ts";
export type { Ledger } from "./facts/ledger.ts";
export type { Format, MessageView, Repair, Violation } from "./formats/format.ts";
export { markProtected } from "./formats/protected.ts";
export {
  applyConversationCompaction,
  type CompactionOptions,
  CompactManager,
  type ConversationConfig,
  FORMATS,
  loadConversationConfig,
  planConversationCompaction,
} from "./from-config/conversation.ts";
export type { Model, ModelAnswer, ModelFunction, ModelRequest } from "./models/model.ts";
export type { Redacted, Redactor } from "./redaction/redacted.ts";
export type {
  Passage,
  Setback,
  Strategy,
  Summarizer,
  Summary,
  SummaryRequest,
  SummaryUsage,
} from "./summarizers/summarizer.ts";
export type { TokenCounter } from "./tokens/token-counter.ts";
export { createCallbackSink } from "./trace/callback-sink.ts";
export type { CompactEvent } from "./trace/compact-event.ts";
export { createConsoleSink } from "./trace/console-sink.ts";
export type { TraceSink } from "./trace/trace-sink.ts";
