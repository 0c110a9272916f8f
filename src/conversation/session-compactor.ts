// Compaction by session: remembers what it answered, so that a caller who sends the whole history again gets the
// same compacted prefix back; one compaction per session at a time; messages appended meanwhile are kept.

import { CompactError } from "../errors.ts";
import {
  type AppliedCompaction,
  applyConversationCompaction,
  applyPrepared,
  planConversationCompaction,
  prepareCompaction,
} from "./compact-conversation.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import { emitError } from "./emit-error.ts";
import type { ConversationResult } from "./report.ts";
import { FRESH_STATE, loadState, type SessionState } from "./session-state.ts";
import { checkInput } from "./stages/check-input.ts";
import type { MeasuredConversation } from "./stages/measure-conversation.ts";

export interface PreflightOptions {
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  readonly format?: string;
  readonly signal?: AbortSignal;
}

export interface ManualOptions extends PreflightOptions {
  readonly note?: string;
  readonly targetTokens?: number;
  readonly isStrict?: boolean;
  /** Act only when the trigger says so, as `preflight` does. */
  readonly ifNeeded?: boolean;
}

/** What only this process knows of a session. */
interface LiveSession {
  state: SessionState;
  /** The list last answered, and the answer. */
  answered: { readonly input: readonly unknown[]; readonly output: readonly unknown[] } | undefined;
  /** Tokens below which another automatic round would gain nothing. */
  waitUntil: number | undefined;
  measured: MeasuredConversation | undefined;
  /** Ends when the session's running compaction ends. */
  queue: Promise<unknown>;
}

/** Share of the window that must be new before a round that could not reach its target is tried again. */
const GROWTH_SHARE = 0.05;
/** Another process may take the same step number; each try takes the next free one. */
const STEP_TRIES = 50;

