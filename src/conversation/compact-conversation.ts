// The whole story of one conversation compaction: prepare reads, apply writes. Only this file of the part touches the archive
// and emits what happened; the stages it calls are pure.
import type { SummaryRecord } from "../archive/archive.ts";
import { CompactError } from "../errors.ts";
import { sha256 } from "../storage/sha256.ts";
import { isoTime } from "../time.ts";
import { mapInTurns, nextTurn } from "../tokens/stepwise.ts";
import { startWatch, type Times } from "../trace/emit.ts";
import { type Assembled, assemble } from "./assemble.ts";
import { emitEstimate, emitOverLimit, emitPruned, emitSummary, emitTrigger } from "./conversation-events.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import { describeDone, describeSkip, type NotSaved } from "./describe-result.ts";
import { believingLess, isForSize } from "./doubted-media.ts";
import type { DueCompaction, Layers, LayersInput, PreparedCompaction } from "./layers.ts";
import { bytesOverCeiling, type MeasuredConversation } from "./measure-conversation.ts";
import { rememberRedactions } from "./passages.ts";
import { decideTrigger, type TriggerDecision } from "./policy.ts";
import { type ReadConversation, readConversation } from "./read-conversation.ts";
import type { ConversationResult } from "./report.ts";
import { redactState, type SessionState } from "./session-state.ts";
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
  const deciding = startWatch(parts.clock);
  const decision = decide({ input, measured, parts }, earlier);
  if (decision.reason === "disabled" && measured.total > parts.budget) emitOverLimit(input, measured.total, parts);
  const prepared = { input, state, measured, parts, sizes, decision, due: undefined, appended: [] };
  const decided = deciding();
  const choosing = startWatch(parts.clock);
  let chosen: PreparedCompaction = prepared;
  let step: number | undefined;
  try {
    if (!decision.triggered) return prepared;
    chosen = (await takeEarly(prepared, earlier)) ?? prepared;
    step = chosen.due?.step ?? (await freeStep(input, state, parts));
    if (chosen.due === undefined) chosen = await chooseOrDoubt(prepared, earlier, step);
    return chosen;
  } finally {
    // Where choosing fails, what stays cannot be told, but it was decided.
    const idle = whyIdle(chosen);
    const due = idle === undefined ? chosen.due : undefined;
    // Nothing starts where it is known that nothing can come of it.
    const outcome = idle === undefined ? chosen.decision : { triggered: false, reason: idle };
    if (!isTold) emitTrigger(input, outcome, parts, decided, { step, due, times: choosing() });
  }
}

