// Reads OpenAI chat messages into neutral ones. The oldest function calls get an id from the function's name.
import { asArray, isFilledText, isObject, type JsonObject, otherFields } from "../../text/json-values.ts";
import type { AttachedPart } from "../attachments.ts";
import {
  type CallPart,
  type Content,
  type ContentPart,
  type ConversionFormat,
  callsOf,
  carryOver,
  isSummary,
  type Losses,
  type NeutralMessage,
  type NeutralTool,
  type RefusalPart,
  type ResultMessage,
  type Utterance,
} from "../conversion/neutral-conversation.ts";
import { readContent, unreadable } from "../conversion/read-content.ts";
import { labelError, leaveOut, plainText, textPart, writeSteps } from "../conversion/write-steps.ts";
import { readCall, readLegacyCall, resultCallId } from "./messages.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant"]);
const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_details"] as const;

/** What is carried, and what says nothing outside of this provider. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  "role",
  "content",
  "name",
  "tool_calls",
  "tool_call_id",
  "function_call",
  "refusal",
  "meta",
  ...REASONING_FIELDS,
]);

function readMessage(message: unknown, losses: Losses): NeutralMessage {
  if (!isObject(message)) return unreadable(message, losses);
  if (message.role === "tool" || message.role === "function") return readResult(message, losses);
  return ROLES.has(message.role) ? readUtterance(message, losses) : unreadable(message, losses);
}

function readResult(message: JsonObject, losses: Losses): NeutralMessage {
  const content = readContent(message.content, losses);
  return {
    kind: "result",
    callId: resultCallId(message),
    ...content,
    isError: false,
    isCustom: false,
    sources: [message],
  };
}

function readUtterance(message: JsonObject, losses: Losses): Utterance {
  for (const field of Object.keys(otherFields(message, KNOWN_FIELDS) ?? {})) losses.add("fields", field);
  if (REASONING_FIELDS.some((field) => !isNothing(message[field]))) losses.add("reasoning");
  const calls = message.role === "assistant" ? readCalls(message) : [];
  const said = readContent(message.content, losses);
  const isEmpty = calls.length > 0 && message.content === "";
  return {
    kind: "said",
    role: message.role as Utterance["role"],
    parts: [...(isEmpty ? [] : said.parts), ...readRefusal(message), ...calls],
    isPlain: said.isPlain,
    ...(isFilledText(message.name) ? { name: message.name } : {}),
    sources: [message],
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function readRefusal({ refusal }: JsonObject): readonly RefusalPart[] {
  return isFilledText(refusal) ? [{ kind: "refusal", text: refusal }] : [];
}

function readCalls(message: JsonObject): readonly CallPart[] {
  const calls = asArray(message.tool_calls).map((call) => {
    const fields = isObject(call) ? call : {};
    return { ...readCall(fields), isCustom: isObject(fields.custom) };
  });
  const legacy = readLegacyCall(message);
  return legacy === undefined ? calls : [...calls, { ...legacy, isCustom: false }];
}

// Writes a neutral conversation as OpenAI chat messages. Tool messages and assistant messages hold text alone:
// what else came with a step stands in a user message beside it.

export const chatConversion: ConversionFormat = {
  callIds: { longest: 40, hasOtherCharacters: true, mayRepeat: true },
  toolNames: { longest: 64, hasOtherCharacters: false },
  read: (messages, losses) => messages.map((message) => readMessage(message, losses)),
  write: ({ system, messages }, losses) => ({
    messages: [...writeSystem(system, losses), ...writeSteps(messages, STEPS, losses)],
  }),
  writeTool,
};

const STEPS = {
  hasTextResults: true,
  writeUtterance,
  writeResults: (results: readonly ResultMessage[], losses: Losses) =>
    results.map((result) => writeResult(result, losses)),
};

/** Here the system prompt is the first message. */
function writeSystem(system: Content | undefined, losses: Losses): readonly JsonObject[] {
  if (system === undefined) return [];
  return writeUtterance({ kind: "said", role: "system", ...system, sources: [] }, losses);
}

function writeUtterance(message: Utterance, losses: Losses): readonly JsonObject[] {
  const { role, name } = message;
  const calls = callsOf(message);
  const content = writeContent(message, losses);
  const refusal = message.parts.find(({ kind }) => kind === "refusal");
  if (content === undefined && calls.length === 0 && refusal === undefined) return [];
  const written = {
    role,
    ...(name === undefined ? {} : { name }),
    content: content ?? null,
    ...(refusal === undefined ? {} : { refusal: (refusal as { readonly text: string }).text }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(writeCall) }),
  };
  return [carryOver(message, written)];
}

/** Undefined where there is nothing to say; the provider takes no empty list. */
function writeContent(message: Utterance, losses: Losses): string | readonly JsonObject[] | undefined {
  const text = isSummary(message) ? textOf(message) : plainText(message);
  if (text !== undefined) return text;
  const parts = message.parts.flatMap((part) => writePart(part, message.role, losses));
  return parts.length === 0 ? undefined : parts;
}

function textOf({ parts: [only] }: Utterance): string | undefined {
  return only?.kind === "text" ? only.text : undefined;
}

function writePart(part: ContentPart | CallPart, role: Utterance["role"], losses: Losses): readonly JsonObject[] {
  if (part.kind === "text") return [textPart("text", part)];
  if (part.kind !== "attached" || role === "assistant") return [];
  const written = role === "user" ? writeAttached(part) : undefined;
  return [written ?? { type: "text", text: leaveOut(part, losses) }];
}

function writeAttached(part: AttachedPart): JsonObject | undefined {
  const { type, mediaType, base64, file, name, detail } = part;
  if (type === "image") {
    const url = addressOf(part);
    return url === undefined ? undefined : { type: "image_url", image_url: { url, ...(detail ? { detail } : {}) } };
  }
  if (type === "video") return undefined;
  if (type === "audio")
    return base64 === undefined ? undefined : { type: "input_audio", input_audio: { data: base64, format: mediaType } };
  if (base64 !== undefined) {
    return { type: "file", file: { filename: name ?? "document", file_data: `data:${mediaType};base64,${base64}` } };
  }
  return file?.owner === "openai" ? { type: "file", file: { file_id: file.id } } : undefined;
}

/** A data URL, or the address as it was. */
export function addressOf({ mediaType, base64, url }: AttachedPart): string | undefined {
  if (base64 !== undefined && base64 !== "") return `data:${mediaType || "image/png"};base64,${base64}`;
  return url === "" ? undefined : url;
}

function writeCall({ callId: id, name, arguments: input, isCustom }: CallPart): JsonObject {
  return isCustom
    ? { id, type: "custom", custom: { name, input } }
    : { id, type: "function", function: { name, arguments: input } };
}

function writeResult(given: ResultMessage, losses: Losses): JsonObject {
  const result = labelError(given, losses);
  const parts = result.parts.flatMap((part) => (part.kind === "attached" ? [] : [textPart("text", part)]));
  const content = plainText(result) ?? (parts.length === 0 ? "" : parts);
  return carryOver(result, { role: "tool", tool_call_id: result.callId, content });
}

function writeTool(tool: NeutralTool): JsonObject {
  const { name, description } = tool;
  const named = { name, ...(description === undefined ? {} : { description }) };
  if (tool.kind === "custom") {
    return { type: "custom", custom: { ...named, ...(tool.grammar === undefined ? {} : { format: tool.grammar }) } };
  }
  const { schema, strict } = tool;
  return {
    type: "function",
    function: {
      ...named,
      ...(schema === undefined ? {} : { parameters: schema }),
      ...(strict === true ? { strict } : {}),
    },
  };
}