export class SessionCompactor {
  readonly #parts: ConversationParts;
  readonly #sessions = new Map<string, Promise<LiveSession>>();

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  /** The list to send: compacted when it is due, else the same. Throws `InsufficientBudget`, `ArchiveFailed`. */
  async preflight(
    sessionId: string,
    messages: readonly unknown[],
    options: PreflightOptions = {},
  ): Promise<readonly unknown[]> {
    return (await this.#run({ ...options, sessionId, messages, isManual: false })).messages;
  }

  /** Compacts whatever the size. */
  async manualCompact(
    sessionId: string,
    messages: readonly unknown[],
    options: ManualOptions = {},
  ): Promise<readonly unknown[]> {
    return (await this.compact(sessionId, messages, options)).messages;
  }

  /** `manualCompact` with its report. */
  async compact(
    sessionId: string,
    messages: readonly unknown[],
    options: ManualOptions = {},
  ): Promise<ConversationResult> {
    const { ifNeeded = false, ...rest } = options;
    return this.#run({ ...rest, sessionId, messages, isManual: !ifNeeded });
  }

  /** What `compact` would do, as plain data. Writes nothing. */
  async plan(sessionId: string, messages: readonly unknown[], options: ManualOptions = {}): Promise<ConversationPlan> {
    const { ifNeeded = false, ...rest } = options;
    const input = { ...rest, sessionId, messages, isManual: !ifNeeded };
    checkInput(input);
    const { state } = await this.#session(sessionId);
    return planConversationCompaction(input, state, this.#parts);
  }

  /** Carries out a plan made by `plan`. Throws `Conflict` (`STALE_PLAN`) when the messages or the session have changed since. */
  async apply(
    plan: ConversationPlan,
    messages: readonly unknown[],
    options: ManualOptions = {},
  ): Promise<ConversationResult> {
    const { ifNeeded: _decided, ...rest } = options;
    const session = await this.#session(plan.session_id);
    const run = session.queue.then(async () => {
      const applied = await applyConversationCompaction(
        plan,
        { ...rest, sessionId: plan.session_id, messages, isManual: true },
        session.state,
        this.#parts,
      );
      if (applied.state !== undefined) this.#remember(session, [...messages], applied, applied.state);
      return { messages: applied.messages, report: applied.report };
    });
    session.queue = run.catch((error: unknown) => emitError(plan.session_id, error, "kept-original", this.#parts));
    return run;
  }

  async #run(input: ConversationInput): Promise<ConversationResult> {
    // Taken before anything is awaited: what the caller changes from here on arrived meanwhile.
    const given = checkInput(input);
    const session = await this.#session(input.sessionId);
    const run = session.queue.then(() => this.#compactOnce(input, given, session));
    session.queue = run.catch(() => undefined);
    return run;
  }

  async #compactOnce(
    input: ConversationInput,
    given: readonly unknown[],
    session: LiveSession,
  ): Promise<ConversationResult> {
    const current = replay(session.answered, given);
    const applied = await this.#applyWithFreeStep({ ...input, messages: current }, session);
    const appended = appendedSince(given, input.messages);
    if (appended === undefined)
      return { messages: input.messages, report: { ...applied.report, status: "skipped", reason: "messages_changed" } };
    if (applied.state !== undefined) this.#remember(session, given, applied, applied.state);
    const messages =
      applied.messages === current && current === given ? input.messages : [...applied.messages, ...appended];
    return { messages, report: applied.report };
  }

  #remember(session: LiveSession, given: readonly unknown[], applied: AppliedCompaction, state: SessionState): void {
    const { report } = applied;
    const missed = report.warnings.some(({ code }) => code === "target_not_reached");
    session.state = state;
    session.answered = { input: given, output: applied.messages };
    session.waitUntil = missed ? report.tokens_after + GROWTH_SHARE * this.#parts.maxContextTokens : undefined;
  }

  async #applyWithFreeStep(input: ConversationInput, session: LiveSession): Promise<AppliedCompaction> {
    for (let attempt = 1; ; attempt++) {
      try {
        const prepared = await prepareCompaction(input, session.state, this.#parts, session);
        session.measured = prepared.measured;
        const applied = await applyPrepared(prepared, this.#parts);
        if (applied.report.reason === "not_beneficial" || applied.report.reason === "nothing_to_compact") {
          session.waitUntil = applied.report.tokens_before + GROWTH_SHARE * this.#parts.maxContextTokens;
        }
        return applied;
      } catch (error) {
        const isTaken = CompactError.isInstance(error) && error.kind === "Conflict";
        if (isTaken && attempt < STEP_TRIES) continue;
        emitError(input.sessionId, error, "kept-original", this.#parts);
        throw error;
      }
    }
  }

  #session(sessionId: string): Promise<LiveSession> {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const opened = openSession(sessionId, this.#parts);
    this.#sessions.set(sessionId, opened);
    opened.catch(() => this.#sessions.delete(sessionId));
    return opened;
  }
}

async function openSession(sessionId: string, parts: ConversationParts): Promise<LiveSession> {
  const state = await loadOrStartOver(sessionId, parts);
  return { state, answered: undefined, waitUntil: undefined, measured: undefined, queue: Promise.resolve() };
}

async function loadOrStartOver(sessionId: string, parts: ConversationParts): Promise<SessionState> {
  try {
    return await loadState(parts.archive, sessionId);
  } catch (error) {
    emitError(sessionId, error, parts.isArchiveRequired ? "kept-original" : "none", parts);
    if (parts.isArchiveRequired) throw error;
    return FRESH_STATE;
  }
}

/** A caller that keeps its own whole history gets the compacted prefix instead of the messages it stands for. */
function replay(answered: LiveSession["answered"], messages: readonly unknown[]): readonly unknown[] {
  if (answered === undefined || answered.input.length > messages.length) return messages;
  const isContinuation = answered.input.every((message, index) => isSame(message, messages[index]));
  return isContinuation ? [...answered.output, ...messages.slice(answered.input.length)] : messages;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** What the caller pushed onto its list meanwhile; undefined when the list is no longer the one that was read. */
function appendedSince(before: readonly unknown[], now: readonly unknown[]): readonly unknown[] | undefined {
  const isIntact = now.length >= before.length && before.every((message, index) => message === now[index]);
  return isIntact ? now.slice(before.length) : undefined;
}
