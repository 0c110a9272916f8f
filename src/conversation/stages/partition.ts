// Says of each unit what may happen to it: pinned (never leaves), locked (belongs to work in progress, always in
// the recent layer), replaced (the previous summary), or free. Pure; what stays of the free ones is fit's choice.
import type { MessageView } from "../../formats/format.ts";
import type { Unit } from "../../formats/units.ts";

export type Standing = "pinned" | "locked" | "replaced" | "free";

export interface StandingUnit extends Unit {
  readonly standing: Standing;
  readonly why: string;
  readonly tokens: number;
}

export interface PartitionInput {
  readonly units: readonly Unit[];
  readonly views: readonly MessageView[];
  /** Tokens of each native message. */
  readonly tokens: readonly number[];
  readonly rolesNeverPrune: readonly string[];
  readonly isProtected: (index: number) => boolean;
  /** Native messages that the next summary replaces: our previous summary and its filler. */
  readonly isReplaced: (index: number) => boolean;
}

export function partition(input: PartitionInput): readonly StandingUnit[] {
  const requestFrom = openRequestStart(input);
  const lastPair = input.units.findLastIndex((unit) => unit.kind === "pair");
  return input.units.map((unit, position) => {
    const tokens = unit.messages.reduce((sum, index) => sum + (input.tokens[index] ?? 0), 0);
    const [standing, why] = standingOf(unit, position, { input, requestFrom, lastPair });
    return { ...unit, standing, why, tokens };
  });
}

interface Landmarks {
  readonly input: PartitionInput;
  readonly requestFrom: number;
  readonly lastPair: number;
}

function standingOf(
  unit: Unit,
  position: number,
  { input, requestFrom, lastPair }: Landmarks,
): readonly [Standing, string] {
  if (unit.messages.every(input.isReplaced)) return ["replaced", "previous summary, rolled into the new one"];
  if (unit.isOpen) return ["locked", "tool call in flight"];
  if (unit.messages.some((index) => input.views[index]?.isIrreplaceable))
    return ["pinned", "stands for earlier history that only its provider can read"];
  if (unit.messages.some(input.isProtected)) return ["pinned", "protected"];
  if (unit.kind === "message" && input.rolesNeverPrune.includes(unit.role)) return ["pinned", `role ${unit.role}`];
  if (position === lastPair) return ["locked", "newest tool result"];
  if (position >= requestFrom && unit.hasUserText) return ["locked", "open request"];
  return ["free", "older than the recent layer"];
}

/** Position behind the last final answer: assistant text without tool calls, unless the assistant is still at work behind it. */
function openRequestStart({ units, views, isReplaced }: PartitionInput): number {
  const lastSaid = units.findLastIndex(({ hasUserText }) => hasUserText);
  return (
    1 +
    units.findLastIndex((unit, position) => {
      if (unit.kind !== "message" || unit.role !== "assistant" || unit.messages.some(isReplaced)) return false;
      if (position > lastSaid && units[position + 1]?.role === "assistant") return false;
      return unit.messages.some((index) =>
        views[index]?.parts.some((part) => part.kind === "text" && part.text.trim() !== ""),
      );
    })
  );
}
