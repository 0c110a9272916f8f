// The public surface. Named exports only; nothing behind it imports a Node built-in statically.
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
export {
  createFileArchive,
  createFsArchive,
  createMemoryArchive,
  createS3Archive,
  type FileArchiveOptions,
  type S3ArchiveOptions,
} from "./archive/archives.ts";
export {
  type ApplyRetentionOptions,
  applyRetention,
  planRetention,
  type RetentionPolicy,
  type RetentionReport,
} from "./archive/retention.ts";
export type { LoadOptions } from "./config/load-config.ts";
export type { SummarizerConfig } from "./config/summarizer-schema.ts";
export type {
  CommandResult,
  ManualOptions,
  ModelChoice,
  PreflightOptions,
  SessionStatus,
} from "./conversation/compactor.ts";
export type { ConversationPlan, PlannedMessage } from "./conversation/conversation-plan.ts";
export type { ConversationPolicy } from "./conversation/policy.ts";
export type {
  ConversationReport,
  ConversationResult,
  ReportWarning,
} from "./conversation/report.ts";
export {
  applyConversationCompaction,
  type CompactionOptions,
  CompactManager,
  convertConversation,
  loadConversationConfig,
  planConversationCompaction,
} from "./conversation.ts";
export { type Calibration, getCalibration } from "./decisions/calibration.ts";
export {
  applyDecisionCompaction,
  type DecisionCompactionReport,
} from "./decisions/compaction/apply-decision-compaction.ts";
export { type CycleRequest, type CycleResult, compactDecisions } from "./decisions/compaction/compact-decisions.ts";
export type { CycleOptions } from "./decisions/compaction/cycle-lease.ts";
export {
  type DecisionCompactionPlan,
  planDecisionCompaction,
} from "./decisions/compaction/plan-decision-compaction.ts";
export type { Decision, Level, Outcome, RawDecision, RecordFault, StoredDecision } from "./decisions/decision.ts";
export type { DecisionLog, DecisionOptions, DecisionReader, DecisionWriter } from "./decisions/decision-log.ts";
export { type ImportDecisionsReport, importDecisions } from "./decisions/import/import-decisions.ts";
export {
  type DecisionPolicy,
  decisionPolicies,
  type Policies,
  type PolicyChanges,
} from "./decisions/levels.ts";
export { createMemoryDecisionLog } from "./decisions/memory-decision-log.ts";
export { type RecordRequest, recordDecision } from "./decisions/record-decision.ts";
export { type PreserveRequest, type ReviewRequest, reviewDecision, setPreserve } from "./decisions/review-decision.ts";
export { getDecision } from "./decisions/serving/get-decision.ts";
export {
  type CompactedRequest,
  type DecisionQuery,
  getCompacted,
  queryDecisions,
} from "./decisions/serving/query-decisions.ts";
export type { ServedDecision, ServedDecisions } from "./decisions/serving/served.ts";
export type { TextWriter } from "./decisions/texts/text-writer.ts";
export { getWisdom, type WisdomRequest } from "./decisions/wisdom/get-wisdom.ts";
export type { Wisdom } from "./decisions/wisdom/wisdom.ts";
export { specForm, structuredForm } from "./decisions/wisdom/wisdom.ts";
export {
  createDecisionTextWriter,
  type DecisionLogPlace,
  type DecisionTextOptions,
  openDecisionLog,
  readDecisionRecords,
} from "./decisions.ts";
export { CompactError, type CompactErrorKind } from "./errors.ts";
export type {
  ConversationConfig,
  /** The specification's name for it. */
  ConversationConfig as CompactConfig,
} from "./factories/conversation-config.ts";
export { FORMATS } from "./factories/formats.ts";
export { partTrace, type TraceConfig } from "./factories/trace.ts";
export type { Ledger } from "./facts/ledger.ts";
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
export type { AnalyzeRequest, Lever, MemoryFilesOptions, PlanRequest } from "./memory-files/options.ts";
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
export {
  analyzeMemoryFiles,
  applyMemoryFilesCompaction,
  compactMemoryFiles,
  journalFaults,
  listArchivedChanges,
  type MemoryFilesPlanOptions,
  planMemoryFilesCompaction,
  restoreMemoryFiles,
} from "./memory-files.ts";
export type { Model, ModelAnswer, ModelFunction, ModelRequest } from "./models/model.ts";
export {
  applyObservationCompaction,
  type CompactionReport,
} from "./observations/compaction/apply-observation-compaction.ts";
export {
  type CompactionResult,
  type CompactRequest,
  compactObservations,
} from "./observations/compaction/compact-observations.ts";
export type { CompactionPlan } from "./observations/compaction/compaction-plan.ts";
export {
  type FoundStale,
  findStaleObservations,
  identifyStaleObservations,
  type StaleObservations,
  type StaleRequest,
} from "./observations/compaction/find-stale.ts";
export {
  type RestoreRequest,
  type RestoreResult,
  restoreObservations,
} from "./observations/compaction/restore-observations.ts";
export { createMemoryObservationStore } from "./observations/memory-observation-store.ts";
export type { NewObservation, Observation, Prompt, Relation, Session } from "./observations/observation.ts";
export type { ObservationReader, ObservationStore, ObservationWriter } from "./observations/observation-store.ts";
export { type SearchRequest, searchObservations } from "./observations/reading/search-observations.ts";
export { type SaveObservationRequest, saveObservation } from "./observations/saving/save-observation.ts";
export { type ExportRequest, exportObservations } from "./observations/transfer/export-observations.ts";
export {
  type ImportReport,
  type ImportRequest,
  importObservations,
} from "./observations/transfer/import-observations.ts";
export {
  type ObservationStoreOptions,
  openObservationStore,
  type PlanObservationsRequest,
  planObservationCompaction,
  readImportedRows,
} from "./observations.ts";
export type { Converted } from "./providers/conversion/convert-conversation.ts";
export type { Conversation, Format, MessageView, ProviderFormat, Repair, Violation } from "./providers/format.ts";
export { markProtected } from "./providers/message-marks.ts";
export type { Redacted, Redactor, RedactorOptions } from "./redaction/redactor.ts";
export type { ReadNote } from "./session-files/session-reader.ts";
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
