// A prepared compaction as plain data: every message it will touch, and why.

import { countKept } from "./conversation-events.ts";
import type { ConversationPlan, PlannedMessage } from "./conversation-plan.ts";
import type { DueCompaction, PreparedCompaction } from "./prepared-compaction.ts";
import type { StandingUnit } from "./stages/partition.ts";

export function describePlan(prepared: PreparedCompaction, fingerprint: string, budget: number): ConversationPlan {
  const { input, measured, decision, due, state } = prepared;
  return {
    part: "conversation",
    session_id: input.sessionId,
    format: measured.format.name,
    fingerprint,
    message_count: input.messages.length,
    step: due?.step ?? state.step,
    triggered: decision.triggered,
    reason: decision.reason,
    tokens_before: measured.total,
    budget,
    target: due?.layers.target ?? budget,
    summary_max_tokens: due?.layers.summaryTokens ?? 0,
    kept: due === undefined ? { pinned: 0, recent_turns: 0, tool_pairs: 0 } : countKept(due.read, due.layers),
    pruned_count: due?.layers.removed.length ?? 0,
    messages: due === undefined ? [] : planMessages(due),
    repairs: measured.repairs,
  };
}

function planMessages(due: DueCompaction): readonly PlannedMessage[] {
  const { read } = due;
  const planned = read.units.flatMap((unit, position) =>
    unit.messages.map((index) => planMessage(due, unit, position, index)),
  );
  return planned.sort((a, b) => a.index - b.index);
}

function planMessage(
  { read, layers, input }: DueCompaction,
  unit: StandingUnit,
  position: number,
  index: number,
): PlannedMessage {
  const number = read.numbers[index] ?? 1;
  const message = read.messages[index];
  const stays = layers.fit.stays[position] === true;
  const action =
    message !== input.messages[number - 1] ? "repair" : actionFor(unit, stays, layers.shortened.has(message));
  const why = stays && unit.standing === "free" ? "recent" : unit.why;
  return { index: number - 1, role: read.views[index]?.role ?? "user", tokens: read.tokens[index] ?? 0, action, why };
}

function actionFor({ standing }: StandingUnit, stays: boolean, isShortened: boolean): PlannedMessage["action"] {
  if (standing === "pinned") return "pin";
  if (!stays) return "summarize";
  return isShortened ? "shorten" : "keep";
}
