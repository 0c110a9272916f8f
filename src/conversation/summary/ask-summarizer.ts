// Asks the summarizer for a text and tells of each step of its failure ladder. What stands in for a text that could not
// be had is decided in write-summary.ts.
import { CompactError } from "../../errors.ts";
import type { Setback } from "../../summaries/summarizer.ts";
import { startWatch, type Times } from "../../trace/watch.ts";
import type { ConversationParts } from "../conversation-parts.ts";
import type { DueCompaction } from "../prepared-compaction.ts";
import { summaryRequest, type TimedSummary } from "./summary-room.ts";

/** Tells how long the summarizer, or the model behind it, has been at its last call. */
export interface LastCall {
  watch: (() => Times) | undefined;
}

/**
 * Asks the summarizer, unless its model is paused. Each step of its failure ladder is an event, with the times of the call
 * that failed; those of the last one are left in `lastCall`, since its failure is told by who knows what stands in for it.
 */
export async function askSummarizer(
  due: DueCompaction,
  parts: ConversationParts,
  lastCall: LastCall = { watch: undefined },
): Promise<TimedSummary> {
  const { input, layers, read } = due;
  if (due.isModelPaused && parts.summarizer.kind === "model") throw paused();
  const watch = startWatch(parts.clock);
  const onCall = () => {
    lastCall.watch = startWatch(parts.clock);
  };
  onCall();
  const onSetback = (setback: Setback) => {
    // The last one is told by the fallback that follows.
    if (setback.next === "give-up") return;
    emitSetback(input.sessionId, setback, lastCall.watch?.(), parts);
    onCall();
  };
  const request = summaryRequest(layers, layers.summaryTokens, parts, read.previousSummary, input);
  const summary = await parts.summarizer.summarize({ ...request, onCall, onSetback });
  if (typeof summary?.text !== "string" || summary.text.trim() === "")
    throw new CompactError("SummarizationFailed", "The summarizer returned an empty text.", { code: "EMPTY_ANSWER" });
  return { ...summary, times: watch() };
}

function emitSetback(
  sessionId: string,
  { code, message, next, attempt }: Setback,
  times: Times | undefined,
  { trace }: ConversationParts,
): void {
  trace.emit({
    event: "compact.error",
    session_id: sessionId,
    status: "error",
    error_type: code,
    message,
    fallback: next,
    attempt,
    ...times,
  });
}

function paused(): CompactError {
  return new CompactError("SummarizationFailed", "The model failed three times in this session and is not asked now.", {
    code: "MODEL_PAUSED",
    hint: "A manual compaction asks it again; so does an automatic one ten minutes after its last failure.",
  });
}
