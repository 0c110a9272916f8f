// One session in this process: a compaction at a time, on the next free step, and what is remembered beside the stored state.
// A caller who sends the whole history again gets the same compacted prefix back; what is appended meanwhile is kept.
import { emitFailure } from "../engine/attempt.ts";
import { createSerialQueue } from "../engine/serial-queue.ts";
import { CompactError } from "../errors.ts";
import { countFacts } from "../facts/ledger.ts";
import { withTimeout } from "../timeout.ts";
import { startWatch } from "../trace/emit.ts";
import type { SessionStatus } from "./calls.ts";
import { type AppliedCompaction, applyPrepared, type Earlier, prepareCompaction } from "./compact-conversation.ts";
import { type ConversationInput, type ConversationParts, describeLimits, writerOf } from "./conversation-parts.ts";
import { applyConversationCompaction, type ConversationPlan, planConversationCompaction } from "./conversation-plan.ts";
import type { MeasuredConversation } from "./measure-conversation.ts";
import type { ConversationReport, ConversationResult } from "./report.ts";
import { FRESH_STATE, loadState, type SessionState } from "./session-state.ts";
import { type EarlierSizes, sizeUp } from "./usage.ts";
import { askSummarizer, type EarlySummary, failuresOf } from "./write-summary.ts";

/** Share of the window that must be new before a round that could not reach its target is tried again. */
const GROWTH_SHARE = 0.05;
/** Another process may take the same step number; each try takes the next free one. */
const STEP_TRIES = 50;
/** Reasons after which the same list would come to nothing again. */
const FRUITLESS: ReadonlySet<string> = new Set(["not_beneficial", "nothing_to_compact", "summary_failed"]);

/** A list as it came in, and what it became. */
interface Answered {
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
}

interface Undoable {
  /** The list that was compacted, the same objects. */
  readonly before: readonly unknown[];
  readonly tokens: number;
  readonly output: readonly unknown[];
  readonly state: SessionState;
  readonly answered: Answered | undefined;
}

/** A summary that is started ahead of time: awaited if it is due before it is written, dropped if the list has changed. */
interface Early {
  readonly given: readonly unknown[];
  /** It goes on from this state; after another compaction it would forget what that one carried. */
  readonly state: SessionState;
  readonly written: Promise<EarlySummary | undefined>;
  isReady: boolean;
  readonly controller: AbortController;
}

type Trace = ConversationParts["trace"];

/** `trace`: of the attempt that needs it. Throws `StoreFailed`, `ArchiveFailed`, unless it may go on without an archive. */
export async function openSession(sessionId: string, parts: ConversationParts, trace: Trace): Promise<Session> {
  const watch = startWatch(parts.clock);
  const state = await loadState(parts.archive, sessionId).catch(async (error: unknown) => {
    const { rebuildDamaged } = await import("./rebuild-state.ts");
    const rebuilt = await rebuildDamaged(error, sessionId, parts, trace);
    if (rebuilt !== undefined || parts.isArchiveRequired) return rebuilt ?? Promise.reject(error);
    const place = { strategy: parts.policy.strategy, model: parts.model };
    emitFailure({ sessionId, place }, error, { trace }, watch());
    return FRESH_STATE;
  });
  return new Session(sessionId, parts, state);
}

export class Session {
  readonly #id: string;
  readonly #queue = createSerialQueue();
  #state: SessionState;
  /** The parts of the last look: a session may go on with another model. */
  #parts: ConversationParts;
  #answered: Answered | undefined;
  #undoable: Undoable | undefined;
  #early: Early | undefined;
  #lastReport: ConversationReport | undefined;
  /** Of the last look. */
  #sizes: EarlierSizes = {};
  #tokens: number | undefined;
  /** Tokens below which another automatic round would gain nothing. */
  #waitUntil: number | undefined;
  #breaker: ModelBreaker = NO_FAILURES;

  constructor(id: string, parts: ConversationParts, state: SessionState) {
    this.#id = id;
    this.#parts = parts;
    this.#state = state;
  }

