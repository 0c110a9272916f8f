// Reads Anthropic messages into neutral ones: the results of a user message become messages of their own before it.
import { isAnthropicFiller } from "../../anthropic-filler.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../../json-shape.ts";
import { READABLE_HISTORY, SEALED_HISTORY } from "../neutral/labels.ts";
import type { Losses } from "../neutral/losses.ts";
import type { CallPart, ContentPart, NeutralMessage, ReadFormat, ResultMessage } from "../neutral/neutral.ts";
import { readContent, readPart } from "./read-content.ts";
import { readSystem, unreadable } from "./read-system.ts";
import { readTools } from "./read-tools.ts";

export const readAnthropic: ReadFormat = ({ messages, system, tools }, losses) => ({
  system: readSystem(system, losses),
  messages: messages.flatMap((message) => readMessage(message, losses)),
  tools: readTools(tools, losses),
});

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
  const isHostWritten = isAnthropicFiller(message) ? { isHostWritten: true } : {};
  return [...results, { kind: "said", role, ...said, ...isHostWritten, sources: [message] }];
}

function isResult(block: unknown): block is JsonObject {
  return isObject(block) && block.type === "tool_result";
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
      return [readCall(block)];
    case "compaction":
      return [readCompaction(block, losses)];
    default:
      return readPart(block, losses);
  }
}

function readCall({ id, name, input }: JsonObject): CallPart {
  return { kind: "call", callId: asText(id), name: asText(name), input: toJson(input ?? {}), isCustom: false };
}

function readCompaction({ content }: JsonObject, losses: Losses): ContentPart {
  if (isFilledText(content)) return { kind: "text", text: `${READABLE_HISTORY}\n${content}`, isHostWritten: true };
  losses.add("sealed_history");
  return { kind: "text", text: SEALED_HISTORY, isHostWritten: true };
}
