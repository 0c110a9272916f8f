// The whole story of one conversation compaction: plan reads, apply writes. Only this file of the part touches
// the archive (by archiving/) and tells what happened; the stages it calls are pure.
import { nextTurn } from "../tokens/stepwise.ts";
import { startWatch } from "../trace/emit.ts";
import {
  archiveSummary,
  archiveTranscript,
  emitArchival,
  type NotSaved,
  placeOf,
  type Saved,
  takeStateBack,
} from "./archive-step.ts";
import { type Assembled, assemble } from "./assemble.ts";
import { emitEstimate, emitOverLimit, emitPruned, emitSummary, emitTrigger } from "./conversation-events.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import { type ConversationPlan, describePlan, plannedInput, refuseOther } from "./conversation-plan.ts";
import { describeDone, describeSkip } from "./describe-result.ts";
import { doubtMedia } from "./doubted-media.ts";
import type { DueCompaction, Layers, LayersInput, PreparedCompaction } from "./layers.ts";
import { bytesOverCeiling } from "./measure-conversation.ts";
import { rememberRedactions } from "./passages.ts";
import { decideTrigger, type TriggerDecision } from "./policy.ts";
import { type ReadConversation, readConversation } from "./read-conversation.ts";
import type { ConversationResult } from "./report.ts";
import { type SessionState, sha256 } from "./session-state.ts";
import { detachChanged } from "./shorten.ts";
import { type EarlierSizes, sizeUp } from "./usage.ts";
import { adoptEarly, type EarlySummary, type WrittenSummary, withAppended, writeSummary } from "./write-summary.ts";

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
  /** Another took the step: the attempt goes on with the next one, and has told its estimate and its decision already. */
  readonly isTold?: boolean;
  /** Of the plan that is carried out: what it decided is not decided again. */
  readonly decided?: TriggerDecision;
}

/** Measures, decides, chooses. Emits the estimate and the decision; writes nothing. */
export async function prepareCompaction(
  input: ConversationInput,
  state: SessionState,
  given: ConversationParts,
  earlier: Earlier = {},
): Promise<PreparedCompaction> {
  const watch = startWatch(given.clock);
  const sized = await sizeUp(input, state, given, earlier);
  const { measured, parts, next: sizes } = sized;
  const isTold = earlier.isTold === true;
  if (!isTold) emitEstimate(input, sized, watch());
  const { isManual } = input;
  const { waitUntil } = earlier;
  const choosing = startWatch(parts.clock);
  const bytes = measured.bytes?.total;
  const { doubted, total: tokens } = measured;
  const decision = earlier.decided ?? decideTrigger({ ...parts, tokens, doubted, bytes, isManual, waitUntil });
  if (decision.reason === "disabled" && measured.total > parts.budget) emitOverLimit(input, measured.total, parts);
  const prepared = { input, state, measured, parts, sizes, decision, due: undefined, appended: [] };
  try {
    const chosen = decision.triggered ? await chooseOrDoubt(prepared, earlier) : prepared;
    if (!isTold) emitTrigger(input, chosen.decision, parts, choosing(), chosen.due);
    return chosen;
  } catch (error) {
    // What stays could not be told, but it was decided.
    if (!isTold) emitTrigger(input, decision, parts, choosing());
    throw error;
  }
}

/** Where it is what media were taken for that does not fit, it is looked at anew with less of it. */
async function chooseOrDoubt(prepared: PreparedCompaction, earlier: Earlier): Promise<PreparedCompaction> {
  try {
    return await choose(prepared, earlier);
  } catch (error) {
    for (const doubted of doubtMedia(prepared, error)) {
      const { parts, measured, input } = doubted;
      const { total: tokens, doubted: unseen, bytes } = measured;
      const { isManual } = input;
      const sizes = { ...parts, tokens, doubted: unseen, bytes: bytes?.total, isManual, waitUntil: earlier.waitUntil };
      const decision = earlier.decided ?? decideTrigger(sizes);
      if (!decision.triggered) return { ...doubted, decision };
      try {
        return await choose({ ...doubted, decision }, earlier);
      } catch (again) {
        if (doubtMedia(doubted, again).next().done) throw again;
      }
    }
    throw error;
  }
}

/** What stays and what leaves, or the summary that was written ahead. Throws `InsufficientBudget`, `ArchiveFailed`. */
async function choose(prepared: PreparedCompaction, earlier: Earlier): Promise<PreparedCompaction> {
  const { input, state, measured, parts, decision } = prepared;
  // Written for tokens: it knows nothing of a ceiling that is broken since.
  const early = bytesOverCeiling(measured, parts.policy) > 0 ? undefined : await earlier.takeEarly?.();
  const adopted = early === undefined ? undefined : adoptEarly(early, prepared);
  if (adopted?.due !== undefined) return adopted;
  const step = await freeStep(input, state, parts);
  const read = await readConversation(input, measured, state, parts);
  input.signal?.throwIfAborted();
  const { reason } = decision;
  const redact = rememberRedactions(parts.redactor);
  const layers = await chooseLayers({ input, read, state, step, parts, reason, redact });
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
  return describePlan(prepared, parts);
}

