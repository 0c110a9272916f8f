// A call whose reasoning has left is refused under the id that the provider gave it; the id that pairs it with its
// result stays.
import type { AgentInputItem } from "@openai/agents";
import type { JsonObject } from "../../formats/json-shape.ts";

export type DropPartedIds = (
  before: readonly AgentInputItem[],
  sent: readonly AgentInputItem[],
) => readonly AgentInputItem[];

export function createDropPartedIds(): DropPartedIds {
  const copies = new WeakMap<object, AgentInputItem>();
  return (before, sent) => {
    const kept = new Set(sent);
    const parted = new Set(before.filter((item, at) => "callId" in item && isParted(before[at - 1], kept)));
    if (!sent.some((item) => parted.has(item) && "id" in item)) return sent;
    return sent.map((item) => {
      if (!parted.has(item) || !("id" in item)) return item;
      const known = copies.get(item);
      if (known !== undefined) return known;
      const { id: _id, ...copy } = item as unknown as JsonObject;
      copies.set(item, copy as unknown as AgentInputItem);
      return copy as unknown as AgentInputItem;
    });
  };
}

function isParted(previous: AgentInputItem | undefined, kept: ReadonlySet<AgentInputItem>): boolean {
  return previous?.type === "reasoning" && !kept.has(previous);
}
