// Parts of `ai` from parts and calls of the chat format, for a message whose origin nobody knows.
import { asText, isObject, type JsonObject } from "../../formats/json-shape.ts";
import { APPROVAL } from "./to-native.ts";

export function partFromNative(native: JsonObject): JsonObject {
  if (isObject(native.function)) return callFrom(native, native.function);
  if (native.type !== "image_url" || !isObject(native.image_url)) return native;
  const url = asText(native.image_url.url);
  const [, mediaType = "image/*"] = /^data:([^;,]{1,100})/.exec(url) ?? [];
  const isInline = url.startsWith("data:");
  return { type: "file", mediaType, data: isInline ? url.slice(url.indexOf(",") + 1) : new URL(url) };
}

function callFrom({ id }: JsonObject, { name, arguments: given }: JsonObject): JsonObject {
  const input = parse(asText(given));
  return name === APPROVAL
    ? { type: "tool-approval-request", approvalId: id, ...(isObject(input) ? { toolCallId: input.toolCallId } : {}) }
    : { type: "tool-call", toolCallId: id, toolName: name, input };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
