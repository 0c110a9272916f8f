// The whole story of one conversation compaction: plan reads, apply writes. Only this file of the part touches
// the archive and emits trace events; the stages it calls are pure.

import type { SummaryRecord } from "../archive/archive.ts";
import { CompactError } from "../errors.ts";
import { isoTime } from "../time.ts";
import { mapInTurns, nextTurn } from "../tokens/turns/pacer.ts";
import { emitEstimate, emitOverLimit, emitPruned, emitSummary, emitTrigger } from "./conversation-events.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import { describePlan } from "./describe-plan.ts";
import { describeDone, describeSkip } from "./describe-result.ts";
import { fingerprint, sha256 } from "./fingerprint.ts";
import type { DueCompaction, PreparedCompaction } from "./prepared-compaction.ts";
import type { ConversationResult } from "./report.ts";
import { redactState, type SessionState } from "./session-state.ts";
import { adoptEarly, type EarlySummary, withAppended } from "./sessions/early-summary.ts";
import { type Assembled, assemble } from "./stages/assemble.ts";
import { chooseLayers } from "./stages/choose-layers.ts";
import type { Layers } from "./stages/layers.ts";
import { type ReadConversation, readConversation } from "./stages/read-conversation.ts";
import { bytesOverCeiling } from "./stages/request-bytes.ts";
import { decideTrigger } from "./stages/trigger.ts";
import { rememberRedactions } from "./summary/passages.ts";
import { type WrittenSummary, writeSummary } from "./summary/write-summary.ts";
import { type EarlierSizes, sizeUp } from "./usage/size-up.ts";

export interface AppliedCompaction extends ConversationResult {
  /** State to carry into the next round; undefined when nothing was done. */
  readonly state: SessionState | undefined;
  /** Failed calls of the model, 0 when its answer was used; undefined when none was asked. */
  readonly modelFailures?: number | undefined;
}

export interface Earlier extends EarlierSizes {
  /** Tokens below which another automatic round would gain nothing. */
  readonly waitUntil?: number | undefined;
  readonly isModelPaused?: boolean;
  /** Gives the summary that was written ahead, if one still stands; asked only when compaction is due. */
  readonly takeEarly?: () => Promise<EarlySummary | undefined>;
}

/** Measures, decides, chooses. Emits the estimate and the decision; writes nothing. */
export async function prepareCompaction(
  input: ConversationInput,
  state: SessionState,
  given: ConversationParts,
  earlier: Earlier = {},
): Promise<PreparedCompaction> {
  const started = given.clock();
  const sized = await sizeUp(input, state, given, earlier);
  const { measured, parts, next: sizes } = sized;
  emitEstimate(input, sized, Math.max(0, parts.clock() - started));
  const { isManual } = input;
  const { waitUntil } = earlier;
  const bytes = measured.bytes?.total;
  const decision = decideTrigger({ ...parts, tokens: measured.total, bytes, isManual, waitUntil });
  if (decision.reason === "disabled" && measured.total > parts.budget) emitOverLimit(input, measured.total, parts);
  const prepared = { input, state, measured, parts, sizes, decision, due: undefined, appended: [] };
  if (!decision.triggered) {
    emitTrigger(input, decision, parts);
    return prepared;
  }
  // Written for tokens: it knows nothing of a ceiling that is broken since.
  const early = bytesOverCeiling(measured, parts.policy) > 0 ? undefined : await earlier.takeEarly?.();
  const adopted = early === undefined ? undefined : adoptEarly(early, prepared);
  if (adopted?.due !== undefined) {
    emitTrigger(input, decision, parts, adopted.due);
    return adopted;
  }
  const step = await freeStep(input, state, parts);
  const read = await readConversation(input, measured, state, parts);
  input.signal?.throwIfAborted();
  const { reason } = decision;
  const redact = rememberRedactions(parts.redactor);
  const layers = await chooseLayers({ input, read, state, step, parts, reason, redact });
  emitTrigger(input, decision, parts, { read, layers });
  return { ...prepared, due: { input, state, step, read, layers, isModelPaused: earlier.isModelPaused === true } };
}

