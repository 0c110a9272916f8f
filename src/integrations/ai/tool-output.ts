// The outputs of tools: each kind as the content of a chat result, and what compaction made of that content as an output
// of the same kind, or of the nearest kind that can hold it.

import { MISSING_RESULT } from "../../formats/healing/notes.ts";
import { asArray, asText, isObject, type JsonObject, toJson } from "../../formats/json-shape.ts";
import { nativePart } from "./attachment-parts.ts";

export function nativeOutput(output: unknown): string | readonly JsonObject[] {
  if (!isObject(output)) return typeof output === "string" ? output : toJson(output);
  const { type, value, reason } = output;
  if (type === "text" || type === "error-text") return typeof value === "string" ? value : toJson(value);
  if (type === "execution-denied") return typeof reason === "string" ? reason : "";
  if (type !== "content" || !Array.isArray(value)) return toJson(value);
  // An empty list of parts is no content for the chat format.
  return value.length === 0 ? "" : value.map((part) => nativePart(isObject(part) ? part : { value: part }));
}

/** The chat format has no place for it: said in a field of its own. */
export function nativeFailure(output: unknown): JsonObject {
  const type = isObject(output) ? asText(output.type) : "";
  return type.startsWith("error") || type === "execution-denied" ? { is_error: true } : {};
}

/** `before`: the host's own output; undefined for a result that healing added, which says that there is none. */
export function hostOutput(content: unknown, before: unknown): JsonObject {
  const output: JsonObject = isObject(before) ? before : { type: content === MISSING_RESULT ? "error-text" : "text" };
  if (toJson(content) === toJson(nativeOutput(output)) && isObject(before)) return before;
  if (Array.isArray(content)) return { ...output, type: "content", value: hostParts(content, asArray(output.value)) };
  const text = typeof content === "string" ? content : toJson(content);
  if (output.type === "execution-denied") return { ...output, reason: text };
  // Shortened JSON is JSON no more.
  return { ...output, type: asText(output.type).startsWith("error") ? "error-text" : "text", value: text };
}

/** Parts that stay are the host's own; an attachment that gave way is a text. */
export function hostParts(natives: readonly unknown[], before: readonly unknown[]): readonly unknown[] {
  return natives.map((native, at) => {
    const part = before[at];
    if (!isObject(native) || native.type !== "text") return part ?? native;
    if (!isObject(part)) return native;
    if (part.type === "text") return part.text === native.text ? part : { ...part, text: native.text };
    return {
      type: "text",
      text: native.text,
      ...(part.providerOptions ? { providerOptions: part.providerOptions } : {}),
    };
  });
}
