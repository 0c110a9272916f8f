// The SDK's items as a host's: read as items of the Responses endpoint, whichever model they go to.
import type { AgentInputItem } from "@openai/agents";
import type { JsonObject } from "../../../formats/json-shape.ts";
import type { Translation } from "../../seam/translation.ts";
import { toHostItem } from "./host-item.ts";
import { toNativeItem } from "./native-item.ts";

const origins = new WeakMap<object, AgentInputItem>();

export const agentItems: Translation<AgentInputItem> = {
  format: "openai-responses",
  toNative: (item) => [toNativeItem(item as JsonObject)],
  toHost(native, { origin, toolName }) {
    const name = toolName(String(native.call_id));
    const item = toHostItem(native, origin as JsonObject | undefined, name) as unknown as AgentInputItem;
    if (origin !== undefined) origins.set(item, origin);
    return item;
  },
};

/** The item that a changed one was made from; undefined for others. */
export function originOf(item: AgentInputItem): AgentInputItem | undefined {
  return origins.get(item);
}
