// Reads Anthropic messages into neutral ones: the results of a user message become messages of their own before it.
import { asArray, asText, isFilledText, isObject, type JsonObject } from "../../text/json-values.ts";
import { parseJson } from "../../text/parse-json.ts";
import { type AttachedPart, IMAGE_TYPES, signatureOf } from "../attachments.ts";
import {
  type CallPart,
  type Content,
  type ContentPart,
  type ConversionFormat,
  callsOf,
  carryOver,
  documentLabel,
  isSummary,
  type Losses,
  type NeutralMessage,
  type NeutralTool,
  READABLE_HISTORY,
  type ResultMessage,
  SEALED_HISTORY,
  SYSTEM_LABEL,
  type Utterance,
} from "../conversion/neutral-conversation.ts";
import { readContent, readPart, unreadable } from "../conversion/read-content.ts";
import { labelSpeaker, leaveOut, plainText, textPart, writeSteps } from "../conversion/write-steps.ts";
import { markHostWritten } from "../message-marks.ts";
import { GAP_TEXTS, isFiller } from "../place.ts";
import { anthropicMessage, anthropicOpener, isEmptyResult, isResult, readCall, SILENT_ERROR } from "./messages.ts";
import { trimLastMessage } from "./repair.ts";

function readMessage(message: unknown, losses: Losses): readonly NeutralMessage[] {
  if (!isObject(message)) return [unreadable(message, losses)];
  if (message.role === "assistant") return [readAssistant(message, losses)];
  if (message.role === "user" || message.role === "system") return readUser(message, message.role, losses);
  return [unreadable(message, losses)];
}

function readUser(message: JsonObject, role: "user" | "system", losses: Losses): readonly NeutralMessage[] {
  const blocks = asArray(message.content);
  const results = blocks.filter(isResult).map((block) => readResult(block, message, losses));
  const content = Array.isArray(message.content) ? blocks.filter((block) => !isResult(block)) : message.content;
  const said = readContent(content, losses);
  if (results.length > 0 && said.parts.length === 0) return results;
  const isHostWritten = isFiller(message) ? { isHostWritten: true } : {};
  return [...results, { kind: "said", role, ...said, ...isHostWritten, sources: [message] }];
}

function readResult(block: JsonObject, message: JsonObject, losses: Losses): ResultMessage {
  return {
    kind: "result",
    callId: asText(block.tool_use_id),
    ...readContent(block.content, losses),
    isError: block.is_error === true,
    isCustom: false,
    sources: [message],
  };
}

function readAssistant(message: JsonObject, losses: Losses): NeutralMessage {
  const isList = Array.isArray(message.content);
  const parts = isList
    ? asArray(message.content).flatMap((block) => readBlock(block, losses))
    : readContent(message.content, losses).parts;
  const texts = parts.filter(({ kind }) => kind !== "call");
  const mustStay = asArray(message.content).some((block) => isObject(block) && block.type === "compaction");
  return {
    kind: "said",
    role: "assistant",
    parts,
    // Beside calls a text has to be a block here, and is mostly a string elsewhere.
    isPlain: !isList || (texts.length === 1 && parts.length > 1),
    ...(mustStay ? { mustStay } : {}),
    sources: [message],
  };
}

function readBlock(block: unknown, losses: Losses): readonly (ContentPart | CallPart)[] {
  if (!isObject(block)) return readPart(block, losses);
  switch (block.type) {
    case "thinking":
    case "redacted_thinking":
      losses.add("reasoning");
      return [];
    case "tool_use":
      return [{ ...readCall(block), isCustom: false }];
    case "compaction":
      return [readCompaction(block, losses)];
    default:
      return readPart(block, losses);
  }
}

function readCompaction({ content }: JsonObject, losses: Losses): ContentPart {
  if (isFilledText(content)) return { kind: "text", text: `${READABLE_HISTORY}\n${content}`, isHostWritten: true };
  losses.add("sealed_history");
  return { kind: "text", text: SEALED_HISTORY, isHostWritten: true };
}

// Writes a neutral conversation as Anthropic messages: what the host said first is `system`, the results of a step
// are one user message, arguments are objects, and no text is blank.

export const anthropicConversion: ConversionFormat = {
  callIds: { longest: Number.POSITIVE_INFINITY, hasOtherCharacters: false, mayRepeat: false },
  toolNames: { longest: 128, hasOtherCharacters: false },
  read: (messages, losses) => messages.flatMap((message) => readMessage(message, losses)),
  write: ({ system, messages }, losses) => {
    const opening = countOpening(messages);
    const steps = { hasTextResults: false, writeUtterance, writeResults };
    const written = writeSteps(messages.slice(opening), steps, losses);
    return {
      messages: openWithUser(trimLastMessage(written, 0, [])),
      ...writeSystem(system, messages.slice(0, opening), losses),
    };
  },
  writeTool,
};

/** The host's messages before anybody else's; the last message of all stays, since a list may not be empty. */
function countOpening(messages: readonly NeutralMessage[]): number {
  const end = messages.findIndex((message) => !isHosts(message));
  return end < 0 ? Math.max(0, messages.length - 1) : end;
}

function isHosts(message: NeutralMessage): boolean {
  return message.kind === "said" && (message.role === "system" || message.role === "developer");
}

function writeSystem(
  system: Content | undefined,
  opening: readonly NeutralMessage[],
  losses: Losses,
): { readonly system?: unknown } {
  const said = opening.flatMap((message) => (message.kind === "said" ? [labelSpeaker(message, losses)] : []));
  const contents = [...(system === undefined ? [] : [system]), ...said];
  const texts = contents.flatMap(({ parts }) => parts).flatMap((part) => writePart(part, losses));
  const blocks = texts.filter(({ type }) => type === "text");
  const [only] = blocks;
  if (only === undefined) return {};
  return { system: blocks.length === 1 && contents.every(({ isPlain }) => isPlain) ? only.text : blocks };
}