/** Where it is the guess at media that does not fit, it is decided and chosen anew with less of it. Throws the first refusal. */
async function chooseOrDoubt(
  prepared: PreparedCompaction,
  earlier: Earlier,
  step: number,
): Promise<PreparedCompaction> {
  let refusal: unknown;
  for (const believed of believingLess(prepared)) {
    const decision = decide(believed, earlier);
    if (!decision.triggered) return { ...believed, decision };
    try {
      return await choose({ ...believed, decision }, earlier, step);
    } catch (error) {
      if (!isForSize(error)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

function decide(
  { input: { isManual, isAutomatic }, measured, parts }: Pick<PreparedCompaction, "input" | "measured" | "parts">,
  { decided, waitUntil }: Earlier,
): TriggerDecision {
  const { total: tokens, doubted, bytes } = measured;
  return decided ?? decideTrigger({ ...parts, tokens, doubted, bytes: bytes?.total, isManual, isAutomatic, waitUntil });
}

/** Why nothing would come of it, as far as that is known before anything is written. Undefined where the list is too large to stay as it is. */
function whyIdle({ due, measured, parts }: PreparedCompaction): "nothing_to_compact" | "not_beneficial" | undefined {
  if (due === undefined || !mayStay(measured, parts)) return undefined;
  // Where only our previous summary can give and the list is too large, it is written again, smaller.
  if (!changesAnything(due.layers, due.read)) return "nothing_to_compact";
  return due.layers.expectedTokens >= measured.total ? "not_beneficial" : undefined;
}

function mayStay(measured: MeasuredConversation, { budget, policy }: ConversationParts): boolean {
  return measured.total <= budget && bytesOverCeiling(measured, policy) <= 0;
}

/** With the summary that was written ahead, if one still stands. */
async function takeEarly(prepared: PreparedCompaction, earlier: Earlier): Promise<PreparedCompaction | undefined> {
  // Written for tokens: it knows nothing of a ceiling that is broken since.
  const isBroken = bytesOverCeiling(prepared.measured, prepared.parts.policy) > 0;
  const early = isBroken ? undefined : await earlier.takeEarly?.();
  return early === undefined ? undefined : adoptEarly(early, prepared);
}

/** What stays and what leaves. Throws `InsufficientBudget`, `ArchiveFailed`. */
async function choose(prepared: PreparedCompaction, earlier: Earlier, step: number): Promise<PreparedCompaction> {
  const { input, state, measured, parts, decision } = prepared;
  const read = readConversation(input, measured, state, parts);
  input.signal?.throwIfAborted();
  const { reason } = decision;
  const redact = rememberRedactions(parts.redactor);
  const layers = await chooseLayers({ input, read, state, step, parts, reason, redact });
  return { ...prepared, due: { input, state, step, read, layers, isModelPaused: earlier.isModelPaused === true } };
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
  const { read } = planned;
  const idle = whyIdle(prepared);
  if (idle !== undefined) return skip(idle);
  const isOptional = mayStay(measured, parts);
  const keepsOnFailure = parts.policy.onSummaryFailure === "keep" && isOptional;
  if (planned.isModelPaused && keepsOnFailure) return skip("model_paused");
  input.signal?.throwIfAborted();
  const archived = await archiveTranscript(planned, parts);
  const transcript = placeOf(archived);
  const due = wasLost(archived) ? await withoutWayBack(planned, prepared) : planned;
  const written = await writeSummary(due, parts, { isArchived: transcript !== null, keepsOnFailure });
  if (written !== undefined && "kept" in written) return skip("summary_failed", transcript, written.modelFailures);
  const pruning = startWatch(parts.clock);
  await nextTurn();
  const assembled = withAppended(assemble(read, due.layers, written?.text, parts), prepared);
  const modelFailures = written?.modelFailures;
  if (assembled.tokens >= measured.total && isOptional) return skip("not_beneficial", transcript, modelFailures);
  input.signal?.throwIfAborted();
  if (!isStillThere()) return skip("messages_changed", transcript, modelFailures);
  const done = await commit(due, { written, assembled, archived, pruning }, parts, isStillThere);
  if (done === undefined) return skip("messages_changed", transcript, modelFailures);
  const messages = detachChanged([...done.messages, ...prepared.appended], input.messages);
  return { ...done, messages, modelFailures };
}

interface Outcome {
  readonly written: WrittenSummary | undefined;
  readonly assembled: Assembled;
  readonly archived: Saved | NotSaved | null;
  /** Of putting the new list in the place of the old one. */
  readonly pruning: () => Times;
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
  const state = nextState(due, outcome);
  const summary = await archiveSummary(due, outcome, state, parts);
  const places = { transcript: placeOf(archived), summary: placeOf(summary) };
  const done = describeDone(due, parts, { written, assembled, ...places, lost: [archived, summary].filter(wasLost) });
  if (!isStillThere()) {
    emitArchival("summary", summary, due, parts);
    await takeStateBack(due, parts);
    return undefined;
  }
  if (written !== undefined) emitSummary(due, written, { assembled, location: places.summary }, parts);
  emitPruned(due, assembled, parts, outcome.pruning());
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

function nextState({ read, step, layers }: DueCompaction, { written, assembled }: Outcome): SessionState {
  const { carried } = read;
  const isInserted = written !== undefined && assembled.placed.summaryIndex >= 0;
  return {
    version: 1,
    step,
    summary_version: written?.version ?? carried.summary_version,
    summary_hash: isInserted ? sha256(written.text) : carried.summary_hash,
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

// Puts a step on record: the transcript before anything leaves, the summary's record and the session's state before anything
// is said to have happened. What is saved is redacted; each save is an event with the time that it took.

/** Where something was saved, and when. */
interface Saved {
  readonly location: string;
  readonly times: Times;
}

/** Where it is; null for what is nowhere. */
function placeOf(saved: Saved | NotSaved | null): string | null {
  return saved !== null && "location" in saved ? saved.location : null;
}

/** Null without an archive. Throws `ArchiveFailed`; `Conflict` when the step is taken. */
async function archiveTranscript(due: DueCompaction, parts: ConversationParts): Promise<Saved | NotSaved | null> {
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
  const save = () => archive.saveTranscript(input.sessionId, step, redacted);
  const saved = await required("transcript", () => timed(save, parts), due, parts);
  emitArchival("transcript", saved, due, parts);
  return saved;
}

/** Tells nothing yet: that is for whoever knows that the compaction stands. */
async function archiveSummary(
  due: DueCompaction,
  { written, assembled }: Outcome,
  state: SessionState,
  parts: ConversationParts,
): Promise<Saved | NotSaved | null> {
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
    const saved = await timed(() => archive.saveSummary(input.sessionId, step, redactor.json(record)), parts);
    await archive.writeState(input.sessionId, await redactState(state, redactor));
    return saved;
  };
  return required("summary", save, due, parts);
}

/** The session goes on from the state it had; the step stays taken. */
async function takeStateBack({ input, state, step }: DueCompaction, parts: ConversationParts): Promise<void> {
  const { archive, redactor } = parts;
  if (archive === undefined) return;
  const before = await redactState({ ...state, step }, redactor);
  await required("state", () => archive.writeState(input.sessionId, before), { input, step }, parts);
}

function emitArchival(
  what: "transcript" | "summary",
  saved: Saved | NotSaved | null,
  { input, step }: Place,
  { archive, trace }: ConversationParts,
): void {
  if (saved === null || !("location" in saved) || archive === undefined) return;
  trace.emit({
    event: "compact.archival",
    session_id: input.sessionId,
    step,
    storage_adapter: archive.adapter,
    what,
    ...placeFields(archive.adapter, saved.location),
    ...saved.times,
  });
}

/** Beside the one name that fits every archive, the specification's own. */
function placeFields(adapter: string, location: string) {
  if (adapter === "fs") return { location, file_path: location };
  return adapter === "s3" ? { location, s3_key: location.replace(/^s3:\/\/[^/]{1,255}\//, "") } : { location };
}

type Place = Pick<DueCompaction, "input" | "step">;

async function timed(save: () => Promise<string>, { clock }: ConversationParts): Promise<Saved> {
  const watch = startWatch(clock);
  const location = await save();
  return { location, times: watch() };
}

/** A failing archive stops the compaction, unless the configuration says that it may go on without one. */
async function required<Result>(
  what: NotSaved["what"],
  save: () => Promise<Result>,
  { input, step }: Place,
  { isArchiveRequired, trace, clock }: ConversationParts,
): Promise<Result | NotSaved> {
  const watch = startWatch(clock);
  try {
    return await save();
  } catch (error) {
    if (isArchiveRequired || (CompactError.isInstance(error) && error.kind === "Conflict")) throw error;
    const reason = CompactError.isInstance(error) ? error.message : "it failed for a reason of another program";
    const message = `The ${what} of step ${step} was not archived: ${reason.replace(/\.$/, "")}`;
    trace.emit({
      event: "compact.warning",
      session_id: input.sessionId,
      severity: "high",
      code: "not_archived",
      message: `${message}.`,
      ...watch(),
    });
    return { what, message };
  }
}
