// Runs one compaction of a session: with what earlier looks found, on the next free step, and remembers what came of it.
import { CompactError } from "../../errors.ts";
import type { AppliedCompaction, Earlier } from "../compact-conversation.ts";
import type { ConversationInput, ConversationParts } from "../conversation-parts.ts";
import type { SessionState } from "../session-state.ts";
import { sizeUp } from "../usage/size-up.ts";
import { failuresOf } from "./failures-of.ts";
import type { LiveSession } from "./live-session.ts";
import { loadCompaction } from "./load-compaction.ts";
import { isPaused, recordOutcome } from "./model-breaker.ts";
import { startEarly, takeEarly } from "./start-early.ts";

/** Share of the window that must be new before a round that could not reach its target is tried again. */
export const GROWTH_SHARE = 0.05;
/** Another process may take the same step number; each try takes the next free one. */
const STEP_TRIES = 50;
/** Reasons after which the same list would come to nothing again. */
const FRUITLESS: ReadonlySet<string> = new Set(["not_beneficial", "nothing_to_compact", "summary_failed"]);

/** `trace`: of the attempt; what is prepared for a later one has none. A failure is the attempt's to tell. */
export async function runCompaction(
  input: ConversationInput,
  session: LiveSession,
  isStillThere: () => boolean,
  trace: ConversationParts["trace"],
): Promise<AppliedCompaction> {
  const parts = { ...session.parts, trace };
  const { applyPrepared, prepareCompaction } = await loadCompaction();
  for (let tries = 1; ; tries++) {
    try {
      const earlier = { ...earlierLooks(session, input), isTold: tries > 1 };
      const prepared = await prepareCompaction(input, session.state, parts, earlier);
      const { counted, calibration, lastCall } = prepared.sizes;
      Object.assign(session, { counted, calibration, lastCall, tokens: prepared.measured.total });
      const applied = await applyPrepared(prepared, isStillThere);
      if (applied.modelFailures !== undefined)
        session.breaker = recordOutcome(session.breaker, applied.modelFailures, parts.clock());
      if (FRUITLESS.has(applied.report.reason ?? ""))
        session.waitUntil = prepared.measured.total - prepared.measured.doubted + GROWTH_SHARE * parts.maxContextTokens;
      if (applied.report.reason === "below_trigger" && isTimeToPrepare(session, prepared.measured.total))
        // Not with the caller's signal: it speaks of this call, which is over.
        startEarly(withoutSignal(input), session, session.parts);
      return applied;
    } catch (error) {
      const isTaken = CompactError.isInstance(error) && error.kind === "Conflict";
      if (isTaken && tries < STEP_TRIES) continue;
      if (CompactError.isInstance(error) && error.kind === "SummarizationFailed")
        session.breaker = recordOutcome(session.breaker, failuresOf(error), parts.clock());
      throw error;
    }
  }
}

/** Size of the list as a compaction would see it. */
export async function measureNow(input: ConversationInput, session: LiveSession): Promise<number> {
  const { measured, next } = await sizeUp(input, session.state, session.parts, earlierLooks(session, input));
  Object.assign(session, next);
  return measured.total;
}

/** The soft trigger: once for a list, which may go on growing. */
function isTimeToPrepare({ early, parts }: LiveSession, tokens: number): boolean {
  const { preparePct = Number.POSITIVE_INFINITY, prepareTokens = Number.POSITIVE_INFINITY } = parts.policy;
  return early === undefined && (tokens >= preparePct * parts.maxContextTokens || tokens >= prepareTokens);
}

function withoutSignal({ signal: _, ...input }: ConversationInput): ConversationInput {
  return input;
}

function earlierLooks(session: LiveSession, input: ConversationInput): Earlier {
  const { counted, calibration, lastCall, waitUntil, answered, breaker, parts } = session;
  return {
    counted,
    calibration,
    lastCall,
    waitUntil,
    compactedLength: answered?.output.length ?? 0,
    isModelPaused: isPaused(breaker, parts.clock(), input.isManual),
    takeEarly: () => takeEarly(session, input),
  };
}

export function remember(
  session: LiveSession,
  { given, current }: { readonly given: readonly unknown[]; readonly current: readonly unknown[] },
  { report, messages: output }: AppliedCompaction,
  state: SessionState,
): void {
  const { state: before, answered, parts } = session;
  session.undoable = { before: current, tokens: report.tokens_before, output, state: before, answered };
  session.state = state;
  session.answered = { input: given, output };
  // Where the target was missed, or lies at the trigger, the next message would start the next round.
  session.waitUntil = report.tokens_after + GROWTH_SHARE * parts.maxContextTokens;
  session.lastReport = report;
  session.tokens = report.tokens_after;
}