/** Nothing but a user's message may open the list. */
function openWithUser(messages: readonly JsonObject[]): readonly JsonObject[] {
  if (messages.length === 0) return [markHostWritten(anthropicMessage("user", GAP_TEXTS.user))];
  return messages[0]?.role === "assistant" ? [anthropicOpener(), ...messages] : messages;
}

function writeUtterance(given: Utterance, losses: Losses): readonly JsonObject[] {
  const message = isHosts(given) ? asUserText(given, losses) : labelSpeaker(given, losses);
  const role = message.role === "assistant" ? "assistant" : "user";
  const text = isSummary(message) || callsOf(message).length > 0 ? undefined : plainText(message);
  const blocks = message.parts
    .filter((part) => role === "user" || part.kind !== "attached")
    .flatMap((part) => writePart(part, losses));
  if (blocks.length === 0) return [];
  return [carryOver(message, { role, content: text ?? blocks })];
}

/** What the host said in the middle has no place of its own here. */
function asUserText(message: Utterance, losses: Losses): Utterance {
  losses.add("later_system");
  const said = labelSpeaker(message, losses).parts;
  const texts = said.flatMap((part) => (part.kind === "text" || part.kind === "refusal" ? [part.text] : []));
  const text = [SYSTEM_LABEL, ...texts].join("\n");
  return { ...message, role: "user", isPlain: true, isHostWritten: true, parts: [{ kind: "text", text }] };
}

function writePart(part: ContentPart | CallPart, losses: Losses): readonly JsonObject[] {
  if (part.kind === "call") return [writeCall(part, losses)];
  if (part.kind === "attached") return [writeAnthropicAttached(part, losses)];
  return part.text.trim() === "" ? [] : [textPart("text", part)];
}

function writeCall({ callId: id, name, arguments: input, isCustom }: CallPart, losses: Losses): JsonObject {
  if (!isCustom) return { type: "tool_use", id, name, input: readArguments(input, losses) };
  losses.add("custom_calls");
  return { type: "tool_use", id, name, input: { input } };
}

function readArguments(json: string, losses: Losses): JsonObject {
  if (json.trim() === "") return {};
  try {
    const value: unknown = parseJson(json);
    if (isObject(value)) return value;
  } catch {
    // Cut off, or never JSON: kept as the text it is.
  }
  losses.add("broken_arguments");
  return { arguments: json };
}

function writeResults(results: readonly ResultMessage[], losses: Losses): readonly JsonObject[] {
  if (results.length === 0) return [];
  const content = results.map((result) => writeResult(result, losses));
  return [results.reduce<JsonObject>((message, result) => carryOver(result, message), { role: "user", content })];
}

function writeResult(result: ResultMessage, losses: Losses): JsonObject {
  const blocks = result.parts.flatMap((part) => writePart(part, losses));
  const content = plainText(result) ?? (blocks.length === 0 ? "" : blocks);
  const block = { type: "tool_result", tool_use_id: result.callId };
  if (!result.isError) return { ...block, content };
  return { ...block, content: isEmptyResult(content) ? SILENT_ERROR : content, is_error: true };
}

function writeTool(tool: NeutralTool, losses: Losses): JsonObject {
  const { name, description } = tool;
  const named = { name, ...(description === undefined ? {} : { description }) };
  if (tool.kind === "function") {
    const schema = isObject(tool.schema) ? tool.schema : { properties: {} };
    return { ...named, input_schema: schema.type === undefined ? { type: "object", ...schema } : schema };
  }
  losses.add("custom_tools", name);
  if (tool.grammar !== undefined) losses.add("grammars", name);
  const properties = { input: { type: "string" } };
  return { ...named, input_schema: { type: "object", properties, required: ["input"] } };
}

// Writes an attachment as Anthropic takes it: images of four kinds, PDF documents, and texts. What it cannot take
// leaves a note in its place.

const PDF = "application/pdf";

function writeAnthropicAttached(part: AttachedPart, losses: Losses): JsonObject {
  const { type, name } = part;
  const source = type === "audio" || type === "video" ? undefined : sourceOf(part);
  if (source !== undefined && type === "image") return { type, source };
  if (source !== undefined) return { type: "document", source, ...(name === undefined ? {} : { title: name }) };
  const text = readText(part);
  return { type: "text", text: text === undefined ? leaveOut(part, losses) : `${documentLabel(name)}\n${text}` };
}

function sourceOf({ type, mediaType, base64, url, file }: AttachedPart): JsonObject | undefined {
  if (base64 !== undefined && base64 !== "") {
    const known = (type === "image" ? IMAGE_TYPES.has(mediaType) : mediaType === PDF) ? mediaType : sniff(base64);
    const isTaken = type === "image" ? IMAGE_TYPES.has(known) : known === PDF;
    return isTaken ? { type: "base64", media_type: known, data: base64 } : undefined;
  }
  if (url !== undefined && /^https?:/i.test(url)) return { type: "url", url };
  return file?.owner === "anthropic" ? { type: "file", file_id: file.id } : undefined;
}

function sniff(base64: string): string {
  const signature = signatureOf(base64);
  return signature === "pdf" ? PDF : `image/${signature}`;
}

/** The text of a document that is one. */
function readText({ type, mediaType, base64 }: AttachedPart): string | undefined {
  if (type !== "document" || base64 === undefined || !isTextual(mediaType)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.trim() === "" ? undefined : text;
  } catch {
    return undefined;
  }
}

function isTextual(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}
