// A prepared compaction as plain data: every message it will touch, and why.
import type { ConversationPlan, PlannedMessage } from "./conversation-plan.ts";
import { countKept } from "./conversation-events.ts";
import type { PreparedCompaction } from "./prepared-compaction.ts";

export function describePlan(prepared: PreparedCompaction, fingerprint: string, budget: number): ConversationPlan {
  const { input, read, decision, step, layers } = prepared;
  return {
    part: "conversation",
    session_id: input.sessionId,
    format: read.format.name,
    fingerprint,
    message_count: input.messages.length,
    step,
    triggered: decision.triggered,
    reason: decision.reason,
    tokens_before: read.total,
    budget,
    target: layers?.target ?? budget,
    summary_max_tokens: layers?.summaryTokens ?? 0,
    kept: layers === undefined ? { pinned: 0, recent_turns: 0, tool_pairs: 0 } : countKept(read, layers),
    pruned_count: layers?.removed.length ?? 0,
    messages: layers === undefined ? [] : planMessages(prepared),
    repairs: read.repairs,
  };
}

function planMessages({ read, layers, input }: PreparedCompaction): readonly PlannedMessage[] {
  const original = new Set(input.messages);
  return read.units
    .flatMap((unit, position) =>
      unit.messages.map((index) => {
        const stays = layers?.fit.stays[position] === true;
        const action = !original.has(read.messages[index])
          ? "repair"
          : unit.standing === "pinned"
            ? "pin"
            : !stays
              ? "summarize"
              : layers?.shortened.has(read.messages[index])
                ? "shorten"
                : "keep";
        const why = stays && unit.standing === "free" ? "recent" : unit.why;
        return { index: (read.numbers[index] ?? 1) - 1, role: read.views[index]?.role ?? "user", tokens: read.tokens[index] ?? 0, action, why } as const;
      }),
    )
    .sort((a, b) => a.index - b.index);
}
