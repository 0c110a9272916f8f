// Mends the shape of one OpenAI chat message: roles, content and calls that the provider refuses. Knows
// nothing of pairs.
import { toWellFormedValue } from "../../text/well-formed.ts";
import type { JsonObject } from "../json-shape.ts";
import { isFilledText, isObject, toJson } from "../json-shape.ts";
import { carryMarks, copyWith, markHostWritten } from "../protected.ts";
import { isContentPart, isToolCall, mayLackContent } from "../validators/openai-chat-validator.ts";
import type { Repairs } from "./notes.ts";
import { unreadableNote } from "./notes.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool"]);

/** A message of legal shape, the same object if it was one; undefined when nothing of it is worth keeping. */
export function cleanChatMessage(message: unknown, index: number, repairs: Repairs): JsonObject | undefined {
  const wellFormed = toWellFormedValue(message);
  if (wellFormed !== message) {
    repairs.push({ index, kind: "invalid_text", action: "replaced half surrogate pairs by U+FFFD" });
    if (isObject(message) && isObject(wellFormed)) carryMarks(message, wellFormed);
  }
  if (!isObject(wellFormed) || !(ROLES.has(wellFormed.role) || isLegacyResult(wellFormed))) {
    repairs.push({ index, kind: "invalid_message", action: "kept as a note" });
    return markHostWritten({ role: "user", content: unreadableNote(toJson(wellFormed)) });
  }
  return cleanContent(cleanCalls(wellFormed, index, repairs), index, repairs);
}

/** A message of the oldest function interface; without a name it can answer nothing. */
function isLegacyResult(message: JsonObject): boolean {
  return message.role === "function" && isFilledText(message.name);
}

function cleanCalls(message: JsonObject, index: number, repairs: Repairs): JsonObject {
  const { tool_calls: calls } = message;
  if (message.role !== "assistant" || calls === undefined || calls === null) return message;
  const whole = Array.isArray(calls) ? calls.filter(isToolCall) : [];
  if (whole.length > 0 && whole.length === (calls as unknown[]).length) return message;
  repairs.push({ index, kind: "invalid_message", action: "left out calls without an id, a name or arguments" });
  if (whole.length > 0) return copyWith(message, { tool_calls: whole });
  const { tool_calls: _, ...rest } = message;
  return carryMarks(message, rest);
}

function cleanContent(message: JsonObject, index: number, repairs: Repairs): JsonObject | undefined {
  const { content } = message;
  if (typeof content === "string") return message;
  if (content === undefined || content === null)
    return mayLackContent(message) ? message : fill(message, index, repairs);
  if (!Array.isArray(content)) {
    repairs.push({ index, kind: "invalid_message", action: "wrote the content as text" });
    return copyWith(message, { content: toJson(content) });
  }
  const whole = content.filter(isContentPart);
  if (whole.length === 0) return fill(message, index, repairs);
  if (whole.length === content.length) return message;
  repairs.push({ index, kind: "invalid_message", action: "left out content parts without a type or text" });
  return copyWith(message, { content: whole });
}

/** A result must stay, for its call's sake; a step with calls too; any other empty message goes. */
function fill(message: JsonObject, index: number, repairs: Repairs): JsonObject | undefined {
  const isResult = message.role === "tool" || message.role === "function";
  if (!isResult && !mayLackContent(message)) {
    repairs.push({ index, kind: "empty_message", action: "dropped: it had no content" });
    return undefined;
  }
  repairs.push({ index, kind: "empty_message", action: "gave it an empty text" });
  return copyWith(message, { content: "" });
}
