// Tells the SDK what each item that the model is sent stands for. It stores what became of a run's own input, and takes
// items that it does not know for replacements of the first ones missing: behind a history that left the list, new
// input that was shortened or summarized would be stored nowhere.
import type { AgentInputItem } from "@openai/agents";
import { originOf } from "./items/agent-items.ts";

export type TellSources = (input: AgentInputItem[], sent: readonly AgentInputItem[]) => void;

/**
 * `input` is the array that the SDK gave the filter: it looks there, when the filter is done, for what the new items
 * replace. A changed item stands for the one it was made from. A summary stands for itself and is not stored, unless it
 * covers what the SDK was never told of: then for the last of that, or it would be stored nowhere.
 */
export function createTellSources(): TellSources {
  /** Went to the model in an earlier call, so the SDK stores them. */
  const told = new WeakSet<object>();
  return (input, sent) => {
    const given = new Set(input);
    const kept = new Set(sent.map((item) => originOf(item) ?? item));
    let covered = input.findLast((item) => !kept.has(item) && !told.has(item));
    const sources = sent.map((item) => {
      if (given.has(item)) return item;
      const source = originOf(item) ?? covered ?? item;
      if (source === covered) covered = undefined;
      return source;
    });
    for (const item of kept) told.add(item);
    input.splice(0, input.length, ...sources);
  };
}
