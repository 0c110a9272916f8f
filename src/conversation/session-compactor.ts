// Compaction by session: remembers what it answered, so that a caller who sends the whole history again gets the
// same compacted prefix back; one compaction per session at a time; messages appended meanwhile are kept.
import { CompactError } from "../errors.ts";
import {
  type CommandResult,
  describeSession,
  describeStatus,
  type ManualOptions,
  type ModelChoice,
  type PreflightOptions,
  readCommand,
  type SessionStatus,
} from "./compactor.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import { dropEarly, loadCompaction, startEarly } from "./early-summary.ts";
import { appendedSince, behind, type LiveSession, openSession, replay, switchModel } from "./live-session.ts";
import { checkInput } from "./measure-conversation.ts";
import type { ConversationResult } from "./report.ts";
import { attempt, GROWTH_SHARE, measureNow, remember, runCompaction } from "./run-compaction.ts";

/** A compaction when its turn has come. */
interface Round {
  readonly input: ConversationInput;
  /** The list as it was when the caller gave it. */
  readonly given: readonly unknown[];
  readonly session: LiveSession;
  readonly parts: ConversationParts;
  readonly trace: ConversationParts["trace"];
}

export class SessionCompactor {
  readonly #parts: ConversationParts;
  readonly #partsFor: (choice: ModelChoice) => ConversationParts;
  readonly #sessions = new Map<string, Promise<LiveSession>>();

  /** `partsFor` gives the parts for another model; the same object for the same choice. */
  constructor(parts: ConversationParts, partsFor: (choice: ModelChoice) => ConversationParts = () => parts) {
    this.#parts = parts;
    this.#partsFor = partsFor;
  }

