// Reads one Anthropic message into a view. A user message that holds nothing but tool results has the role
// "tool" here: no person said anything in it. Blocks nobody knows yet, server tools included, are opaque.
import { isAnthropicFiller } from "../anthropic-filler.ts";
import type { MessagePart, MessageRole, MessageView } from "../format.ts";
import type { JsonObject } from "../json-shape.ts";
import { asArray, asText, isObject, toJson } from "../json-shape.ts";
import { isHostWritten, isProtectedMessage } from "../protected.ts";
import { imagePartFromBase64, imagePartFromUrl, opaquePart, readResultContent } from "./shared-parts.ts";

/** Reads one message; never throws. */
export function viewAnthropicMessage(message: unknown): MessageView {
  const fields: JsonObject = isObject(message) ? message : {};
  const parts = isObject(message) ? readContent(fields.content) : [opaquePart("unreadable", message)];
  return {
    role: readRole(fields, parts),
    parts,
    isProtected: isProtectedMessage(message),
    isIrreplaceable: asArray(fields.content).some((block) => isObject(block) && block.type === "compaction"),
    joinsNext: false,
    ...(isHostWritten(message) || isAnthropicFiller(message) ? { isHostWritten: true } : {}),
  };
}

function readRole(message: JsonObject, parts: readonly MessagePart[]): MessageRole {
  if (message.role === "assistant" || message.role === "system") return message.role;
  return parts.length > 0 && parts.every((part) => part.kind === "result") ? "tool" : "user";
}

function readContent(content: unknown): readonly MessagePart[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) return [opaquePart("unreadable", content)];
  return content.flatMap(readBlock);
}

function readBlock(block: unknown): readonly MessagePart[] {
  if (!isObject(block)) return [opaquePart("unreadable", block)];
  switch (block.type) {
    case "text":
      return readText(block);
    case "thinking":
      return [{ kind: "thinking", text: asText(block.thinking), sealedLength: asText(block.signature).length }];
    case "redacted_thinking":
      return [{ kind: "thinking", text: "", sealedLength: asText(block.data).length }];
    case "tool_use":
      return [readCall(block)];
    case "tool_result":
      return [readResult(block)];
    case "image":
      return [readImage(block)];
    case "document":
    case "search_result":
      return [{ ...opaquePart(block.type, block), ...handedOver(block) }];
    default:
      return [opaquePart(asText(block.type), block)];
  }
}

function readText(block: JsonObject): readonly MessagePart[] {
  const citations = asArray(block.citations);
  const text: MessagePart = {
    kind: "text",
    text: asText(block.text),
    ...(isHostWritten(block) ? { isHostWritten: true } : {}),
  };
  return citations.length === 0 ? [text] : [text, opaquePart("citations", citations)];
}

function readCall(block: JsonObject): MessagePart {
  return {
    kind: "call",
    callId: asText(block.id),
    name: asText(block.name),
    arguments: toJson(block.input ?? {}),
  };
}

function readResult(block: JsonObject): MessagePart {
  const isError = block.is_error === true;
  return { kind: "result", callId: asText(block.tool_use_id), isError, ...readResultContent(block.content) };
}

function readImage(block: JsonObject): MessagePart {
  const source = isObject(block.source) ? block.source : {};
  if (source.type === "base64") return imagePartFromBase64(asText(source.media_type), asText(source.data));
  return imagePartFromUrl(source.url);
}

/** What a document or a found passage says where it came as text, under its title. */
function handedOver({ type, title, source, content }: JsonObject): { readonly words?: string } {
  const given: JsonObject = isObject(source) ? source : { type: "content", content };
  const { text } = readResultContent(wordsIn(given));
  const name = [asText(type), asText(title)].filter(Boolean).join(": ");
  return text === "" ? {} : { words: `[${name}]\n${text}` };
}

function wordsIn({ type, data, content }: JsonObject): unknown {
  if (type === "text") return data;
  return type === "content" ? content : undefined;
}