/** The plan as plain data: what a dry run prints and apply takes. Leaves no trace: nothing has happened. */
export async function planConversationCompaction(
  input: ConversationInput,
  state: SessionState,
  parts: ConversationParts,
): Promise<ConversationPlan> {
  const silent = { ...parts, trace: { emit: () => {} } };
  const prepared = await prepareCompaction(input, state, silent);
  return describePlan(prepared, await fingerprint(input.messages), parts.budget);
}

/** Carries out a plan. Throws `Conflict` (`STALE_PLAN`) when the messages or the session have moved on since; messages appended behind them are kept. */
export async function applyConversationCompaction(
  plan: ConversationPlan,
  input: ConversationInput,
  state: SessionState,
  parts: ConversationParts,
): Promise<AppliedCompaction> {
  const planned = input.messages.slice(0, plan.message_count);
  const isStale = (await fingerprint(planned)) !== plan.fingerprint || (plan.triggered && plan.step <= state.step);
  if (isStale) {
    throw new CompactError(
      "Conflict",
      `The plan for session ${JSON.stringify(plan.session_id)} no longer fits: its messages or its session changed since.`,
      {
        code: "STALE_PLAN",
        hint: "Make a new plan and apply that.",
      },
    );
  }
  const isManual = plan.reason === "manual";
  const applied = await applyPrepared(await prepareCompaction({ ...input, messages: planned, isManual }, state, parts));
  return { ...applied, messages: [...applied.messages, ...input.messages.slice(plan.message_count)] };
}

/**
 * Archives, summarizes, assembles. Nothing is pruned unless the archive has it, and nothing is committed when
 * `isStillThere` says that the list it was made from is gone.
 */
export async function applyPrepared(
  prepared: PreparedCompaction,
  isStillThere: () => boolean = () => true,
): Promise<AppliedCompaction> {
  const { due, measured, decision, parts, input } = prepared;
  const skip = (reason: string, transcript: string | null = null, modelFailures?: number): AppliedCompaction => ({
    ...describeSkip(prepared, parts, reason, transcript),
    state: undefined,
    modelFailures,
  });
  if (due === undefined) return skip(decision.reason);
  const { layers, read } = due;
  const mayStay = measured.total <= parts.budget && bytesOverCeiling(measured, parts.policy) <= 0;
  // Where only our previous summary can give and the list is too large, it is written again, smaller.
  if (!changesAnything(layers, read) && mayStay) return skip("nothing_to_compact");
  if (layers.expectedTokens >= measured.total && mayStay) return skip("not_beneficial");
  const keepsOnFailure = parts.policy.onSummaryFailure === "keep" && mayStay;
  if (due.isModelPaused && keepsOnFailure) return skip("model_paused");
  input.signal?.throwIfAborted();
  const transcript = await archiveTranscript(due, parts);
  const written = await writeSummary(due, parts, { isArchived: transcript !== null, keepsOnFailure });
  if (written !== undefined && "kept" in written) return skip("summary_failed", transcript, written.modelFailures);
  await nextTurn();
  const assembled = withAppended(assemble(read, layers, written?.text, parts), prepared);
  const modelFailures = written?.modelFailures;
  if (assembled.tokens >= measured.total && mayStay) return skip("not_beneficial", transcript, modelFailures);
  input.signal?.throwIfAborted();
  if (!isStillThere()) return skip("messages_changed", transcript, modelFailures);
  const done = await commit(due, { written, assembled, transcript }, parts);
  return { ...done, messages: [...done.messages, ...prepared.appended], modelFailures };
}

interface Outcome {
  readonly written: WrittenSummary | undefined;
  readonly assembled: Assembled;
  readonly transcript: string | null;
}

/** Everything is on record before an event says that it happened. */
async function commit(due: DueCompaction, outcome: Outcome, parts: ConversationParts): Promise<AppliedCompaction> {
  const { written, assembled } = outcome;
  const state = await nextState(due, outcome);
  const summary = await archiveSummary(due, outcome, state, parts);
  if (written !== undefined) emitSummary(due, written, assembled, parts);
  emitPruned(due, assembled, parts);
  emitArchival("summary", summary, due, parts);
  return { ...describeDone(due, parts, { ...outcome, summary }), state };
}

