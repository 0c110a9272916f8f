// The whole story of one conversation compaction: plan reads, apply writes. Only this file of the part touches
// the archive and emits trace events; the stages it calls are pure.
import { CompactError } from "../errors.ts";
import type { SummaryRecord } from "../archive/archive.ts";
import type { Placed } from "../formats/format.ts";
import { isoTime } from "../time.ts";
import { chooseLayers, type Layers } from "./stages/choose-layers.ts";
import { assemble, type Assembled } from "./stages/assemble.ts";
import { emitEstimate, emitPruned, emitSummary, emitTrigger } from "./conversation-events.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import { describePlan } from "./describe-plan.ts";
import { emitError } from "./emit-error.ts";
import { fingerprint, sha256 } from "./fingerprint.ts";
import { readConversation, type ReadConversation } from "./stages/read-conversation.ts";
import { describeDone, describeSkip } from "./describe-result.ts";
import type { PreparedCompaction } from "./prepared-compaction.ts";
import type { ConversationResult } from "./report.ts";
import type { SessionState } from "./session-state.ts";
import { decideTrigger, type TriggerDecision } from "./stages/trigger.ts";
import { writeSummary, type WrittenSummary } from "./stages/write-summary.ts";

export interface AppliedCompaction extends ConversationResult {
  /** State to carry into the next round; undefined when nothing was done. */
  readonly state: SessionState | undefined;
}

/** Reads, estimates, decides, chooses. Emits the estimate and the decision; writes nothing. */
export async function prepareCompaction(input: ConversationInput, state: SessionState, parts: ConversationParts, waitUntil?: number): Promise<PreparedCompaction> {
  const started = parts.clock();
  const read = await readConversation(input, state, parts);
  emitEstimate(input, read, parts, parts.clock() - started);
  const { maxContextTokens, budget, policy, isEnabled } = parts;
  const decision = decideTrigger({ tokens: read.total, maxContextTokens, budget, policy, isManual: input.isManual, isEnabled, waitUntil });
  if (!decision.triggered) {
    emitTrigger(input, decision, parts);
    return { input, state, read, decision, step: state.step, layers: undefined };
  }
  try {
    const step = await freeStep(input, state, parts);
    const layers = await chooseLayers({ input, read, state, step, parts, redact: rememberRedactions(parts) });
    emitTrigger(input, decision, parts, { read, layers });
    return { input, state, read, decision, step, layers };
  } catch (error) {
    emitError(input.sessionId, error, "none", parts);
    throw error;
  }
}

/** The plan as plain data: what a dry run prints and apply takes. */
export async function planConversationCompaction(input: ConversationInput, state: SessionState, parts: ConversationParts): Promise<ConversationPlan> {
  const prepared = await prepareCompaction(input, state, parts);
  return describePlan(prepared, await fingerprint(input.messages), parts.budget);
}

/** Carries out a plan. Throws `Conflict` (`STALE_PLAN`) when the messages or the session have moved on since; messages appended behind them are kept. */
export async function applyConversationCompaction(plan: ConversationPlan, input: ConversationInput, state: SessionState, parts: ConversationParts): Promise<AppliedCompaction> {
  const planned = input.messages.slice(0, plan.message_count);
  const isStale = (await fingerprint(planned)) !== plan.fingerprint || (plan.triggered && plan.step <= state.step);
  if (isStale) {
    throw new CompactError("Conflict", `The plan for session ${JSON.stringify(plan.session_id)} no longer fits: its messages or its session changed since.`, {
      code: "STALE_PLAN",
      hint: "Make a new plan and apply that.",
    });
  }
  const isManual = plan.reason === "manual";
  const prepared = await prepareCompaction({ ...input, messages: planned, isManual }, state, parts);
  const applied = await applyPrepared(prepared, parts);
  return { ...applied, messages: [...applied.messages, ...input.messages.slice(plan.message_count)] };
}

