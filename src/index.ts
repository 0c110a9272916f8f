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
export {
  type ObservationStoreOptions,
  observationTrace,
  openObservationStore,
  type PlanObservationsRequest,
  planObservationCompaction,
} from "./from-config/observations.ts";
export type { Model, ModelAnswer, ModelFunction, ModelRequest } from "./models/model.ts";
export { applyObservationCompaction, type CompactionReport } from "./observations/apply-observation-compaction.ts";
export {
  type CompactionResult,
  type CompactRequest,
  compactObservations,
} from "./observations/compact-observations.ts";
export {
  type FoundStale,
  findStaleObservations,
  identifyStaleObservations,
  type StaleObservations,
  type StaleRequest,
} from "./observations/compaction/find-stale.ts";
export type { CompactionPlan } from "./observations/grouping/plan-schema.ts";
export { createMemoryObservationStore } from "./observations/memory-observation-store.ts";
export type { NewObservation, Observation, Prompt, Relation, Session } from "./observations/observation.ts";
export type { ObservationReader, ObservationStore, ObservationWriter } from "./observations/observation-store.ts";
export { type SearchRequest, searchObservations } from "./observations/reading/search-observations.ts";
export { type RestoreRequest, type RestoreResult, restoreObservations } from "./observations/restore-observations.ts";
export { type SaveObservationRequest, saveObservation } from "./observations/saving/save-observation.ts";
export { type ExportRequest, exportObservations } from "./observations/transfer/export-observations.ts";
export {
  type ImportReport,
  type ImportRequest,
  importObservations,
} from "./observations/transfer/import-observations.ts";
export { readImportedRows } from "./observations/transfer/read-rows.ts";
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
