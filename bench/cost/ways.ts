// The ways of keeping a prompt small that the bench compares.

import type { ConversationPolicy } from "../../src/conversation.ts";
import { CompactManager, type ConversationConfig, createCallbackSink, createMemoryArchive } from "../../src/index.ts";
import { groupUnits } from "../../src/providers/units.ts";
import type { KeepSmall, ReplayInput } from "./replay.ts";

export const WINDOW = 128_000;
export const TRIGGER = 60_000;

export const nothing: KeepSmall = (messages) => messages;

/** Drops the oldest units, one by one, until the prompt is under the trigger: what a plain host does. */
export function slidingWindow({ format, systemTokens, count }: ReplayInput): KeepSmall {
  return (messages) => {
    const units = groupUnits(messages.map((message) => format.view(message)));
    let tokens = systemTokens + messages.reduce<number>((sum, message) => sum + count(message), 0);
    const dropped = new Set<number>();
    for (const unit of units) {
      if (tokens <= TRIGGER) break;
      // Instructions stand outside the window.
      if (unit.role === "system" || unit.role === "developer") continue;
      for (const index of unit.messages) {
        dropped.add(index);
        tokens -= count(messages[index]);
      }
    }
    return dropped.size === 0 ? messages : messages.filter((_, index) => !dropped.has(index));
  };
}

/** Where a round of compaction came out. */
export interface Landing {
  readonly tokens: number;
  readonly keptTurns: number;
  readonly keptPairs: number;
}

export interface Compacting {
  readonly keepSmall: KeepSmall;
  readonly landings: readonly Landing[];
}

/** `CompactManager.preflight` before each call. Throws when a summary fails: then the figures would mean nothing. */
export function compacting(
  { format }: ReplayInput,
  system: string,
  policy: Partial<ConversationPolicy>,
  summarizer?: NonNullable<ConversationConfig["summarizer"]>,
): Compacting {
  const landings: Landing[] = [];
  const failures: string[] = [];
  const sink = createCallbackSink((event) => {
    if (event.event === "compact.error") failures.push(event.message);
    if (event.event !== "compact.pruned_messages") return;
    const { tokens_after: tokens, kept } = event;
    landings.push({ tokens, keptTurns: kept.recent_turns, keptPairs: kept.tool_pairs });
  });
  const manager = new CompactManager({
    archive: createMemoryArchive(),
    maxContextTokens: WINDOW,
    policy: { triggerPct: TRIGGER / WINDOW, ...policy },
    trace: [sink],
    ...(summarizer === undefined ? {} : { summarizer }),
  });
  const keepSmall = async (messages: readonly unknown[]) => {
    const sent = await manager.preflight("bench", messages, { format: format.name, system });
    if (failures.length > 0) throw new Error(`A compaction failed: ${failures.join("; ")}`);
    return sent;
  };
  return { keepSmall, landings };
}
