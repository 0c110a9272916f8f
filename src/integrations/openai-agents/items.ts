// The SDK's items as a host's: read as items of the Responses endpoint, whichever model they go to.
import type { AgentInputItem } from "@openai/agents";
import { toBase64 } from "../../providers/attachments.ts";
import { asArray, asText, isObject, type JsonObject, otherFields, toJson } from "../../text/json-values.ts";
import type { Translation } from "../adapter/translation.ts";

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

// One item of the SDK as the item of the Responses endpoint that it becomes: for counting, pairing and the archive. What
// is sent is the SDK's own item, or its copy with what compaction changed.

/** Where the names differ. */
const WIRE_TYPES = new Map<unknown, string>([
  ["function_call_result", "function_call_output"],
  ["computer_call_result", "computer_call_output"],
]);
/** The SDK takes the ids of calls and outputs away when it stores them; what was stored has to be what was sent. */
const READ_APART: ReadonlySet<string> = new Set(["type", "id", "callId", "call_id", "providerData", "output"]);
const NOTHING: ReadonlySet<string> = new Set();

function toNativeItem(item: JsonObject): JsonObject {
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

// A native item that compaction made or changed, as one of the SDK's: the item it was made from with what differs, or a
// new one; a result has to name its tool there.

function toHostItem(native: JsonObject, origin: JsonObject | undefined, toolName?: string): JsonObject {
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
  if (isReasoning && key === "encrypted_content") host.providerData = withProviderData(host, key, value);
  else if (value === undefined) delete host[name];
  else host[name] = hostValue(key, native, origin);
  // What a provider's own tool did has its id twice.
  if (key === "id" && value === undefined && isObject(host.providerData))
    host.providerData = withProviderData(host, key);
}

function withProviderData({ providerData }: JsonObject, key: string, value?: unknown): JsonObject {
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

// What the SDK calls the items and fields of the Responses endpoint.

const RENAMED_TYPES = new Map([...WIRE_TYPES].map(([host, wire]) => [wire, asText(host)]));
/** Whose names are the same; any other item is one that the SDK has no name for. */
const SAME_TYPES: ReadonlySet<string> = new Set([
  ...["message", "reasoning", "compaction", "function_call", "computer_call", "shell_call", "shell_call_output"],
  ...["apply_patch_call", "apply_patch_call_output", "tool_search_call", "tool_search_output"],
  ...["program", "program_output"],
]);
const HOST_NAMES: ReadonlyMap<string, string> = new Map([
  ["call_id", "callId"],
  ["result", "output"],
  ["summary", "content"],
]);

/** Undefined for an item that the SDK has no name for. */
function hostTypeOf({ type, role }: JsonObject): string | undefined {
  const named = asText(type) || (role === undefined ? "" : "message");
  return RENAMED_TYPES.get(named) ?? (SAME_TYPES.has(named) ? named : undefined);
}

function hostNameOf(field: string): string {
  return HOST_NAMES.get(field) ?? field;
}

// Content parts: the SDK's as the Responses endpoint names them, and back. A part that compaction left alone comes back
// as the SDK's own, whatever else it carried.

/** Survives the copies that compaction makes of a part; JSON does not show it. */
const HOST_PART = Symbol("host part");

type Rename = readonly [host: string, wire: string];
const RENAMED: ReadonlyMap<unknown, Rename> = new Map<unknown, Rename>([
  ["input_image", ["image", "image_url"]],
  ["input_file", ["file", "file_data"]],
  ["audio", ["audio", "data"]],
]);
/** `text`, `image`, `file`: what tools of older versions gave back. */
const OLDER_TYPES: ReadonlySet<unknown> = new Set(["text", "image", "file"]);

/** `type`: the wire's name for it where that hangs on the place. */
function toWirePart(part: unknown, type?: string): unknown {
  if (!isObject(part)) return part;
  const { providerData, ...fields } = part;
  const wire = wireFields({ ...fields, type: type ?? (OLDER_TYPES.has(part.type) ? `input_${part.type}` : part.type) });
  const beside = isObject(providerData) ? otherFields(providerData, new Set(Object.keys(wire))) : undefined;
  return { ...wire, ...beside, [HOST_PART]: part };
}

function toHostPart(part: unknown, type?: string): unknown {
  if (!isObject(part)) return part;
  const host = (part as { readonly [HOST_PART]?: JsonObject })[HOST_PART];
  if (host !== undefined) return host.text === part.text ? host : { ...host, text: part.text };
  const [to, from] = RENAMED.get(part.type) ?? ["", ""];
  const { [from]: value, file_id: id, file_url: url, ...rest } = part;
  const source = value ?? (id === undefined ? url && { url } : { id });
  return { ...otherFields(rest, NOTHING), type: type ?? part.type, ...(source === undefined ? {} : { [to]: source }) };
}

/** A picture or file is given by its content, its address or its id. */
function wireFields(part: JsonObject): JsonObject {
  const [from, to] = RENAMED.get(part.type) ?? ["", ""];
  const { [from]: value, ...rest } = part;
  if (!isObject(value)) return value === undefined ? rest : { ...rest, [to]: value };
  const { id = value.fileId, url, data, mediaType, filename } = value;
  const named = filename === undefined ? rest : { ...rest, filename };
  if (id !== undefined) return { ...named, file_id: id };
  if (url !== undefined) return { ...named, [to === "image_url" ? to : "file_url"]: url };
  return {
    ...named,
    [to]: `data:${asText(mediaType)};base64,${data instanceof Uint8Array ? toBase64(data) : asText(data)}`,
  };
}

// Items whose shape is the provider's: tools that it runs itself, and what the SDK has no name for.

/** A tool that the provider runs. A picture that it made stands in `output`. */
function hostedToNative(item: JsonObject): JsonObject {
  const { name, output, arguments: given, providerData, status } = item;
  const kept = isObject(providerData) ? providerData : {};
  const type = asText(kept.type) || asText(name);
  const made = type === "image_generation_call" ? { result: output } : { output };
  const { id = item.id } = kept;
  return {
    ...otherFields({ status, arguments: given, ...made }, NOTHING),
    ...kept,
    type,
    ...(id === undefined ? {} : { id }),
  };
}

/** The provider's own item, in its own form; for chat completions a message. */
function unknownToNative({ id, providerData }: JsonObject): JsonObject {
  const kept = isObject(providerData) ? providerData : {};
  const isNamed = kept.type !== undefined || kept.role !== undefined;
  return { ...(isNamed ? {} : { type: "unknown" }), ...kept, ...(id === undefined ? {} : { id }) };
}

function unknownToHost(native: JsonObject, origin: JsonObject | undefined): JsonObject {
  const { id, ...providerData } = native;
  const { id: _given, ...rest } = origin ?? {};
  return { ...rest, type: "unknown", ...(id === undefined ? {} : { id }), providerData };
}

// What a shell call gave back, as text parts that compaction may shorten, and back into the SDK's form.

const PARTS_EACH = 3;

/** Two texts and how it ended, for each command. */
function shellTexts(output: unknown): readonly JsonObject[] {
  return asArray(output).flatMap((entry) => {
    const { stdout, stderr, outcome } = isObject(entry) ? entry : {};
    return [textPart(stdout), textPart(stderr), { type: "outcome", outcome }];
  });
}

/** `before` is the output that the texts were made from; without it all of them are what one command wrote. */
function shellOutput(content: unknown, before: unknown): readonly JsonObject[] {
  const texts = asArray(content).map((part) => (isObject(part) ? asText(part.text) : ""));
  const entries = asArray(before);
  if (texts.length === 0 || texts.length !== entries.length * PARTS_EACH) {
    const stdout = typeof content === "string" ? content : texts.join("\n");
    return [{ stdout, stderr: "", outcome: { type: "exit", exitCode: 0 } }];
  }
  return entries.map((entry, at) => {
    const [stdout = "", stderr = ""] = texts.slice(at * PARTS_EACH);
    return { ...(isObject(entry) ? entry : {}), stdout, stderr };
  });
}

function textPart(text: unknown): JsonObject {
  return { type: "input_text", text: asText(text) };
}
