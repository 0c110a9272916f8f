// A native item that compaction made or changed, as one of the SDK's: the item it was made from with what differs, or a
// new one; a result has to name its tool there.
import { asText, isObject, type JsonObject, toJson } from "../../../formats/json-shape.ts";
import { hostNameOf, hostTypeOf } from "./host-names.ts";
import { toNativeItem } from "./native-item.ts";
import { toHostPart } from "./parts.ts";
import { unknownToHost } from "./provider-items.ts";
import { shellOutput } from "./shell-output.ts";

export function toHostItem(native: JsonObject, origin: JsonObject | undefined, toolName?: string): JsonObject {
  const type = hostTypeOf(native);
  if (origin?.type === "unknown" || (origin === undefined && type === undefined)) return unknownToHost(native, origin);
  const before = origin === undefined ? {} : toNativeItem(origin);
  const host: Record<string, unknown> = { ...(origin ?? freshItem(native, asText(type), toolName)) };
  for (const key of new Set([...Object.keys(before), ...Object.keys(native)])) {
    if (key !== "type" && toJson(native[key]) !== toJson(before[key])) setField(host, key, native, origin);
  }
  return host;
}

function setField(host: Record<string, unknown>, key: string, native: JsonObject, origin: JsonObject | undefined) {
  const isReasoning = native.type === "reasoning";
  const name = isReasoning && key === "content" ? "rawContent" : hostNameOf(key);
  // A picture that was taken out is null.
  const value = key === "result" ? (native[key] ?? undefined) : native[key];
  if (isReasoning && key === "encrypted_content") host.providerData = beside(host, key, value);
  else if (value === undefined) delete host[name];
  else host[name] = hostValue(key, native, origin);
  // What a provider's own tool did has its id twice.
  if (key === "id" && value === undefined && isObject(host.providerData)) host.providerData = beside(host, key);
}

function beside({ providerData }: JsonObject, key: string, value?: unknown): JsonObject {
  const { [key]: _before, ...rest } = isObject(providerData) ? providerData : {};
  return value === undefined ? rest : { ...rest, [key]: value };
}

function freshItem(native: JsonObject, type: string, toolName: string | undefined): JsonObject {
  if (type === "function_call_result") {
    return { type, name: toolName || asText(native.call_id), callId: native.call_id, status: "completed" };
  }
  if (type === "reasoning") return { type, content: [] };
  return type === "function_call" || native.role === "assistant" ? { type, status: "completed" } : { type };
}

function hostValue(key: string, native: JsonObject, origin: JsonObject | undefined): unknown {
  const value = native[key];
  if (key === "summary") return asParts(value, "input_text");
  if (key === "content" && native.type !== "reasoning") return hostContent(value, native.role);
  if (key !== "output") return value;
  if (native.type === "shell_call_output") return shellOutput(value, origin?.output);
  if (Array.isArray(value)) return asParts(value);
  if (!isObject(value)) return value;
  return { ...(isObject(origin?.output) ? origin.output : {}), type: value.type, data: value.image_url };
}

/** A system message is a text, an assistant's a list of parts. */
function hostContent(content: unknown, role: unknown): unknown {
  if (role === "system" || role === "developer") {
    return Array.isArray(content) ? content.map((part) => asText(part?.text)).join("\n") : content;
  }
  if (Array.isArray(content)) return asParts(content);
  return role === "assistant" ? [{ type: "output_text", text: content }] : content;
}

function asParts(parts: unknown, type?: string): unknown {
  return Array.isArray(parts) ? parts.map((part) => toHostPart(part, type)) : parts;
}
