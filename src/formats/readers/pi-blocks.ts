// The content of a pi message as Anthropic blocks. Reasoning stays only where Anthropic signed it; empty texts, which
// the provider would refuse, go.
import type { JsonObject } from "../json-shape.ts";
import { asArray, asText, isFilledText, isObject } from "../json-shape.ts";
import { markHostWritten } from "../protected.ts";
import { plainToolName } from "./parts/anthropic-blocks.ts";

/** Interfaces whose reasoning Anthropic messages can carry. */
const SIGNING_APIS: ReadonlySet<string> = new Set(["anthropic-messages", "bedrock-converse-stream"]);

/** What was typed and what was attached to it. */
export function userBlocks(message: JsonObject): readonly JsonObject[] {
  return [...textAndImages(message.content), ...asArray(message.attachments).flatMap(attachmentBlocks)];
}

/** Texts and images; a content that is a string is one text. */
export function textAndImages(content: unknown): readonly JsonObject[] {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content);
  return parts.flatMap((part) => {
    if (!isObject(part)) return [];
    if (part.type === "text") return textBlocks(part.text);
    return part.type === "image" ? imageBlocks(part.data, part.mimeType) : [];
  });
}

export function textBlocks(text: unknown): readonly JsonObject[] {
  return asText(text).trim() === "" ? [] : [{ type: "text", text }];
}

/** The blocks of an answer, and how many passages of reasoning had to be left out. */
export function answerBlocks({ content, api, provider }: JsonObject): {
  readonly blocks: readonly JsonObject[];
  readonly unsigned: number;
} {
  // Early files name the provider only.
  const isSigned = SIGNING_APIS.has(asText(api)) || (!isFilledText(api) && provider === "anthropic");
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content).filter(isObject);
  const isLeftOut = (part: JsonObject) =>
    part.type === "thinking" && !(isSigned && isFilledText(part.thinkingSignature));
  return {
    blocks: parts.filter((part) => !isLeftOut(part)).flatMap(answerBlock),
    unsigned: parts.filter((part) => isLeftOut(part) && asText(part.thinking).trim() !== "").length,
  };
}

function answerBlock(part: JsonObject): readonly JsonObject[] {
  switch (part.type) {
    case "text":
      return textBlocks(part.text);
    case "thinking":
      return part.redacted === true
        ? [{ type: "redacted_thinking", data: part.thinkingSignature }]
        : [{ type: "thinking", thinking: asText(part.thinking), signature: part.thinkingSignature }];
    case "toolCall":
      return [
        {
          type: "tool_use",
          id: callId(part.id),
          name: plainToolName(part.name) || "unnamed",
          input: inputOf(part.arguments),
        },
      ];
    default:
      return [];
  }
}

export function resultBlock({ toolCallId, content, isError }: JsonObject): JsonObject {
  const blocks = textAndImages(content);
  const [first] = blocks;
  const isOneText = blocks.length === 1 && first?.type === "text";
  return {
    type: "tool_result",
    tool_use_id: callId(toolCallId),
    content: isOneText ? first.text : blocks,
    ...(isError === true ? { is_error: true } : {}),
  };
}

/** Other providers' ids hold characters, and an item's id after a bar, that Anthropic refuses. */
function callId(id: unknown): string {
  const [call = ""] = asText(id).split("|", 1);
  return call.replace(/[^\w-]/g, "_");
}

function inputOf(input: unknown): JsonObject {
  return isObject(input) ? input : {};
}

function imageBlocks(data: unknown, mediaType: unknown): readonly JsonObject[] {
  if (!isFilledText(data) || !isFilledText(mediaType)) return [];
  return [{ type: "image", source: { type: "base64", media_type: mediaType, data } }];
}

/** A document is what its host read out of it: nobody's words. */
function attachmentBlocks(attachment: unknown): readonly JsonObject[] {
  if (!isObject(attachment)) return [];
  if (attachment.type === "image") return imageBlocks(attachment.content, attachment.mimeType);
  if (!isFilledText(attachment.extractedText)) return [];
  const text = `[Attached document: ${asText(attachment.fileName)}]\n${attachment.extractedText}`;
  return [markHostWritten({ type: "text", text })];
}
