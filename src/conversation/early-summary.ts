// Starts a summary ahead of time, one by session, and hands it over when it is due: awaited if it is still being
// written, dropped if the list has changed.
import { emitFailure } from "../engine/attempt.ts";
import { startWatch } from "../trace/emit.ts";
import { type ConversationInput, type ConversationParts, writerOf } from "./conversation-parts.ts";
import { continues, type Early, isPaused, type LiveSession, recordOutcome } from "./live-session.ts";
import { type EarlySummary, failuresOf } from "./write-summary.ts";

export function startEarly(input: ConversationInput, session: LiveSession, parts: ConversationParts): Early {
  dropEarly(session);
  const controller = new AbortController();
  const signal = input.signal === undefined ? controller.signal : AbortSignal.any([input.signal, controller.signal]);
  const given = input.messages;
  const watch = startWatch(parts.clock);
  const written = writeEarly({ ...input, signal }, session, parts).catch((error: unknown) => {
    const place = { strategy: parts.policy.strategy, ...writerOf(parts.summarizer) };
    if (!signal.aborted) emitFailure({ sessionId: input.sessionId, place }, error, parts, watch());
    return undefined;
  });
  const early: Early = { given, state: session.state, written, isReady: false, controller };
  session.early = early;
  void written.then((summary) => {
    if (summary === undefined && session.early === early) session.early = undefined;
    early.isReady = summary !== undefined;
  });
  return early;
}

/** The summary, if it is an automatic compaction and the list goes on from the one it was made from. */
export async function takeEarly(session: LiveSession, input: ConversationInput): Promise<EarlySummary | undefined> {
  const { early } = session;
  if (early === undefined || input.isManual) return undefined;
  if (early.state !== session.state || !continues(input.messages, early.given)) {
    dropEarly(session);
    return undefined;
  }
  const written = await beforeAbort(early.written, input.signal);
  if (session.early === early) session.early = undefined;
  return written;
}

/** Who gives up waiting need not wait; the summary goes on being written for the next one. */
async function beforeAbort<Result>(result: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return result;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([result, aborted]).finally(() => signal.removeEventListener("abort", stop));
}

export function dropEarly(session: LiveSession): void {
  session.early?.controller.abort();
  session.early = undefined;
}

async function writeEarly(
  input: ConversationInput,
  session: LiveSession,
  parts: ConversationParts,
): Promise<EarlySummary | undefined> {
  const silent = { ...parts, trace: { emit: () => {} } };
  const isModelPaused = isPaused(session.breaker, parts.clock(), false);
  const { prepareCompaction } = await loadCompaction();
  const { askSummarizer } = await import("./write-summary.ts");
  const prepared = await prepareCompaction({ ...input, isManual: true }, session.state, silent, { isModelPaused });
  const { due } = prepared;
  if (due === undefined || due.layers.removed.length === 0 || isModelPaused) return undefined;
  try {
    const draft = due.layers.draft ?? (await askSummarizer(due, { ...prepared.parts, trace: parts.trace }));
    if (draft.source !== "extractive") session.breaker = recordOutcome(session.breaker, 0, parts.clock());
    return { given: input.messages, prepared: { ...prepared, due: { ...due, layers: { ...due.layers, draft } } } };
  } catch (error) {
    if (input.signal?.aborted !== true)
      session.breaker = recordOutcome(session.breaker, failuresOf(error), parts.clock());
    throw error;
  }
}

// The compaction itself, with facts and all, is loaded when a session is first looked at: importing the package, as every
// process of a host does, stays cheap.

export function loadCompaction(): Promise<typeof import("./compact-conversation.ts")> {
  return import("./compact-conversation.ts");
}
