// The whole story of one conversation compaction: plan reads, apply writes. Only this file of the part touches
// the archive and emits trace events; the stages it calls are pure.

import type { SummaryRecord } from "../archive/archive.ts";
import { CompactError } from "../errors.ts";
import { isoTime } from "../time.ts";
import { emitEstimate, emitPruned, emitSummary, emitTrigger } from "./conversation-events.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import { describePlan } from "./describe-plan.ts";
import { describeDone, describeSkip } from "./describe-result.ts";
import { fingerprint, sha256 } from "./fingerprint.ts";
import type { DueCompaction, PreparedCompaction } from "./prepared-compaction.ts";
import type { ConversationResult } from "./report.ts";
import type { SessionState } from "./session-state.ts";
import { type Assembled, assemble } from "./stages/assemble.ts";
import { chooseLayers } from "./stages/choose-layers.ts";
import type { Layers } from "./stages/layers.ts";
import { type MeasuredConversation, measureConversation } from "./stages/measure-conversation.ts";
import { type ReadConversation, readConversation } from "./stages/read-conversation.ts";
import { decideTrigger } from "./stages/trigger.ts";
import { type WrittenSummary, writeSummary } from "./summary/write-summary.ts";

export interface AppliedCompaction extends ConversationResult {
  /** State to carry into the next round; undefined when nothing was done. */
  readonly state: SessionState | undefined;
}

export interface Earlier {
  /** Tokens below which another automatic round would gain nothing. */
  readonly waitUntil?: number | undefined;
  /** What the last look at this session's list found. */
  readonly measured?: MeasuredConversation | undefined;
}

/** Measures, decides, chooses. Emits the estimate and the decision; writes nothing. */
export async function prepareCompaction(
  input: ConversationInput,
  state: SessionState,
  parts: ConversationParts,
  earlier: Earlier = {},
): Promise<PreparedCompaction> {
  const started = parts.clock();
  const measured = measureConversation(input, parts, earlier.measured);
  emitEstimate(input, measured, parts, parts.clock() - started);
  const { maxContextTokens, budget, policy, isEnabled } = parts;
  const { isManual } = input;
  const decision = decideTrigger({
    tokens: measured.total,
    maxContextTokens,
    budget,
    policy,
    isManual,
    isEnabled,
    waitUntil: earlier.waitUntil,
  });
  if (!decision.triggered) {
    emitTrigger(input, decision, parts);
    return { input, state, measured, decision, due: undefined };
  }
  const step = await freeStep(input, state, parts);
  const read = await readConversation(input, measured, state, parts);
  input.signal?.throwIfAborted();
  const layers = await chooseLayers({ input, read, state, step, parts, redact: rememberRedactions(parts) });
  emitTrigger(input, decision, parts, { read, layers });
  return { input, state, measured, decision, due: { input, state, step, read, layers } };
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
  const applied = await applyPrepared(
    await prepareCompaction({ ...input, messages: planned, isManual }, state, parts),
    parts,
  );
  return { ...applied, messages: [...applied.messages, ...input.messages.slice(plan.message_count)] };
}

/** Archives, summarizes, assembles. Nothing is pruned unless the archive has it. */
export async function applyPrepared(
  prepared: PreparedCompaction,
  parts: ConversationParts,
): Promise<AppliedCompaction> {
  const { due, measured, decision } = prepared;
  const skip = (reason: string, transcript: string | null = null) => ({
    ...describeSkip(prepared, parts, reason, transcript),
    state: undefined,
  });
  if (due === undefined) return skip(decision.reason);
  const { layers, read } = due;
  const mayStay = measured.total <= parts.budget;
  if (!changesAnything(layers, read)) return skip("nothing_to_compact");
  if (layers.expectedTokens >= measured.total && mayStay) return skip("not_beneficial");
  prepared.input.signal?.throwIfAborted();
  const transcript = await archiveTranscript(due, parts);
  const written = await writeSummary(due, parts, transcript !== null);
  const assembled = assemble(read, layers, written?.text, parts);
  if (assembled.tokens >= measured.total && mayStay) return skip("not_beneficial", transcript);
  prepared.input.signal?.throwIfAborted();
  return commit(due, { written, assembled, transcript }, parts);
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
  const redacted = input.messages.map((native) => redactor.json(native));
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
    await archive.writeState(input.sessionId, redactor.json(state));
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
  };
}

function rememberRedactions({ redactor }: ConversationParts): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const redacted: string = redactor.text(text);
    known.set(text, redacted);
    return redacted;
  };
}