/**
 * Carries out a plan as it was reviewed; messages appended behind its own are kept. Throws `Conflict` (`STALE_PLAN`) when the messages, the session or the policy are others since, or other messages would leave.
 */
export async function applyConversationCompaction(
  plan: ConversationPlan,
  input: ConversationInput,
  state: SessionState,
  parts: ConversationParts,
): Promise<AppliedCompaction> {
  const { triggered, reason } = plan;
  const planned = await plannedInput(plan, input, state, parts);
  const prepared = await prepareCompaction(planned, state, parts, { decided: { triggered, reason } });
  refuseOther(plan, prepared);
  const applied = await applyPrepared(prepared);
  return { ...applied, messages: [...applied.messages, ...input.messages.slice(plan.message_count)] };
}

/**
 * Archives, summarizes, assembles. Nothing is pruned unless the archive has it, and nothing is committed when
 * `isStillThere` says that the list it was made from is gone; it is asked last in the turn in which the events are emitted.
 */
export async function applyPrepared(
  prepared: PreparedCompaction,
  isStillThere: () => boolean = () => true,
): Promise<AppliedCompaction> {
  const { due: planned, measured, decision, parts, input } = prepared;
  const skip = (reason: string, transcript: string | null = null, modelFailures?: number): AppliedCompaction => ({
    ...describeSkip(prepared, parts, reason, transcript),
    state: undefined,
    modelFailures,
  });
  if (planned === undefined) return skip(decision.reason);
  const { layers, read } = planned;
  const mayStay = measured.total <= parts.budget && bytesOverCeiling(measured, parts.policy) <= 0;
  // Where only our previous summary can give and the list is too large, it is written again, smaller.
  if (!changesAnything(layers, read) && mayStay) return skip("nothing_to_compact");
  if (layers.expectedTokens >= measured.total && mayStay) return skip("not_beneficial");
  const keepsOnFailure = parts.policy.onSummaryFailure === "keep" && mayStay;
  if (planned.isModelPaused && keepsOnFailure) return skip("model_paused");
  input.signal?.throwIfAborted();
  const archived = await archiveTranscript(planned, parts);
  const transcript = placeOf(archived);
  const due = wasLost(archived) ? await withoutWayBack(planned, prepared) : planned;
  const written = await writeSummary(due, parts, { isArchived: transcript !== null, keepsOnFailure });
  if (written !== undefined && "kept" in written) return skip("summary_failed", transcript, written.modelFailures);
  await nextTurn();
  const assembled = withAppended(assemble(read, due.layers, written?.text, parts), prepared);
  const modelFailures = written?.modelFailures;
  if (assembled.tokens >= measured.total && mayStay) return skip("not_beneficial", transcript, modelFailures);
  input.signal?.throwIfAborted();
  if (!isStillThere()) return skip("messages_changed", transcript, modelFailures);
  const done = await commit(due, { written, assembled, archived }, parts, isStillThere);
  if (done === undefined) return skip("messages_changed", transcript, modelFailures);
  const messages = detachChanged([...done.messages, ...prepared.appended], input.messages);
  return { ...done, messages, modelFailures };
}

interface Outcome {
  readonly written: WrittenSummary | undefined;
  readonly assembled: Assembled;
  readonly archived: Saved | NotSaved | null;
}

function wasLost(saved: Saved | NotSaved | null): saved is NotSaved {
  return saved !== null && !("location" in saved);
}

/** The archive did not take the transcript: what is shortened must not say that the whole text is there. */
async function withoutWayBack(due: DueCompaction, { parts, decision }: PreparedCompaction): Promise<DueCompaction> {
  if (due.layers.shortened.size === 0) return due;
  const { input, read, state, step } = due;
  const redact = rememberRedactions(parts.redactor);
  const unarchived = { ...parts, archive: undefined };
  const { reason } = decision;
  return { ...due, layers: await chooseLayers({ input, read, state, step, parts: unarchived, reason, redact }) };
}

/** Everything is on record before an event says that it happened. Undefined when the list went away while it was put there. */
async function commit(
  due: DueCompaction,
  outcome: Outcome,
  parts: ConversationParts,
  isStillThere: () => boolean,
): Promise<AppliedCompaction | undefined> {
  const { written, assembled, archived } = outcome;
  const state = await nextState(due, outcome);
  const summary = await archiveSummary(due, outcome, state, parts);
  const places = { transcript: placeOf(archived), summary: placeOf(summary) };
  const done = describeDone(due, parts, { written, assembled, ...places, lost: [archived, summary].filter(wasLost) });
  if (!isStillThere()) {
    emitArchival("summary", summary, due, parts);
    await takeStateBack(due, parts);
    return undefined;
  }
  if (written !== undefined) emitSummary(due, written, assembled, parts);
  emitPruned(due, assembled, parts);
  emitArchival("summary", summary, due, parts);
  return { ...done, state };
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

/** Finding facts is a third of the code, and most calls find nothing due. */
async function chooseLayers(choice: LayersInput): Promise<Layers> {
  // The first time, loading it takes a turn of its own.
  await nextTurn();
  const { chooseLayers: choose } = await import("./choose-layers.ts");
  await nextTurn();
  return choose(choice);
}
