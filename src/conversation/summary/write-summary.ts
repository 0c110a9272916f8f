// Gets the text that stands for what left: a framed summary, or, when the summarizer fails, what the policy's
// `on_summary_failure` asks for. An error text never becomes a summary.
import { CompactError } from "../../errors.ts";
import { essentialFacts } from "../../facts/ledger-text.ts";
import type { ConversationParts } from "../conversation-parts.ts";
import { emitError } from "../emit-error.ts";
import type { DueCompaction } from "../prepared-compaction.ts";
import { completeSummary } from "./essentials.ts";
import { type FrameInput, frameNotice, frameSummary } from "./summary-frame.ts";
import { summaryRequest } from "./summary-room.ts";

export interface WrittenSummary {
  /** Whole message text, frame included. */
  readonly text: string;
  /** N of the summary; null for a notice. */
  readonly version: number | null;
  readonly source: "extractive" | "model" | "model+ledger" | "none";
  /** Essential facts that the text does not hold whole. */
  readonly missing: number;
  readonly milliseconds: number;
}

/** Undefined when nothing but tool results was shortened, so there is nothing to stand for. */
export async function writeSummary(
  { input, read, step, layers }: DueCompaction,
  parts: ConversationParts,
  isArchived: boolean,
): Promise<WrittenSummary | undefined> {
  if (layers.removed.length === 0) return undefined;
  const started = parts.clock();
  const frame: FrameInput = {
    version: read.carried.summary_version + 1,
    sessionId: input.sessionId,
    step,
    prunedCount: layers.removed.length,
    isArchived,
  };
  try {
    const request = summaryRequest(layers, layers.summaryTokens, parts, read.previousSummary, input);
    const summary = layers.draft ?? (await parts.summarizer.summarize(request));
    if (summary.text.trim() === "")
      throw new CompactError("SummarizationFailed", "The summarizer returned an empty text.");
    const count = (text: string) => parts.counter.countText(text);
    const { text, source, missing } = completeSummary(summary, layers.shown, request.maxTokens, count);
    const milliseconds = parts.clock() - started;
    return { text: frameSummary(text, frame), version: frame.version, source, missing, milliseconds };
  } catch (error) {
    if (CompactError.isInstance(error) && error.kind !== "SummarizationFailed") throw error;
    if (parts.policy.onSummaryFailure === "keep" && read.total <= parts.budget) throw error;
    if (parts.policy.onSummaryFailure === "extractive") {
      emitError(input.sessionId, error, "extractive", parts);
      const { text } = await parts.extractive.summarize(
        summaryRequest(layers, layers.summaryTokens, parts, read.previousSummary, input),
      );
      return {
        text: frameSummary(text, frame),
        version: frame.version,
        source: "extractive",
        missing: 0,
        milliseconds: parts.clock() - started,
      };
    }
    emitError(input.sessionId, error, "pruning-only", parts);
    const essentials = essentialFacts(layers.shown).map(({ line }) => line);
    const facts = factsWithin(essentials, layers.summaryTokens, (text) => parts.counter.countText(text));
    const missing = essentials.length - facts.length;
    const milliseconds = parts.clock() - started;
    return { text: frameNotice(facts, frame), version: null, source: "none", missing, milliseconds };
  }
}

/** The newest lines that fit. */
function factsWithin(lines: readonly string[], cap: number, count: (text: string) => number): readonly string[] {
  const kept: string[] = [];
  let left = cap / 2;
  for (const line of [...lines].reverse()) {
    left -= count(line);
    if (left < 0) break;
    kept.unshift(line);
  }
  return kept;
}
