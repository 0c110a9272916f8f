// `agent-compact/decisions`: what agents chose and what came of it. The log comes first in every call, options come last:
// `policies`, those of the package unless said otherwise; `now`, a clock; `trace`.
import {
  applyDecisionCompaction as apply,
  type DecisionCompactionReport,
} from "./decisions/compaction/apply-decision-compaction.ts";
import {
  type CycleRequest,
  type CycleResult,
  compactDecisions as compact,
} from "./decisions/compaction/compact-decisions.ts";
import type { CycleOptions } from "./decisions/compaction/cycle-lease.ts";
import {
  type DecisionCompactionPlan,
  planDecisionCompaction as plan,
} from "./decisions/compaction/plan-decision-compaction.ts";
import type { DecisionLog, DecisionOptions } from "./decisions/decision-log.ts";
import type { DecisionFile, ReadRecords } from "./decisions/import/decision-source.ts";
import type { ReadRecordsOptions } from "./decisions/import/read-decision-records.ts";
import { decisionPolicies, type Policies } from "./decisions/levels.ts";
import { type RecordRequest, recordDecision as record } from "./decisions/record-decision.ts";
import {
  type PreserveRequest,
  setPreserve as preserve,
  type ReviewRequest,
  reviewDecision as review,
} from "./decisions/review-decision.ts";
import { getDecision as get } from "./decisions/serving/get-decision.ts";
import {
  type CompactedRequest,
  getCompacted as compacted,
  type DecisionQuery,
  queryDecisions as query,
} from "./decisions/serving/query-decisions.ts";
import type { ServedDecisions } from "./decisions/serving/served.ts";
import { type WisdomRequest, getWisdom as wisdom } from "./decisions/wisdom/get-wisdom.ts";
import type { Wisdom } from "./decisions/wisdom/wisdom.ts";
import { atNow, type Clock } from "./time.ts";
import type { Trace } from "./trace/emit.ts";

export { type Calibration, getCalibration } from "./decisions/calibration.ts";
export type { Decision, Level, Outcome, RawDecision, RecordFault, StoredDecision } from "./decisions/decision.ts";
export type { DecisionLog, DecisionReader, DecisionWriter } from "./decisions/decision-log.ts";
export { type ImportDecisionsReport, importDecisions } from "./decisions/import/import-decisions.ts";
export { type DecisionPolicy, decisionPolicies, type Policies, type PolicyChanges } from "./decisions/levels.ts";
export { createMemoryDecisionLog } from "./decisions/memory-decision-log.ts";
export type { ServedDecision } from "./decisions/serving/served.ts";
export type { TextWriter } from "./decisions/texts/text-writer.ts";
export { specForm, structuredForm } from "./decisions/wisdom/wisdom.ts";
export {
  createDecisionTextWriter,
  type DecisionLogOptions,
  type DecisionLogPlace,
  type DecisionTextOptions,
  openDecisionLog,
} from "./factories/decisions.ts";
export type {
  CompactedRequest,
  CycleResult,
  DecisionCompactionPlan,
  DecisionCompactionReport,
  DecisionQuery,
  PreserveRequest,
  RecordRequest,
  ReviewRequest,
  ServedDecisions,
  Wisdom,
  WisdomRequest,
};

export interface DecisionCallOptions {
  /** Default: the package's. */
  readonly policies?: Policies | undefined;
  /** Default: the machine's clock. */
  readonly now?: Clock | undefined;
  readonly trace?: Pick<Trace, "emit"> | undefined;
}

export interface DecisionCompactionOptions extends DecisionCallOptions, Pick<CycleOptions, "texts" | "signal"> {}

/** Category and agent whose decisions are compacted; absent: all. */
export type DecisionCompactionRequest = Omit<CycleRequest, "dryRun">;

/**
 * Which decisions change their level and which texts are due, as plain data for `applyDecisionCompaction`. Writes nothing.
 * @throws InvalidInput; NotFound where there is no log; StoreFailed.
 */
export function planDecisionCompaction(
  log: DecisionLog,
  request: Pick<DecisionCompactionRequest, "category" | "agent"> = {},
  options: DecisionCompactionOptions = {},
): Promise<DecisionCompactionPlan> {
  return plan(log, request, calledWith(options));
}