/** Archives, summarizes, assembles. Nothing is pruned unless the archive has it. */
export async function applyPrepared(prepared: PreparedCompaction, parts: ConversationParts): Promise<AppliedCompaction> {
  const { input, layers, read, decision } = prepared;
  const skip = (reason: string, transcript: string | null = null) => ({ ...describeSkip(prepared, parts, reason, transcript), state: undefined });
  if (layers === undefined) return skip(decision.reason);
  if (!changesAnything(layers, read)) return skip("nothing_to_compact");
  if (layers.expectedTokens >= read.total && read.total <= parts.budget) return skip("not_beneficial");
  try {
    const transcript = await archiveTranscript(prepared, parts);
    const isArchived = transcript !== null;
    const written = await writeSummary(prepared, layers, parts, isArchived);
    const assembled = assemble(read, layers, written?.text, parts);
    if (assembled.tokens >= read.total && read.total <= parts.budget) return skip("not_beneficial", transcript);
    return await commit(prepared, layers, { written, assembled, transcript }, parts);
  } catch (error) {
    emitError(input.sessionId, error, "kept-original", parts);
    throw error;
  }
}

interface Outcome {
  readonly written: WrittenSummary | undefined;
  readonly assembled: Assembled;
  readonly transcript: string | null;
}

/** Everything is on record before an event says that it happened. */
async function commit(prepared: PreparedCompaction, layers: Layers, outcome: Outcome, parts: ConversationParts): Promise<AppliedCompaction> {
  const { written, assembled, transcript } = outcome;
  const { input, step } = prepared;
  const state = await nextState(prepared, layers, written, assembled);
  const summary = await archiveSummary(prepared, { ...outcome, state }, parts);
  if (written !== undefined) emitSummary(prepared, layers, written, assembled, parts);
  emitPruned(prepared, layers, assembled, parts);
  emitArchival("summary", summary, { input, step }, parts);
  return { ...describeDone(prepared, parts, { layers, written, assembled, transcript, summary, ledger: layers.ledger }), state };
}

async function freeStep(input: ConversationInput, state: SessionState, { archive, isArchiveRequired }: ConversationParts): Promise<number> {
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

async function archiveTranscript({ input, step }: PreparedCompaction, parts: ConversationParts): Promise<string | null> {
  const { archive, redactor, trace } = parts;
  if (archive === undefined) return null;
  if (!redactor.isEnabled) {
    const message = "Redaction is switched off: what is archived and traced may hold secrets.";
    trace.emit({ event: "compact.warning", session_id: input.sessionId, severity: "high", code: "redaction_disabled", message });
  }
  const redacted = input.messages.map((native) => redactor.json(native));
  const location = await required("transcript", () => archive.saveTranscript(input.sessionId, step, redacted), { input, step }, parts);
  emitArchival("transcript", location, { input, step }, parts);
  return location;
}

async function archiveSummary({ input, step, read, layers }: PreparedCompaction, outcome: Outcome & { readonly state: SessionState }, parts: ConversationParts): Promise<string | null> {
  const { written, assembled, state } = outcome;
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
    pruned: (layers?.removed ?? []).map((index) => read.numbers[index] ?? 1),
  };
  const save = async () => {
    const location = await archive.saveSummary(input.sessionId, step, redactor.json(record));
    await archive.writeState(input.sessionId, redactor.json(state));
    return location;
  };
  return required("summary", save, { input, step }, parts);
}

interface Place {
  readonly input: ConversationInput;
  readonly step: number;
}

/** A failing archive stops the compaction, unless the configuration says that it may go on without one. */
async function required(what: "transcript" | "summary", save: () => Promise<string>, { input, step }: Place, { isArchiveRequired, trace }: ConversationParts): Promise<string | null> {
  try {
    return await save();
  } catch (error) {
    if (isArchiveRequired || (CompactError.isInstance(error) && error.kind === "Conflict")) throw error;
    trace.emit({ event: "compact.warning", session_id: input.sessionId, severity: "high", code: "not_archived", message: `The ${what} of step ${step} was not archived.` });
    return null;
  }
}

function emitArchival(what: "transcript" | "summary", location: string | null, { input, step }: Place, { archive, trace }: ConversationParts): void {
  if (location === null || archive === undefined) return;
  trace.emit({ event: "compact.archival", session_id: input.sessionId, step, storage_adapter: archive.adapter, what, location });
}

async function nextState({ state, step }: PreparedCompaction, layers: Layers, written: WrittenSummary | undefined, { placed }: { readonly placed: Placed }): Promise<SessionState> {
  const hash = written !== undefined && placed.summaryIndex >= 0 ? await sha256(written.text) : state.summary_hash;
  return { version: 1, step, summary_version: written?.version ?? state.summary_version, summary_hash: hash, ledger: layers.ledger };
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