  /** `given`: the messages of `input` as they were when the caller gave them. `trace`: of the attempt. */
  compact(
    input: ConversationInput,
    given: readonly unknown[],
    parts: ConversationParts,
    trace: Trace,
  ): Promise<ConversationResult> {
    return this.#queue(async () => {
      this.#switchModel(parts);
      const current = replay(this.#answered, given);
      let appended: readonly unknown[] | undefined = [];
      const isStillThere = () => {
        appended = appendedSince(given, input.messages);
        return appended !== undefined;
      };
      const applied = await this.#compactOnNextStep({ ...input, messages: current }, isStillThere, trace);
      // The list was compared right before the commit, so a committed compaction holds even if the list changed since.
      const isCommitted = applied.state !== undefined;
      appended = appendedSince(given, input.messages) ?? (isCommitted ? appended : undefined);
      if (appended === undefined) {
        const report = { ...applied.report, status: "skipped", reason: "messages_changed" } as const;
        return { messages: input.messages, report };
      }
      await this.#remember(given, current, applied);
      const isSame = applied.messages === current && current === given;
      return { messages: isSame ? input.messages : [...applied.messages, ...appended], report: applied.report };
    });
  }

  plan(input: ConversationInput, parts: ConversationParts): Promise<ConversationPlan> {
    return planConversationCompaction(input, this.#state, parts);
  }

  apply(
    plan: ConversationPlan,
    input: ConversationInput,
    parts: ConversationParts,
    trace: Trace,
  ): Promise<ConversationResult> {
    return this.#queue(async () => {
      const given = [...input.messages];
      const applied = await applyConversationCompaction(plan, input, this.#state, { ...parts, trace });
      await this.#remember(given, given, applied);
      return { messages: applied.messages, report: applied.report };
    });
  }

  /** Starts a summary of these messages, in place of one that was started earlier. Resolves when it is written. */
  async prepare(input: ConversationInput, parts: ConversationParts): Promise<boolean> {
    const current = replay(this.#answered, input.messages);
    return (await this.#startEarly({ ...input, messages: current }, parts).written) !== undefined;
  }

  /** Takes the last compaction back. Throws `NotFound` when this process has made none. */
  undo(messages: readonly unknown[] | undefined): Promise<readonly unknown[]> {
    return this.#queue(async () => {
      const parts = this.#parts;
      if (this.#undoable === undefined) throw nothingToUndo(this.#id);
      const { before, output, answered, tokens, state: earlier } = this.#undoable;
      const added = messages === undefined ? [] : behind(output, messages);
      const state = { ...earlier, step: this.#state.step };
      await parts.archive?.writeState(this.#id, parts.redactor.json(state));
      this.#dropEarly();
      this.#state = state;
      this.#answered = answered;
      this.#undoable = undefined;
      this.#sizes = { ...this.#sizes, counted: undefined };
      this.#waitUntil = tokens + GROWTH_SHARE * parts.maxContextTokens;
      return added.length === 0 ? before : [...before, ...added];
    });
  }

  /** Resolves when no compaction of it runs any more. */
  async end(): Promise<void> {
    this.#dropEarly();
    await this.#queue(() => undefined);
  }

  /** With the messages sized up as a compaction would see them. */
  measure(input: ConversationInput, parts: ConversationParts): Promise<SessionStatus> {
    return this.#queue(async () => {
      this.#switchModel(parts);
      const current = { ...input, messages: replay(this.#answered, input.messages) };
      const { measured, next } = await sizeUp(current, this.#state, parts, this.#earlierLooks(current));
      this.#sizes = next;
      this.#tokens = measured.total;
      return this.describe();
    });
  }

  describe(): SessionStatus {
    const early = this.#early;
    const { maxContextTokens, budget, model, clock } = this.#parts;
    const { trigger_tokens } = describeLimits(this.#parts);
    return {
      session_id: this.#id,
      model,
      tokens: this.#tokens ?? null,
      max_context_tokens: maxContextTokens,
      budget,
      trigger_tokens: Math.max(trigger_tokens, Math.min(this.#waitUntil ?? 0, budget + 1)),
      step: this.#state.step,
      summary_version: this.#state.summary_version,
      facts: countFacts(this.#state.ledger),
      early: early === undefined ? "none" : early.isReady ? "ready" : "running",
      model_paused: isPaused(this.#breaker, clock()),
      can_undo: this.#undoable !== undefined,
      last: this.#lastReport ?? null,
    };
  }

  /** `trace`: of the attempt; what is prepared for a later one has none. A failure is the attempt's to emit. */
  async #compactOnNextStep(
    input: ConversationInput,
    isStillThere: () => boolean,
    trace: Trace,
  ): Promise<AppliedCompaction> {
    const parts = { ...this.#parts, trace };
    for (let tries = 1; ; tries++) {
      try {
        const earlier = { ...this.#earlierLooks(input), isTold: tries > 1 };
        const prepared = await prepareCompaction(input, this.#state, parts, earlier);
        this.#sizes = prepared.sizes;
        this.#tokens = prepared.measured.total;
        const applied = await applyPrepared(prepared, isStillThere);
        this.#learn(input, prepared.measured, applied);
        return applied;
      } catch (error) {
        const kind = CompactError.isInstance(error) ? error.kind : undefined;
        if (kind === "Conflict" && tries < STEP_TRIES) continue;
        if (kind === "SummarizationFailed") this.#recordModel(failuresOf(error));
        throw error;
      }
    }
  }

  /** What an outcome says about the next call. */
  #learn(input: ConversationInput, { total, doubted }: MeasuredConversation, applied: AppliedCompaction): void {
    const { reason = "" } = applied.report;
    if (applied.modelFailures !== undefined) this.#recordModel(applied.modelFailures);
    if (FRUITLESS.has(reason)) this.#waitUntil = total - doubted + GROWTH_SHARE * this.#parts.maxContextTokens;
    if (reason !== "below_trigger" || !this.#isTimeToPrepare(total)) return;
    // Not with the caller's signal: it speaks of this call, which is over.
    const { signal: _, ...later } = input;
    this.#startEarly(later, this.#parts);
  }

  /** Nothing where nothing was done. `current`: what of the caller's list was compacted. */
  async #remember(given: readonly unknown[], current: readonly unknown[], applied: AppliedCompaction): Promise<void> {
    const { report, messages: output, state } = applied;
    if (state === undefined) return;
    const answered = this.#answered;
    this.#undoable = { before: current, tokens: report.tokens_before, output, state: this.#state, answered };
    this.#state = state;
    this.#answered = { input: given, output };
    // Where the target was missed, or lies at the trigger, the next message would start the next round.
    this.#waitUntil = report.tokens_after + GROWTH_SHARE * this.#parts.maxContextTokens;
    this.#lastReport = report;
    this.#tokens = report.tokens_after;
    await this.#parts.handOver?.(this.#id, state.ledger);
  }

  /** Counts of another model say nothing about this one; the list is measured anew. */
  #switchModel(parts: ConversationParts): void {
    if (this.#parts === parts) return;
    this.#parts = parts;
    this.#sizes = {};
    this.#waitUntil = undefined;
  }

  #earlierLooks(input: ConversationInput): Earlier {
    return {
      ...this.#sizes,
      waitUntil: this.#waitUntil,
      compactedLength: this.#answered?.output.length ?? 0,
      isModelPaused: !input.isManual && isPaused(this.#breaker, this.#parts.clock()),
      takeEarly: () => this.#takeEarly(input),
    };
  }

  /** The soft trigger: once for a list, which may go on growing. */
  #isTimeToPrepare(tokens: number): boolean {
    const { maxContextTokens, policy } = this.#parts;
    const { preparePct = Number.POSITIVE_INFINITY, prepareTokens = Number.POSITIVE_INFINITY } = policy;
    return this.#early === undefined && (tokens >= preparePct * maxContextTokens || tokens >= prepareTokens);
  }

  #startEarly(input: ConversationInput, parts: ConversationParts): Early {
    this.#dropEarly();
    const controller = new AbortController();
    const signal = input.signal === undefined ? controller.signal : AbortSignal.any([input.signal, controller.signal]);
    const watch = startWatch(parts.clock);
    const written = this.#writeEarly({ ...input, signal }, parts).catch((error: unknown) => {
      const place = { strategy: parts.policy.strategy, ...writerOf(parts.summarizer) };
      if (!signal.aborted) emitFailure({ sessionId: this.#id, place }, error, parts, watch());
      return undefined;
    });
    const early: Early = { given: input.messages, state: this.#state, written, isReady: false, controller };
    this.#early = early;
    void written.then((summary) => {
      if (summary === undefined && this.#early === early) this.#early = undefined;
      early.isReady = summary !== undefined;
    });
    return early;
  }

  async #writeEarly(input: ConversationInput, parts: ConversationParts): Promise<EarlySummary | undefined> {
    const silent = { ...parts, trace: { emit: () => {} } };
    const isModelPaused = isPaused(this.#breaker, parts.clock());
    const decided = { triggered: true, reason: "over_trigger_pct" } as const;
    const prepared = await prepareCompaction(input, this.#state, silent, { isModelPaused, decided });
    const { due } = prepared;
    if (due === undefined || due.layers.removed.length === 0 || isModelPaused) return undefined;
    try {
      const draft = due.layers.draft ?? (await askSummarizer(due, { ...prepared.parts, trace: parts.trace }));
      if (draft.source !== "extractive") this.#recordModel(0);
      return { given: input.messages, prepared: { ...prepared, due: { ...due, layers: { ...due.layers, draft } } } };
    } catch (error) {
      if (input.signal?.aborted !== true) this.#recordModel(failuresOf(error));
      throw error;
    }
  }

  /** The summary that was written ahead, if it is an automatic compaction and the list goes on from the one it was made from. */
  async #takeEarly(input: ConversationInput): Promise<EarlySummary | undefined> {
    const early = this.#early;
    if (early === undefined || input.isManual) return undefined;
    if (early.state !== this.#state || !continues(input.messages, early.given)) {
      this.#dropEarly();
      return undefined;
    }
    // Who gives up waiting need not wait; the summary goes on being written for the next one.
    const written = await withTimeout(() => early.written, {
      timeoutMs: Number.POSITIVE_INFINITY,
      timeoutError: () => undefined,
      signal: input.signal,
    });
    if (this.#early === early) this.#early = undefined;
    return written;
  }

  #dropEarly(): void {
    this.#early?.controller.abort();
    this.#early = undefined;
  }

  /** `failures`: failed calls of one summary that came to nothing; 0 when it was written. */
  #recordModel(failures: number): void {
    const { failures: before } = this.#breaker;
    this.#breaker = failures === 0 ? NO_FAILURES : { failures: before + failures, failedAt: this.#parts.clock() };
  }
}

// How one list of messages goes on from another: what a caller keeps by itself, and what it added while we worked.

/** A caller that keeps its own whole history gets the compacted prefix instead of the messages it stands for. */
function replay(answered: Answered | undefined, messages: readonly unknown[]): readonly unknown[] {
  if (answered === undefined || !continues(messages, answered.input)) return messages;
  return [...answered.output, ...messages.slice(answered.input.length)];
}

/** Does `messages` begin with these, by content? Copies of the same messages count. */
function continues(messages: readonly unknown[], head: readonly unknown[]): boolean {
  return messages.length >= head.length && head.every((message, index) => isSame(message, messages[index]));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** What the caller pushed onto its list meanwhile; undefined when the list is no longer the one that was read. */
function appendedSince(before: readonly unknown[], now: readonly unknown[]): readonly unknown[] | undefined {
  const isIntact = now.length >= before.length && before.every((message, index) => message === now[index]);
  return isIntact ? now.slice(before.length) : undefined;
}

/** What `messages` has behind the list that the last compaction gave. Throws `Conflict` when it does not go on from it. */
function behind(output: readonly unknown[], messages: readonly unknown[]): readonly unknown[] {
  if (continues(messages, output)) return messages.slice(output.length);
  throw new CompactError("Conflict", "The messages do not go on from the list that the last compaction gave.", {
    code: "LIST_CHANGED",
    hint: "Call undo without messages to get the list as it was before that compaction.",
  });
}

// Stops asking a model that keeps failing: after three failed calls of a session in a row every turn would pay for one
// more. A manual compaction is the probe; so is the first automatic one after a pause, since outages end.

interface ModelBreaker {
  /** Failed calls since the last answer that was of use. */
  readonly failures: number;
  /** Milliseconds since the epoch of the last one. */
  readonly failedAt: number;
}

const NO_FAILURES: ModelBreaker = { failures: 0, failedAt: 0 };

const MOST_FAILURES = 3;
const PAUSE_MS = 10 * 60_000;

function isPaused({ failures, failedAt }: ModelBreaker, now: number): boolean {
  return failures >= MOST_FAILURES && now - failedAt < PAUSE_MS;
}

function nothingToUndo(sessionId: string): CompactError {
  const message = `This process has compacted nothing in session ${JSON.stringify(sessionId)}.`;
  return new CompactError("NotFound", message, {
    code: "NOTHING_TO_UNDO",
    hint: "An earlier process's originals come back, redacted, with `agent-compact archive restore`.",
  });
}
