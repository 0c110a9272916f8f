// What a compaction kept is written back as it stood in the store, though the run that compacted it had copies with more
// ids or without `meta`.
import type { AgentInputItem } from "@openai/agents";

export function asStored(
  items: readonly AgentInputItem[],
  stored: readonly AgentInputItem[],
): readonly AgentInputItem[] {
  const known = new Map(stored.map((item) => [keyOf(item), item]));
  return items.map((item) => known.get(keyOf(item)) ?? item);
}

/** The SDK stores calls and results without their ids. */
function keyOf(item: AgentInputItem): string {
  const { meta: _meta, id, ...rest } = item as unknown as Readonly<Record<string, unknown>>;
  return JSON.stringify("callId" in rest ? rest : { ...rest, id });
}
