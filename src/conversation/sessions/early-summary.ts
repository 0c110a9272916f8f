// A summary that is written before it is due, while the agent works on. It is used only when the list it was made from
// still stands at the head of the list that is due; else it is dropped and made anew.

import type { PreparedCompaction } from "../prepared-compaction.ts";
import type { Assembled } from "../stages/assemble.ts";
import { frameTokens } from "../summary/summary-room.ts";

export interface EarlySummary {
  readonly given: readonly unknown[];
  /** As for a manual compaction of `given`, with the summary already in it. */
  readonly prepared: PreparedCompaction;
}

/** Share of the window by which the result may lie above the target: the messages that came since were not reckoned with. */
const SLACK = 0.05;

/** For a list that begins with `given`. Undefined when it had to be healed, or when what came since takes the room that was won. */
export function adoptEarly({ given, prepared }: EarlySummary, now: PreparedCompaction): PreparedCompaction | undefined {
  const { messages } = now.input;
  const { due } = prepared;
  if (due === undefined || now.measured.repairs.length > 0) return undefined;
  const { layers } = due;
  const written = now.parts.counter.countText(layers.draft?.text ?? "") + frameTokens(now.parts, now.input);
  const appended = now.measured.tokens.slice(given.length).reduce((sum, size) => sum + size, 0);
  const expected = layers.fit.tokens + written + appended;
  const acceptable = Math.min(layers.target + SLACK * now.parts.maxContextTokens, now.parts.budget);
  if (expected > acceptable) return undefined;
  const input = { ...now.input, messages: messages.slice(0, given.length) };
  const read = { ...due.read, total: now.measured.total };
  return { ...now, due: { ...due, input, read }, appended: messages.slice(given.length) };
}

/** The sizes with what stands behind the compacted list. */
export function withAppended(assembled: Assembled, { appended, measured, parts }: PreparedCompaction): Assembled {
  if (appended.length === 0) return assembled;
  const added = appended.reduce<number>(
    (sum, message) => sum + parts.counter.countMessage(message, measured.format.view(message)),
    0,
  );
  return { ...assembled, tokens: assembled.tokens + added, recentTokens: assembled.recentTokens + added };
}
