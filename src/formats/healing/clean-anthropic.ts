// Mends the blocks of one Anthropic message: empty texts, unsigned thinking, calls and results of a shape or
// in a role that the provider refuses. Signed blocks are never changed, only put first or left out whole.
import { toWellFormedValue } from "../../text/well-formed.ts";
import type { JsonObject } from "../json-shape.ts";
import { asArray, isObject, toJson } from "../json-shape.ts";
import { carryMarks, copyWith, markHostWritten } from "../protected.ts";
import { blockFault } from "../validators/anthropic-validator.ts";
import { isTextPart, readResultContent } from "../views/shared-parts.ts";
import type { Repairs } from "./notes.ts";
import { orphanNote, unreadableNote } from "./notes.ts";

/** A message of legal shape, the same object if it was one; undefined when nothing of it is worth keeping. */
export function cleanAnthropicMessage(
  message: unknown,
  index: number,
  isLast: boolean,
  repairs: Repairs,
): JsonObject | undefined {
  const wellFormed = toWellFormedValue(message);
  if (wellFormed !== message) {
    repairs.push({ index, kind: "invalid_text", action: "replaced half surrogate pairs by U+FFFD" });
    if (isObject(message) && isObject(wellFormed)) carryMarks(message, wellFormed);
  }
  if (!isObject(wellFormed) || (wellFormed.role !== "user" && wellFormed.role !== "assistant")) {
    repairs.push({ index, kind: "invalid_message", action: "kept as a note" });
    const content = [{ type: "text", text: unreadableNote(toJson(wellFormed)) }];
    return markHostWritten({ role: "user", content });
  }
  return cleanContent(wellFormed, index, isLast, repairs);
}

function cleanContent(message: JsonObject, index: number, isLast: boolean, repairs: Repairs): JsonObject | undefined {
  const { content } = message;
  const mayBeEmpty = isLast && message.role === "assistant" && (content === "" || isEmptyArray(content));
  if (mayBeEmpty || (typeof content === "string" && content.trim() !== "")) return message;
  if (isNothing(content)) return drop(index, repairs);
  if (!Array.isArray(content)) {
    repairs.push({ index, kind: "invalid_message", action: "wrote the content as text" });
    return copyWith(message, { content: toJson(content) });
  }
  const blocks = thinkingFirst(content.flatMap((block) => cleanBlock(block, message.role, index, repairs)));
  if (blocks.length === 0) return drop(index, repairs);
  if (blocks.length === content.length && blocks.every((block, at) => block === content[at])) return message;
  const isMended = repairs.at(-1)?.index === index;
  if (!isMended) repairs.push({ index, kind: "invalid_message", action: "moved the thinking to the front" });
  return copyWith(message, { content: blocks });
}

function isEmptyArray(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0;
}

function isNothing(content: unknown): boolean {
  return content === undefined || content === null || isEmptyArray(content) || typeof content === "string";
}

function drop(index: number, repairs: Repairs): undefined {
  repairs.push({ index, kind: "empty_message", action: "dropped: it had no content" });
  return undefined;
}

function cleanBlock(block: unknown, role: unknown, index: number, repairs: Repairs): readonly unknown[] {
  const fault = blockFault(block, role);
  if (fault === undefined) return [block];
  if (fault === "empty-text") {
    repairs.push({ index, kind: "empty_message", action: "left out an empty text block" });
    return [];
  }
  if (fault === "bad-thinking") {
    repairs.push({ index, kind: "invalid_message", action: "left out thinking without its signature" });
    return [];
  }
  if (fault === "orphan-result" && isObject(block)) {
    repairs.push({ index, kind: "orphan_result", callId: String(block.tool_use_id ?? ""), action: "kept as a note" });
    return [{ type: "text", text: orphanNote(readResultContent(block.content).text) }];
  }
  if (isObject(block) && block.type === "tool_result") return [cleanResult(block, index, repairs)];
  repairs.push({ index, kind: "invalid_message", action: "kept a block as a note" });
  return [{ type: "text", text: unreadableNote(toJson(block)) }];
}

/** A result keeps its id; of its content what the provider takes. */
function cleanResult(block: JsonObject, index: number, repairs: Repairs): JsonObject {
  repairs.push({ index, kind: "invalid_message", action: "left out result blocks that the provider refuses" });
  if (!Array.isArray(block.content)) return { ...block, content: readResultContent(block.content).text };
  const content = asArray(block.content).flatMap((inner) => {
    if (blockFault(inner, "user") === undefined) return [inner];
    const isEmptyText = isTextPart(inner) && inner.text.trim() === "";
    return isEmptyText ? [] : [{ type: "text", text: toJson(inner) }];
  });
  return { ...block, content };
}

function isThinking(block: unknown): boolean {
  return isObject(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

/** A message with thinking begins with it; what is moved keeps its order. */
function thinkingFirst(blocks: readonly unknown[]): readonly unknown[] {
  const start = isObject(blocks[0]) && blocks[0].type === "compaction" ? 1 : 0;
  const first = blocks.findIndex(isThinking);
  if (first <= start) return blocks;
  const end = blocks.findIndex((block, at) => at > first && !isThinking(block));
  const run = blocks.slice(first, end < 0 ? blocks.length : end);
  return [...blocks.slice(0, start), ...run, ...blocks.slice(start, first), ...(end < 0 ? [] : blocks.slice(end))];
}

/** The model continues a last assistant message, and takes no white space at its end. */
export function trimLastMessage(
  messages: readonly JsonObject[],
  index: number,
  repairs: Repairs,
): readonly JsonObject[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return messages;
  const trimmed = trimEnd(last);
  if (trimmed === last) return messages;
  repairs.push({ index, kind: "invalid_text", action: "cut white space at its end" });
  return [...messages.slice(0, -1), trimmed];
}

function trimEnd(message: JsonObject): JsonObject {
  const { content } = message;
  if (typeof content === "string") {
    return content === content.trimEnd() ? message : copyWith(message, { content: content.trimEnd() });
  }
  const blocks = asArray(content);
  const last = blocks.at(-1);
  if (!isTextPart(last) || last.text === last.text.trimEnd()) return message;
  return copyWith(message, { content: [...blocks.slice(0, -1), { ...last, text: last.text.trimEnd() }] });
}
