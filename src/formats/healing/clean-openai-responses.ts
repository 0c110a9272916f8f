// Mends the shape of one Responses item: messages, calls and outputs that the provider refuses. Knows nothing
// of pairs.
import { toWellFormedValue } from "../../text/well-formed.ts";
import type { JsonObject } from "../json-shape.ts";
import { isFilledText, isObject, toJson } from "../json-shape.ts";
import { carryMarks, copyWith, markHostWritten } from "../protected.ts";
import { isContentPart, itemFault } from "../validators/openai-responses-validator.ts";
import { isMessageItem, isOutputItem } from "../views/openai-responses-view.ts";
import type { Repairs } from "./notes.ts";
import { unreadableNote } from "./notes.ts";

/** An item of legal shape, the same object if it was one; undefined when nothing of it is worth keeping. */
export function cleanResponsesItem(item: unknown, index: number, repairs: Repairs): JsonObject | undefined {
  const wellFormed = toWellFormedValue(item);
  if (wellFormed !== item) {
    repairs.push({ index, kind: "invalid_text", action: "replaced half surrogate pairs by U+FFFD" });
    if (isObject(item) && isObject(wellFormed)) carryMarks(item, wellFormed);
  }
  const fault = itemFault(wellFormed);
  if (fault === undefined && isObject(wellFormed)) return wellFormed;
  if (isObject(wellFormed) && isMessageItem(wellFormed) && fault !== "unknown-role") {
    return cleanMessage(wellFormed, index, repairs);
  }
  if (isObject(wellFormed) && isOutputItem(wellFormed)) return cleanOutput(wellFormed, index, repairs);
  if (isObject(wellFormed) && wellFormed.type === "reasoning") {
    repairs.push({ index, kind: "invalid_message", action: "gave the reasoning an empty summary" });
    return copyWith(wellFormed, { summary: [] });
  }
  repairs.push({ index, kind: "invalid_message", action: "kept as a note" });
  const content = [{ type: "input_text", text: unreadableNote(toJson(wellFormed)) }];
  return markHostWritten({ type: "message", role: "user", content });
}

function cleanMessage(item: JsonObject, index: number, repairs: Repairs): JsonObject | undefined {
  const { content } = item;
  const isNothing = content === undefined || content === null;
  const whole = Array.isArray(content) ? content.filter(isContentPart) : [];
  if (isNothing || (Array.isArray(content) && whole.length === 0)) {
    repairs.push({ index, kind: "empty_message", action: "dropped: it had no content" });
    return undefined;
  }
  repairs.push({ index, kind: "invalid_message", action: "left out what is no content part, or wrote it as text" });
  return copyWith(item, { content: whole.length > 0 ? whole : toJson(content) });
}

/** An output without a call id stays as it is: it is an orphan, and pairing makes a note of it. */
function cleanOutput(item: JsonObject, index: number, repairs: Repairs): JsonObject {
  const { output } = item;
  if (!isFilledText(item.call_id) && (typeof output === "string" || Array.isArray(output))) return item;
  const isNothing = output === undefined || output === null;
  repairs.push({
    index,
    kind: "empty_message",
    action: isNothing ? "gave it an empty text" : "wrote the output as text",
  });
  if (typeof output === "string" || Array.isArray(output)) return item;
  return copyWith(item, { output: isNothing ? "" : toJson(output) });
}
