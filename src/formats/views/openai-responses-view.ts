// Reads one OpenAI Responses item into a view. An item type nobody knows yet is opaque and counted as its JSON.
import type { MessagePart, MessageRole, MessageView } from "../format.ts";
import type { JsonObject } from "../json-shape.ts";
import { asArray, asText, isFilledText, isObject, toJson } from "../json-shape.ts";
import { isHostWritten, isProtectedMessage } from "../protected.ts";
import { imagePartFromBase64, imagePartFromUrl, isTextPart, opaquePart, readResultContent } from "./shared-parts.ts";

const MESSAGE_ROLES: ReadonlyMap<unknown, MessageRole> = new Map<unknown, MessageRole>(
  Object.entries({
    system: "system",
    developer: "developer",
    user: "user",
    assistant: "assistant",
  } as const),
);

/** True for a message item; its `type` may be left out. */
export function isMessageItem(item: JsonObject): boolean {
  return item.type === "message" || (item.type === undefined && typeof item.role === "string");
}

/** A call that waits for an output of the caller's; self-contained server calls have no `call_id`. */
export function isCallItem(item: JsonObject): boolean {
  return asText(item.type).endsWith("_call") && typeof item.call_id === "string";
}

export function isOutputItem(item: JsonObject): boolean {
  return asText(item.type).endsWith("_output");
}

/** The caller's call that an output answers, "" for one of a server tool. Outputs of the local shell name it `id`. */
export function outputCallId(item: JsonObject): string {
  // The provider runs the program itself, and may give what came of it several requests later.
  if (item.type === "program_output") return "";
  return asText(item.call_id) || (item.type === "local_shell_call_output" ? asText(item.id) : "");
}

/** Reads one item; never throws. */
export function viewResponsesItem(item: unknown): MessageView {
  const fields: JsonObject = isObject(item) ? item : {};
  const role = readRole(fields);
  return {
    role,
    parts: isObject(item) ? readParts(fields) : [opaquePart("unreadable", item)],
    isProtected: isProtectedMessage(item),
    isIrreplaceable: fields.type === "compaction",
    joinsNext: fields.type === "reasoning",
    // A compaction item stands for all that came before it, not for the step it was made in.
    joinsStep: role === "assistant" && fields.type !== "compaction",
    ...(isHostWritten(item) ? { isHostWritten: true } : {}),
  };
}

/** Who an item comes from: "assistant" for all that a model puts out, "tool" for what answers its calls. */
export function roleOfItem(item: unknown): MessageRole {
  return readRole(isObject(item) ? item : {});
}

function readRole(item: JsonObject): MessageRole {
  if (isMessageItem(item)) return MESSAGE_ROLES.get(item.role) ?? "user";
  if (isOutputItem(item) || item.type === "mcp_approval_response") return "tool";
  return item.type === undefined ? "user" : "assistant";
}

function readParts(item: JsonObject): readonly MessagePart[] {
  if (isMessageItem(item)) return readContent(item.content);
  if (item.type === "reasoning") {
    return [{ kind: "thinking", text: reasoningText(item), sealedLength: asText(item.encrypted_content).length }];
  }
  if (isCallItem(item)) return [readCall(item)];
  if (isOutputItem(item)) return [readOutput(item)];
  if (item.type === "mcp_approval_request") {
    return [{ kind: "call", callId: asText(item.id), name: asText(item.name), arguments: asText(item.arguments) }];
  }
  if (item.type === "mcp_approval_response") {
    const callId = asText(item.approval_request_id);
    return [{ kind: "result", callId, text: toJson(item), isError: false, images: 0 }];
  }
  if (item.type === "image_generation_call" && isFilledText(item.result)) {
    return [opaquePart(item.type, { ...item, result: null }), imagePartFromBase64("", item.result)];
  }
  return [opaquePart(asText(item.type), item)];
}

function readContent(content: unknown): readonly MessagePart[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) return [opaquePart("unreadable", content)];
  return content.flatMap(readContentPart);
}

function readContentPart(part: unknown): readonly MessagePart[] {
  if (!isObject(part)) return [opaquePart("unreadable", part)];
  if (part.type === "input_image" && part.file_id === undefined) return [imagePartFromUrl(part.image_url)];
  if (part.type === "input_image") return [imagePartFromUrl("")];
  if (!isTextPart(part)) return [opaquePart(asText(part.type), part)];
  const annotations = asArray((part as JsonObject).annotations);
  const text: MessagePart = { kind: "text", text: part.text };
  return annotations.length === 0 ? [text] : [text, opaquePart("annotations", annotations)];
}

function reasoningText(item: JsonObject): string {
  const texts = [...asArray(item.summary), ...asArray(item.content)].map((part) =>
    isObject(part) ? asText(part.text) : "",
  );
  return texts.filter(isFilledText).join("\n");
}

function readCall(item: JsonObject): MessagePart {
  const given = item.arguments ?? item.input ?? item.action ?? item.operation ?? "";
  return {
    kind: "call",
    callId: asText(item.call_id),
    name: asText(item.name) || asText(item.type),
    arguments: typeof given === "string" ? given : toJson(given),
  };
}

function readOutput(item: JsonObject): MessagePart {
  const isError = item.status === "incomplete" || item.status === "failed";
  return {
    kind: "result",
    callId: outputCallId(item),
    isError,
    ...readResultContent(item.output ?? item.tools ?? item.result),
  };
}
