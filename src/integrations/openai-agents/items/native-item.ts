// One item of the SDK as the item of the Responses endpoint that it becomes: for counting, pairing and the archive. What
// is sent is the SDK's own item, or its copy with what compaction changed.
import { asArray, asText, isObject, type JsonObject, otherFields } from "../../../formats/json-shape.ts";
import { toWirePart } from "./parts.ts";
import { hostedToNative, unknownToNative } from "./provider-items.ts";
import { shellTexts } from "./shell-output.ts";

/** Where the names differ. */
const WIRE_TYPES: ReadonlyMap<unknown, string> = new Map([
  ["function_call_result", "function_call_output"],
  ["computer_call_result", "computer_call_output"],
]);
/** The SDK takes the ids of calls and outputs away when it stores them; what was stored has to be what was sent. */
const READ_APART: ReadonlySet<string> = new Set(["type", "id", "callId", "call_id", "providerData", "output"]);
const NOTHING: ReadonlySet<string> = new Set();

export function toNativeItem(item: JsonObject): JsonObject {
  const { type } = item;
  if (type === "message" || (type === undefined && item.role !== undefined)) return messageToNative(item);
  if (type === "reasoning") return reasoningToNative(item);
  if (type === "hosted_tool_call") return hostedToNative(item);
  return type === "unknown" ? unknownToNative(item) : callToNative(item);
}

/** Plain text has no other fields: so a summary that was stored and sent again is recognised. */
function messageToNative(item: JsonObject): JsonObject {
  const { id, role, status, phase, content } = item;
  return {
    type: "message",
    role,
    content: Array.isArray(content) ? content.map((part) => toWirePart(part)) : content,
    ...otherFields({ id, phase, status: status === "completed" ? undefined : status }, NOTHING),
    ...beside(item),
  };
}

function reasoningToNative(item: JsonObject): JsonObject {
  const { id, content, rawContent, providerData } = item;
  const sealed = isObject(providerData) ? (providerData.encryptedContent ?? providerData.encrypted_content) : undefined;
  return {
    type: "reasoning",
    ...(id === undefined ? {} : { id }),
    summary: asArray(content).map((part) => toWirePart(part, "summary_text")),
    ...(rawContent === undefined ? {} : { content: rawContent }),
    ...(sealed === undefined ? {} : { encrypted_content: sealed }),
  };
}

function callToNative(item: JsonObject): JsonObject {
  const type = WIRE_TYPES.get(item.type) ?? item.type;
  const { id, callId = item.call_id } = item;
  const isNumbered = callId === undefined || callId === null;
  const fields = Object.entries(item).filter(([key, value]) => value !== undefined && !READ_APART.has(key));
  return {
    type,
    ...(isNumbered ? {} : { call_id: callId }),
    ...(isNumbered && id !== undefined && !asText(type).endsWith("_output") ? { id } : {}),
    ...Object.fromEntries(fields),
    ...(type === "function_call" ? { arguments: asText(item.arguments) } : {}),
    ...(item.output === undefined ? {} : { output: outputToNative(item.type, item.output) }),
    ...beside(item),
  };
}

function outputToNative(type: unknown, output: unknown): unknown {
  if (typeof output === "string") return output;
  if (type === "shell_call_output") return shellTexts(output);
  if (Array.isArray(output)) return output.map((part) => toWirePart(part));
  if (!isObject(output)) return String(output);
  if (output.type === "computer_screenshot") return { type: output.type, image_url: output.data };
  return output.type === "text" && typeof output.text === "string" ? output.text : [toWirePart(output)];
}

function beside({ providerData }: JsonObject): JsonObject {
  const kept = isObject(providerData) ? otherFields(providerData, NOTHING) : undefined;
  return kept === undefined ? {} : { providerData: kept };
}
