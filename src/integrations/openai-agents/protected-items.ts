// `meta` is ours. The SDK sends no field that it does not know, so an item may keep its `meta` and be the same object:
// stored with its session it is still protected when the session is read again.
import type { AgentInputItem } from "@openai/agents";
import type { JsonObject } from "../../formats/json-shape.ts";
import { carryMarks, isProtectedMessage, markProtected, withoutField } from "../../formats/protected.ts";

const bare = new WeakMap<object, AgentInputItem>();
const whole = new WeakMap<object, AgentInputItem>();

/** The item without `meta`, its protection as a mark. */
export function withoutMeta(item: AgentInputItem): AgentInputItem {
  if (!("meta" in item)) return item;
  const before = bare.get(item);
  if (before !== undefined) return before;
  const copy = carryMarks(item, withoutField(item as JsonObject, "meta")) as unknown as AgentInputItem;
  if (isProtectedMessage(item)) markProtected(copy);
  bare.set(item, copy);
  whole.set(copy, item);
  return copy;
}

/** The item that `withoutMeta` was given. */
export function withMeta(item: AgentInputItem): AgentInputItem {
  return whole.get(item) ?? item;
}