async function freeStep(
  input: ConversationInput,
  state: SessionState,
  { archive, isArchiveRequired }: ConversationParts,
): Promise<number> {
  try {
    return Math.max(state.step + 1, (await archive?.nextStep(input.sessionId)) ?? 1);
  } catch (error) {
    if (isArchiveRequired) throw error;
    return state.step + 1;
  }
}

function changesAnything(layers: Layers, read: ReadConversation): boolean {
  return layers.shortened.size > 0 || layers.removed.some((index) => !read.replaced.has(index));
}

async function archiveTranscript(due: DueCompaction, parts: ConversationParts): Promise<string | null> {
  const { input, step } = due;
  const { archive, redactor, trace } = parts;
  if (archive === undefined) return null;
  if (!redactor.isEnabled) {
    const message = "Redaction is switched off: what is archived and traced may hold secrets.";
    trace.emit({
      event: "compact.warning",
      session_id: input.sessionId,
      severity: "high",
      code: "redaction_disabled",
      message,
    });
  }
  const redacted = await mapInTurns(input.messages, (native) => redactor.json(native));
  const location = await required(
    "transcript",
    () => archive.saveTranscript(input.sessionId, step, redacted),
    due,
    parts,
  );
  emitArchival("transcript", location, due, parts);
  return location;
}

async function archiveSummary(
  due: DueCompaction,
  { written, assembled }: Outcome,
  state: SessionState,
  parts: ConversationParts,
): Promise<string | null> {
  const { input, step, read, layers } = due;
  const { archive, redactor } = parts;
  if (archive === undefined) return null;
  const record: SummaryRecord = {
    session_id: input.sessionId,
    step,
    version: written?.version ?? null,
    created_at: isoTime(parts.clock()),
    format: read.format.name,
    strategy: parts.policy.strategy,
    source: written?.source ?? "none",
    text: written?.text ?? "",
    summary_hash: written === undefined ? null : state.summary_hash,
    tokens: assembled.summaryTokens,
    tokens_before: read.total,
    tokens_after: assembled.tokens,
    pruned: layers.removed.map((index) => read.numbers[index] ?? 1),
  };
  const save = async () => {
    const location = await archive.saveSummary(input.sessionId, step, redactor.json(record));
    await archive.writeState(input.sessionId, await redactState(state, redactor));
    return location;
  };
  return required("summary", save, due, parts);
}

type Place = Pick<DueCompaction, "input" | "step">;

/** A failing archive stops the compaction, unless the configuration says that it may go on without one. */
async function required(
  what: "transcript" | "summary",
  save: () => Promise<string>,
  { input, step }: Place,
  { isArchiveRequired, trace }: ConversationParts,
): Promise<string | null> {
  try {
    return await save();
  } catch (error) {
    if (isArchiveRequired || (CompactError.isInstance(error) && error.kind === "Conflict")) throw error;
    trace.emit({
      event: "compact.warning",
      session_id: input.sessionId,
      severity: "high",
      code: "not_archived",
      message: `The ${what} of step ${step} was not archived.`,
    });
    return null;
  }
}

function emitArchival(
  what: "transcript" | "summary",
  location: string | null,
  { input, step }: Place,
  { archive, trace }: ConversationParts,
): void {
  if (location === null || archive === undefined) return;
  trace.emit({
    event: "compact.archival",
    session_id: input.sessionId,
    step,
    storage_adapter: archive.adapter,
    what,
    location,
  });
}

async function nextState(
  { read, step, layers }: DueCompaction,
  { written, assembled }: Outcome,
): Promise<SessionState> {
  const { carried } = read;
  const isInserted = written !== undefined && assembled.placed.summaryIndex >= 0;
  return {
    version: 1,
    step,
    summary_version: written?.version ?? carried.summary_version,
    summary_hash: isInserted ? await sha256(written.text) : carried.summary_hash,
    ledger: layers.ledger,
    list_length: assembled.placed.messages.length,
  };
}
