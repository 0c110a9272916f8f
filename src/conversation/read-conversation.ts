// Reads what a measured list is made of, once compaction is due: units with their standing, and which messages
// are our own previous summary. Everything later works on this reading; the native messages stay as they are.

import { findNeeds, withNeeded } from "../providers/bonds.ts";
import type { Format, MessageView } from "../providers/format.ts";
import { groupUnits, type Unit } from "../providers/units.ts";
import { sha256 } from "../storage/sha256.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import type { MeasuredConversation } from "./measure-conversation.ts";
import { FRESH_STATE, type SessionState } from "./session-state.ts";
import { SUMMARY_PREFIX, unframe } from "./summary-frame.ts";

export interface ReadConversation extends MeasuredConversation {
  /** Per message: 1-based number in the caller's list, which is the number in the step's transcript. */
  readonly numbers: readonly number[];
  readonly units: readonly StandingUnit[];
  /** Indices of our previous summary and its filler. */
  readonly replaced: ReadonlySet<number>;
  /** Its text, without the frame. */
  readonly previousSummary: string | undefined;
  /** What the session carries into this list. Empty unless our previous summary stands in it: a list without it is whole by itself. */
  readonly carried: SessionState;
}

export function readConversation(
  input: ConversationInput,
  measured: MeasuredConversation,
  state: SessionState,
  { policy, protect }: ConversationParts,
): ReadConversation {
  const { format, messages, views, tokens } = measured;
  const replaced = findPreviousSummary(messages, format, state);
  const units = partition({
    units: groupUnits(views, (index) => replaced.has(index)),
    views,
    tokens,
    rolesNeverPrune: policy.rolesNeverPrune,
    isProtected: (index) => views[index]?.isProtected === true || protect?.(messages[index]) === true,
    isReplaced: (index) => replaced.has(index),
  });
  const texts = [...replaced].map((index) => format.summaryText(messages[index]));
  const previous = texts.findLast((text) => text?.startsWith(SUMMARY_PREFIX));
  const previousSummary = previous === undefined ? undefined : unframe(previous);
  const carried = previousSummary === undefined ? { ...FRESH_STATE, step: state.step } : state;
  return { ...measured, numbers: numberMessages(input.messages, messages), units, replaced, previousSummary, carried };
}

/** Our fillers, and our summary: recognised by the hash of its whole text, never by the marker, which anyone can write. */
function findPreviousSummary(
  messages: readonly unknown[],
  format: Format,
  { summary_hash }: SessionState,
): ReadonlySet<number> {
  const found = new Set(messages.flatMap((message, index) => (format.isFiller(message) ? [index] : [])));
  // The first only: a copy further down was pasted by someone, and is theirs.
  const summary = messages.findIndex((message) => {
    const text = summary_hash === null ? undefined : format.summaryText(message);
    return text?.startsWith(SUMMARY_PREFIX) === true && sha256(text) === summary_hash;
  });
  return summary < 0 ? found : found.add(summary);
}

/** A repaired or inserted message takes the number of the message before it. */
function numberMessages(original: readonly unknown[], healed: readonly unknown[]): readonly number[] {
  if (original === healed) return healed.map((_, index) => index + 1);
  const position = new Map(original.map((message, index) => [message, index + 1]));
  let last = 1;
  return healed.map((message) => {
    last = position.get(message) ?? last;
    return last;
  });
}

// Says of each unit what may happen to it: pinned (never leaves), locked (belongs to work in progress, always in
// the recent layer), replaced (the previous summary), or free. Pure; what stays of the free ones is fit's choice.

type Standing = "pinned" | "locked" | "replaced" | "free";

export interface StandingUnit extends Unit {
  readonly standing: Standing;
  readonly why: string;
  readonly tokens: number;
  /** Positions of the units without which it may not stay. */
  readonly needs?: ReadonlySet<number>;
}

interface PartitionInput {
  readonly units: readonly Unit[];
  readonly views: readonly MessageView[];
  /** Tokens of each native message. */
  readonly tokens: readonly number[];
  readonly rolesNeverPrune: readonly string[];
  readonly isProtected: (index: number) => boolean;
  /** Native messages that the next summary replaces: our previous summary and its filler. */
  readonly isReplaced: (index: number) => boolean;
}

function partition(input: PartitionInput): readonly StandingUnit[] {
  const requestFrom = openRequestStart(input);
  const lastPair = input.units.findLastIndex((unit) => unit.kind === "pair");
  const needs = findNeeds(input.units, input.views);
  const standings = input.units.map((unit, position) => standingOf(unit, position, { input, requestFrom, lastPair }));
  for (const strength of ["locked", "pinned"] as const) {
    const holds = standings.map(([standing]) => standing === strength);
    const held = withNeeded(holds, (position) => needs[position] ?? []);
    for (const [position, [standing]] of standings.entries()) {
      const isWeaker = standing === "free" || (standing === "locked" && strength === "pinned");
      if (held[position] && !holds[position] && isWeaker) standings[position] = [strength, "needed by what stays"];
    }
  }
  return input.units.map((unit, position) => {
    const tokens = unit.messages.reduce((sum, index) => sum + (input.tokens[index] ?? 0), 0);
    const [standing, why] = standings[position] as readonly [Standing, string];
    return { ...unit, standing, why, tokens, needs: needs[position] ?? new Set() };
  });
}

/** Why the newest tool pair stays; see `withoutNewestPair`. */
export const NEWEST_PAIR = "newest tool result";

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
  if (position === lastPair) return ["locked", NEWEST_PAIR];
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