  /** @param given the list as it was when the caller gave it. */
  async compact(
    sessionId: string,
    messages: readonly unknown[],
    { ifNeeded = false, ...options }: ManualOptions = {},
    given: readonly unknown[] = messages,
  ): Promise<ConversationResult> {
    const isTriggered = ifNeeded || options.isAutomatic === true;
    const start = { event: isTriggered ? "compact.preflight" : "compact.manual", sessionId, ...options } as const;
    return attempt(start, this.#parts, async (trace) => {
      const { input, parts } = this.#input(sessionId, messages, !ifNeeded, options);
      // Taken before anything is awaited: what the caller changes from here on arrived meanwhile.
      const taken = checkInput({ ...input, messages: given });
      const session = await this.#session(sessionId, trace);
      return this.#queue(session, () => this.#compactOnce({ input, given: taken, session, parts, trace }));
    });
  }

  async plan(
    sessionId: string,
    messages: readonly unknown[],
    { ifNeeded = false, ...options }: ManualOptions = {},
  ): Promise<ConversationPlan> {
    const { input, parts } = this.#input(sessionId, messages, !ifNeeded, options);
    checkInput(input);
    const { state } = await this.#session(sessionId);
    const { planConversationCompaction } = await loadCompaction();
    return planConversationCompaction(input, state, parts);
  }

  async apply(
    messages: readonly unknown[],
    given: ConversationPlan,
    { ifNeeded: _decided, ...options }: ManualOptions = {},
  ): Promise<ConversationResult> {
    const event = given?.reason === "manual" ? "compact.manual" : "compact.preflight";
    return attempt({ event, sessionId: given?.session_id, ...options }, this.#parts, async (trace) => {
      const { readPlan } = await import("./conversation-plan.ts");
      const plan = readPlan(given);
      const sessionId = plan.session_id;
      const { input, parts } = this.#input(sessionId, messages, true, options);
      checkInput(input);
      const session = await this.#session(sessionId, trace);
      return this.#queue(session, async () => {
        const before = [...messages];
        const { applyConversationCompaction } = await loadCompaction();
        const applied = await applyConversationCompaction(plan, input, session.state, { ...parts, trace });
        if (applied.state !== undefined) remember(session, { given: before, current: before }, applied, applied.state);
        return { messages: applied.messages, report: applied.report };
      });
    });
  }

  async prepare(sessionId: string, messages: readonly unknown[], options: PreflightOptions = {}): Promise<boolean> {
    const { input, parts } = this.#input(sessionId, messages, false, options);
    const given = checkInput(input);
    const session = await this.#session(sessionId);
    const current = replay(session.answered, given);
    const early = startEarly({ ...input, messages: current }, session, parts);
    return (await early.written) !== undefined;
  }

  async undo(sessionId: string, messages?: readonly unknown[]): Promise<readonly unknown[]> {
    const session = await this.#session(sessionId);
    return this.#queue(session, async () => {
      const { undoable, parts } = session;
      if (undoable === undefined) {
        throw new CompactError(
          "NotFound",
          `This process has compacted nothing in session ${JSON.stringify(sessionId)}.`,
          {
            code: "NOTHING_TO_UNDO",
            hint: "An earlier process's originals come back, redacted, with `agent-compact archive restore`.",
          },
        );
      }
      const { before, output } = undoable;
      const added = messages === undefined ? [] : behind(output, messages);
      const state = { ...undoable.state, step: session.state.step };
      await parts.archive?.writeState(sessionId, parts.redactor.json(state));
      dropEarly(session);
      Object.assign(session, { state, answered: undoable.answered, undoable: undefined, counted: undefined });
      session.waitUntil = undoable.tokens + GROWTH_SHARE * parts.maxContextTokens;
      return added.length === 0 ? before : [...before, ...added];
    });
  }

  async forget(sessionId: string): Promise<void> {
    const session = await this.#sessions.get(sessionId);
    if (session === undefined) return;
    this.#sessions.delete(sessionId);
    dropEarly(session);
    await session.queue;
  }

  async status(
    sessionId: string,
    messages?: readonly unknown[],
    options: PreflightOptions = {},
  ): Promise<SessionStatus> {
    const session = await this.#session(sessionId);
    if (messages === undefined) return describeSession(sessionId, session);
    const { input, parts } = this.#input(sessionId, messages, false, options);
    const current = replay(session.answered, checkInput(input));
    return this.#queue(session, async () => {
      switchModel(session, parts);
      session.tokens = await measureNow({ ...input, messages: current }, session);
      return describeSession(sessionId, session);
    });
  }

  async command(
    sessionId: string,
    text: string,
    messages: readonly unknown[],
    options: PreflightOptions = {},
  ): Promise<CommandResult | undefined> {
    const command = readCommand(text);
    if (command === undefined) return undefined;
    if (command.name === "status")
      return { messages, reply: describeStatus(await this.status(sessionId, messages, options)) };
    const note = command.note === undefined ? {} : { note: command.note };
    const { messages: compacted, report } = await this.compact(sessionId, messages, { ...options, ...note });
    const reply =
      report.status === "skipped"
        ? `Nothing was compacted (${(report.reason ?? "").replaceAll("_", " ")}).`
        : `Compacted from ${report.tokens_before.toLocaleString("en-US")} to ${report.tokens_after.toLocaleString("en-US")} tokens.`;
    return { messages: compacted, reply };
  }

  #input(
    sessionId: string,
    messages: readonly unknown[],
    isManual: boolean,
    { model, maxContextTokens, ...options }: ManualOptions,
  ): { readonly input: ConversationInput; readonly parts: ConversationParts } {
    const isChosen = model !== undefined || maxContextTokens !== undefined;
    const choice = {
      ...(model === undefined ? {} : { model }),
      ...(maxContextTokens === undefined ? {} : { maxContextTokens }),
    };
    return {
      input: { ...options, sessionId, messages, isManual },
      parts: isChosen ? this.#partsFor(choice) : this.#parts,
    };
  }

  /** One at a time by session; a failure does not stop the next. */
  #queue<Result>(session: LiveSession, run: () => Promise<Result>): Promise<Result> {
    const result = session.queue.then(run);
    session.queue = result.catch(() => undefined);
    return result;
  }

  async #compactOnce({ input, given, session, parts, trace }: Round): Promise<ConversationResult> {
    switchModel(session, parts);
    const current = replay(session.answered, given);
    let appended: readonly unknown[] | undefined = [];
    const isStillThere = () => {
      appended = appendedSince(given, input.messages);
      return appended !== undefined;
    };
    const applied = await runCompaction({ ...input, messages: current }, session, isStillThere, trace);
    // What is committed is so whatever became of the list since: there is no other turn between.
    const isCommitted = applied.state !== undefined;
    appended = appendedSince(given, input.messages) ?? (isCommitted ? appended : undefined);
    if (appended === undefined)
      return { messages: input.messages, report: { ...applied.report, status: "skipped", reason: "messages_changed" } };
    if (applied.state !== undefined) remember(session, { given, current }, applied, applied.state);
    const messages =
      applied.messages === current && current === given ? input.messages : [...applied.messages, ...appended];
    return { messages, report: applied.report };
  }

  #session(sessionId: string, trace = this.#parts.trace): Promise<LiveSession> {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const opened = openSession(sessionId, this.#parts, trace);
    this.#sessions.set(sessionId, opened);
    opened.catch(() => this.#sessions.delete(sessionId));
    return opened;
  }
}
