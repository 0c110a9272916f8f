// The public surface. Named exports only; nothing behind it imports a Node built-in statically.
export type { Archive, ArchivedStep, ReadTranscriptOptions, StepSize, SummaryRecord } from "./archive/archive.ts";
export type { ArchiveFiles, StoredContent, StoredFile } from "./archive/archive-files.ts";
export { createFileArchive, type FileArchiveOptions } from "./archive/file-archive.ts";
export { createFsArchive } from "./archive/fs-archive.ts";
export { createMemoryArchive } from "./archive/memory-archive.ts";
export {
  type ApplyRetentionOptions,
  applyRetention,
  type RetentionReport,
} from "./archive/retention/apply-retention.ts";
export { planRetention, type RetentionPolicy } from "./archive/retention/plan-retention.ts";
export { createS3Archive, type S3ArchiveOptions } from "./archive/s3-archive.ts";
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
} from "./conversation/sessions/compactor.ts";
export type { SessionStatus } from "./conversation/sessions/session-status.ts";
export { applyDecisionCompaction, type DecisionCompactionReport } from "./decisions/apply-decision-compaction.ts";
export { type Calibration, getCalibration } from "./decisions/calibration/get-calibration.ts";
export { type CycleRequest, type CycleResult, compactDecisions } from "./decisions/compact-decisions.ts";
export type { CycleOptions } from "./decisions/cycle/cycle-options.ts";
export type { Decision, Level, Outcome, RawDecision, RecordFault, StoredDecision } from "./decisions/decision.ts";
export type { DecisionLog, DecisionReader, DecisionWriter } from "./decisions/decision-log.ts";
export type { DecisionOptions } from "./decisions/decision-options.ts";
export {
  type DecisionPolicy,
  decisionPolicies,
  type Policies,
  type PolicyChanges,
} from "./decisions/levels/policy.ts";
export { createMemoryDecisionLog } from "./decisions/memory-decision-log.ts";
export { type DecisionCompactionPlan, planDecisionCompaction } from "./decisions/plan-decision-compaction.ts";
export { type RecordRequest, recordDecision } from "./decisions/recording/record-decision.ts";
export { type ReviewRequest, reviewDecision } from "./decisions/recording/review-decision.ts";
export { type PreserveRequest, setPreserve } from "./decisions/recording/set-preserve.ts";
export { type CompactedRequest, getCompacted } from "./decisions/serving/get-compacted.ts";
export { getDecision } from "./decisions/serving/get-decision.ts";
export { type DecisionQuery, queryDecisions } from "./decisions/serving/query-decisions.ts";
export type { ServedDecision, ServedDecisions } from "./decisions/serving/served.ts";
export type { TextWriter } from "./decisions/texts/text-writer.ts";
export { type ImportDecisionsReport, importDecisions } from "./decisions/transfer/import-decisions.ts";
export { getWisdom, type WisdomRequest } from "./decisions/wisdom/get-wisdom.ts";
export { specForm } from "./decisions/wisdom/spec-form.ts";
export { structuredForm } from "./decisions/wisdom/structured-form.ts";
export type { Wisdom } from "./decisions/wisdom/wisdom.ts";
export { CompactError, type CompactErrorKind } from "./errors.ts";
export type { Ledger } from "./facts/ledger.ts";
export type { Conversation, ProviderFormat } from "./formats/convert/conversation.ts";
export type { Converted } from "./formats/convert/convert-conversation.ts";
export type { Format, MessageView, Repair, Violation } from "./formats/format.ts";
export { markProtected } from "./formats/protected.ts";
export type { ReadNote } from "./formats/readers/reader.ts";
export {
  applyConversationCompaction,
  type CompactionOptions,
  CompactManager,
  loadConversationConfig,
  planConversationCompaction,
} from "./from-config/conversation.ts";
export type {
  ConversationConfig,
  /** The specification's name for it. */
  ConversationConfig as CompactConfig,
} from "./from-config/conversation-config.ts";
export { convertConversation } from "./from-config/convert-conversation.ts";
export {
  createDecisionTextWriter,
  type DecisionLogPlace,
  type DecisionTextOptions,
  openDecisionLog,
  readDecisionRecords,
} from "./from-config/decisions.ts";
export { FORMATS } from "./from-config/formats.ts";
export {
  analyzeMemoryFiles,
  applyMemoryFilesCompaction,
  compactMemoryFiles,
  journalFaults,
  listArchivedChanges,
  type MemoryFilesPlanOptions,
  planMemoryFilesCompaction,
  restoreMemoryFiles,
} from "./from-config/memory-files.ts";
export {
  type ObservationStoreOptions,
  openObservationStore,
  type PlanObservationsRequest,
  planObservationCompaction,
  readImportedRows,
} from "./from-config/observations.ts";
export { partTrace, type TraceConfig } from "./from-config/part-trace.ts";
export type {
  CrossFileIssue,
  DuplicateLine,
  MemoryAnalysis,
  MemoryFileReport,
  NoteReport,
  RedundantSection,
  SecretPlace,
  SectionReport,
} from "./memory-files/analysis.ts";
export type { CompactMemoryFilesRequest, MemoryFilesResult } from "./memory-files/compact-memory-files.ts";
export type { AnalyzeRequest, Lever, MemoryFilesOptions, PlanRequest } from "./memory-files/memory-files-options.ts";
export type { HeldChange, MemoryFilesPlan, PlannedChange } from "./memory-files/plan.ts";
export type {
  AppliedChange,
  ArchivedChange,
  MemoryFilesReport,
  RefusedChange,
  RestoredChange,
  RestoreReport,
} from "./memory-files/report.ts";
export type { JournalFault } from "./memory-files/restore-memory-files.ts";
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
export type { Redacted, Redactor } from "./redaction/redacted.ts";
export type { RedactorOptions } from "./redaction/redactor.ts";
export type {
  Passage,
  Setback,
  Strategy,
  Summarizer,
  Summary,
  SummaryRequest,
  SummaryUsage,
} from "./summaries/summarizer.ts";
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
