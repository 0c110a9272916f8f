// Shapes the facts of a compaction into the spec's trace events. Content-free but for the summary's payload.
import type { SummaryUsage } from "../summaries/summarizer.ts";
import type { KeptCounts } from "../trace/compact-event.ts";
import type { Times } from "../trace/emit.ts";
import type { Assembled } from "./assemble.ts";
import { type ConversationInput, type ConversationParts, describeLimits, writerOf } from "./conversation-parts.ts";
import type { DueCompaction, Layers } from "./layers.ts";
import type { ReadConversation } from "./read-conversation.ts";
import { describeShortened } from "./shorten.ts";
import type { SizedUp } from "./usage.ts";
import type { WrittenSummary } from "./write-summary.ts";

export function emitEstimate(
  input: ConversationInput,
  { measured, parts, isReported, isImplausible }: SizedUp,
  times: Times,
): void {
  if (isImplausible) {
    parts.trace.emit({
      event: "compact.warning",
      session_id: input.sessionId,
      severity: "low",
      code: "usage_implausible",
      message:
        "The usage reported for the last call is above the window and was ignored; the list was counted instead.",
    });
  }
  parts.trace.emit({
    event: "compact.token_estimate",
    session_id: input.sessionId,
    model: parts.model,
    t_est: measured.total,
    max_tokens: parts.maxContextTokens,
    usage_pct: measured.total / parts.maxContextTokens,
    breakdown: measured.breakdown,
    counting: isReported ? "reported" : parts.counter.isExact ? "exact" : "estimated",
    ...times,
  });
}

/** Compaction is switched off, and the list is more than the model takes. */
export function emitOverLimit(input: ConversationInput, tokens: number, { trace, budget }: ConversationParts): void {
  trace.emit({
    event: "compact.warning",
    session_id: input.sessionId,
    severity: "high",
    code: "limit_exceeded",
    message: `The conversation takes ${tokens} tokens, the budget is ${budget}; compaction is switched off (enabled: false).`,
  });
}

/** `times`: of deciding. `chosen`: what stays and what leaves, as far as it was chosen, and the times of choosing it. */
export function emitTrigger(
  input: ConversationInput,
  { triggered, reason }: { readonly triggered: boolean; readonly reason: string },
  parts: ConversationParts,
  times: Times,
  chosen: { readonly step: number | undefined; readonly due: DueCompaction | undefined; readonly times: Times },
): void {
  const { policy, trace } = parts;
  const { step, due } = chosen;
  const session_id = input.sessionId;
  const counts = due && { kept: countKept(due.read, due.layers), pruned_count: due.layers.removed.length };
  trace.emit({
    event: "compact.trigger_decision",
    session_id,
    triggered,
    reason,
    ...(input.note === undefined ? {} : { note: input.note }),
    policy: { trigger_pct: policy.triggerPct, hard_cap_buffer: policy.hardCapBuffer, strategy: policy.strategy },
    limits: describeLimits(parts),
    ...(step === undefined ? {} : { step }),
    ...counts,
    ...times,
  });
  if (counts !== undefined) trace.emit({ event: "compact.layer_choice", session_id, ...counts, ...chosen.times });
}

/** `location`: of its archived record, if it has one. */
export function emitSummary(
  { input, read, step, layers }: DueCompaction,
  written: WrittenSummary,
  { assembled, location }: { readonly assembled: Assembled; readonly location: string | null },
  { trace, summarizer, archive }: ConversationParts,
): void {
  if (written.source === "none" || written.version === null || written.times === undefined) return;
  const replaced = layers.removed.reduce((sum, index) => sum + (read.tokens[index] ?? 0), 0);
  trace.emit({
    event: "compact.summary_created",
    session_id: input.sessionId,
    step,
    version: written.version,
    strategy: written.strategy,
    source: written.source,
    input_messages: layers.removed.length,
    summary_tokens: assembled.summaryTokens,
    compression_ratio: replaced === 0 ? 1 : assembled.summaryTokens / replaced,
    payload: JSON.stringify({ summary: written.text }),
    ...(location === null || archive?.adapter === "memory" ? {} : { location }),
    ...(written.usage === undefined ? {} : { usage: usageFields(written.usage) }),
    ...(written.source === "extractive" ? {} : writerOf(summarizer)),
    ...written.times,
  });
}

export function usageFields({ calls, inputTokens, outputTokens }: SummaryUsage) {
  return { calls, input_tokens: inputTokens, output_tokens: outputTokens };
}

export function emitPruned(
  { input, read, step, layers }: DueCompaction,
  assembled: Assembled,
  parts: ConversationParts,
  times: Times,
): void {
  parts.trace.emit({
    event: "compact.pruned_messages",
    session_id: input.sessionId,
    step,
    kept: countKept(read, layers),
    pruned_count: layers.removed.length,
    pruned: layers.removed.map((index) => read.numbers[index] ?? 1),
    layers: {
      pinned: layers.pinned.length,
      summary: assembled.placed.summaryIndex >= 0 ? 1 : 0,
      recent: layers.recent.length,
    },
    tokens_before: read.total,
    tokens_after: assembled.tokens,
    first_changed: firstChanged(input.messages, assembled.placed.messages),
    shortened: describeShortened(read, layers.shortened, parts.counter),
    repairs: read.repairs.map(({ index, kind }) => ({ index, kind })),
    dead_calls: read.repairs.flatMap(({ kind, callId }) =>
      kind === "dead_call" && callId !== undefined ? [callId] : [],
    ),
    ...times,
  });
}

/** What stays, in the spec's three counts: pinned messages, turns and tool pairs of the recent layer. */
export function countKept({ units }: ReadConversation, { fit, pinned }: Layers): KeptCounts {
  const recent = units.filter((unit, position) => unit.standing !== "pinned" && fit.stays[position]);
  const turns = new Set(recent.flatMap((unit) => (unit.kind === "message" ? [unit.turn] : [])));
  return {
    pinned: pinned.length,
    recent_turns: turns.size,
    tool_pairs: recent.filter((unit) => unit.kind === "pair").length,
  };
}

export function firstChanged(before: readonly unknown[], after: readonly unknown[]): number {
  const index = after.findIndex((message, position) => message !== before[position]);
  return index < 0 ? after.length : index;
}