/**
 * Carries out all of a plan or nothing, but that texts which were written before a failure stay.
 * @throws InvalidInput (`INVALID_PLAN`) before anything is written; Conflict (`STALE_PLAN`, `CYCLE_RUNNING`, `CYCLE_LOST`);
 * the reason of an aborted `signal`; StoreFailed.
 */
export function applyDecisionCompaction(
  log: DecisionLog,
  made: unknown,
  options: DecisionCompactionOptions = {},
): Promise<DecisionCompactionReport> {
  return apply(log, made, calledWith(options));
}

/**
 * Plans and applies: records may be written meanwhile, the cycle then plans again.
 * @throws Conflict (`CYCLE_RUNNING`, `STALE_PLAN`); the reason of an aborted `signal`; NotFound; StoreFailed.
 */
export function compactDecisions(
  log: DecisionLog,
  request: DecisionCompactionRequest = {},
  options: DecisionCompactionOptions = {},
): Promise<CycleResult> {
  return compact(log, { ...request, dryRun: false }, calledWith(options));
}

/** @throws InvalidInput (`INVALID_DECISION`) that names the field; NotFound for what it supersedes; StoreFailed. */
export function recordDecision(
  log: DecisionLog,
  request: RecordRequest,
  options: DecisionCallOptions = {},
): ReturnType<typeof record> {
  return record(log, request, calledWith(options));
}

/** Notes what came of a decision. @throws InvalidInput (`INVALID_DECISION`), NotFound, StoreFailed. */
export function reviewDecision(
  log: DecisionLog,
  request: ReviewRequest,
  options: DecisionCallOptions = {},
): ReturnType<typeof review> {
  return review(log, request, calledWith(options));
}

/** A preserved decision is served in full at any age. @throws InvalidInput; NotFound where there is no log; StoreFailed. */
export function setPreserve(
  log: DecisionLog,
  request: PreserveRequest,
  options: DecisionCallOptions = {},
): ReturnType<typeof preserve> {
  return preserve(log, request, calledWith(options));
}

/** One decision in full, with its level. `id` may be a beginning of at least 4 characters. @throws NotFound, StoreFailed. */
export function getDecision(log: DecisionLog, id: string, options: DecisionCallOptions = {}): ReturnType<typeof get> {
  return get(log, id, calledWith(options));
}

/** Decisions by filter and words, latest first. @throws InvalidInput, NotFound, StoreFailed. */
export function queryDecisions(
  log: DecisionLog,
  request: DecisionQuery = {},
  options: DecisionCallOptions = {},
): ReturnType<typeof query> {
  return query(log, request, calledWith(options));
}

/**
 * Decisions as their levels show them, latest first; those of wisdom's age are counted and left out unless asked for.
 * @throws InvalidInput (`UNKNOWN_LEVEL`, `INVALID_LIMIT`, `INVALID_CURSOR`); NotFound where there is no log; StoreFailed.
 */
export function getCompacted(
  log: DecisionLog,
  request: CompactedRequest = {},
  options: DecisionCallOptions = {},
): Promise<ServedDecisions> {
  return compacted(log, request, calledWith(options));
}

/** What the reviewed decisions of each category teach. @throws InvalidInput (`INVALID_MIN_DECISIONS`); NotFound; StoreFailed. */
export function getWisdom(
  log: DecisionLog,
  request: WisdomRequest = {},
  options: DecisionCallOptions = {},
): Promise<Wisdom> {
  return wisdom(log, request, calledWith(options));
}

/** Files of CSTP records, ADRs or issues as raw records. Never rejects for what a file holds. Records in the order of the files, ADRs first. */
export async function readDecisionRecords(
  files: readonly DecisionFile[],
  options: ReadRecordsOptions = {},
): Promise<ReadRecords> {
  const { readDecisionRecords: read } = await import("./decisions/import/read-decision-records.ts");
  return read(files, options);
}

function calledWith(options: DecisionCompactionOptions): CycleOptions & DecisionOptions {
  const { policies = decisionPolicies(), now: clock } = options;
  return { ...atNow(options), policies, ...(clock === undefined ? {} : { clock }) };
}
