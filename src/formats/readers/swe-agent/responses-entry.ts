// Entries of a run that spoke with the Responses endpoint: mini-swe-agent keeps each response whole, and the outputs of
// its calls as items. As entries of the chat kind, which every other run has.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject } from "../../json-shape.ts";

/** The same entry where it is none of these. */
export function asChatEntry(entry: JsonObject): JsonObject {
  if (entry.role === undefined && Array.isArray(entry.output)) return chatAnswer(entry.output.filter(isObject));
  if (entry.type === "function_call_output") {
    return { role: "tool", tool_call_id: asText(entry.call_id), content: entry.output };
  }
  return entry;
}

function chatAnswer(items: readonly JsonObject[]): JsonObject {
  const calls = items.filter(({ type }) => type === "function_call").map(chatCall);
  return {
    role: "assistant",
    content: textsIn(items.filter(({ type }) => type === "message").map(({ content }) => content)),
    reasoning_content: textsIn(items.filter(({ type }) => type === "reasoning").map(({ summary }) => summary)),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function chatCall({ call_id: id, name, arguments: given }: JsonObject): JsonObject {
  return { id, type: "function", function: { name, arguments: given } };
}

function textsIn(contents: readonly unknown[]): string {
  const texts = contents
    .flatMap(asArray)
    .map((part) => (isObject(part) ? asText(part.text) || asText(part.refusal) : ""));
  return texts.filter(isFilledText).join("\n\n");
}
