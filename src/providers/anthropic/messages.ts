// Reads one Anthropic message into a view. A user message that holds nothing but tool results has the role
// "tool" here: no person said anything in it. Blocks nobody knows yet, server tools included, are opaque.
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import { opaquePart, readResultContent, viewContent, wordsOf } from "../content-parts.ts";
import type { MessagePart, MessageRole, MessageView } from "../format.ts";
import { isHostWritten, isProtectedMessage, markHostWritten } from "../message-marks.ts";
import { isFiller, OPENER } from "../place.ts";
import { callerOf, loadedTools } from "../provider-steps.ts";

/** Reads one message; never throws. */
export function viewAnthropicMessage(message: unknown): MessageView {
  const fields: JsonObject = isObject(message) ? message : {};
  const parts = isObject(message)
    ? viewContent(fields.content, "image", readBlock)
    : [opaquePart("unreadable", message)];
  return {
    role: readRole(fields, parts),
    parts,
    isProtected: isProtectedMessage(message),
    isIrreplaceable: asArray(fields.content).some((block) => isObject(block) && block.type === "compaction"),
    joinsNext: false,
    ...(isHostWritten(message) || isFiller(message) ? { isHostWritten: true } : {}),
  };
}

function readRole(message: JsonObject, parts: readonly MessagePart[]): MessageRole {
  if (message.role === "assistant" || message.role === "system") return message.role;
  return parts.length > 0 && parts.every((part) => part.kind === "result") ? "tool" : "user";
}

function readBlock(block: JsonObject): MessagePart | undefined {
  switch (block.type) {
    case "thinking":
      return { kind: "thinking", text: asText(block.thinking), sealedLength: asText(block.signature).length };
    case "redacted_thinking":
      return { kind: "thinking", text: "", sealedLength: asText(block.data).length };
    case "tool_use":
      return readCall(block);
    case "tool_result":
      return readResult(block);
    case "document":
    case "search_result":
      return { ...opaquePart(block.type, block), ...handedOver(block) };
    default:
      return undefined;
  }
}

export function readCall(block: JsonObject): Extract<MessagePart, { readonly kind: "call" }> {
  const { id, name, input } = block;
  const given = toJson(input ?? {});
  return { kind: "call", callId: asText(id), name: asText(name), arguments: given, ...callerOf(block) };
}

function readResult(block: JsonObject): MessagePart {
  const isError = block.is_error === true;
  const callId = asText(block.tool_use_id);
  return { kind: "result", callId, isError, ...readResultContent(block.content), ...loadedTools(block.content) };
}

/** The words of a document or a found passage, under its title. */
function handedOver(block: JsonObject): { readonly words?: string } {
  const words = wordsOf(block);
  const name = [asText(block.type), asText(block.title)].filter(Boolean).join(": ");
  return words === "" ? {} : { words: `[${name}]\n${words}` };
}

/** A message that says one text. */
export function anthropicMessage(role: "user" | "assistant", text: string) {
  return { role, content: [{ type: "text", text }] };
}

/** Opens a list that would begin with the assistant, which Anthropic refuses. */
export function anthropicOpener() {
  return markHostWritten(anthropicMessage("user", OPENER));
}

// What the provider takes, block by block, and where a system message may stand.

export function isCall(block: unknown): block is JsonObject {
  return isObject(block) && block.type === "tool_use";
}

export function isResult(block: unknown): block is JsonObject {
  return isObject(block) && block.type === "tool_result";
}

export function isThinking(block: unknown): block is JsonObject {
  return isObject(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

/** What is wrong with the shape of one block in a message of this role, if anything. */
export function blockFault(block: unknown, role: unknown): string | undefined {
  if (!isObject(block) || !isFilledText(block.type)) return "bad-content";
  return BLOCK_RULES.get(block.type)?.(block, role);
}

type BlockRule = (block: JsonObject, role: unknown) => string | undefined;

/** Blocks of other types are the provider's own business. */
const BLOCK_RULES: ReadonlyMap<string, BlockRule> = new Map(
  Object.entries<BlockRule>({
    text: (block) => {
      if (typeof block.text !== "string") return "bad-content";
      return block.text.trim() === "" ? "empty-text" : undefined;
    },
    thinking: (block, role) => {
      const isSigned = typeof block.thinking === "string" && isFilledText(block.signature);
      return role === "assistant" && isSigned ? undefined : "bad-thinking";
    },
    redacted_thinking: (block, role) => {
      return role === "assistant" && isFilledText(block.data) ? undefined : "bad-thinking";
    },
    tool_use: (block, role) => {
      const isWhole = isFilledText(block.id) && isFilledText(block.name) && isObject(block.input);
      return role === "assistant" && isWhole ? undefined : "bad-call";
    },
    tool_result: (block, role) => {
      if (role !== "user" || !isFilledText(block.tool_use_id)) return "orphan-result";
      if (!isResultContent(block.content)) return "bad-content";
      return block.is_error === true && isEmptyResult(block.content) ? "empty-error" : undefined;
    },
  }),
);

/** Result content may be missing, a text, or blocks; its text blocks must not be empty. */
function isResultContent(content: unknown): boolean {
  if (content === undefined || content === null || typeof content === "string") return content !== null;
  return Array.isArray(content) && content.every((block) => blockFault(block, "user") === undefined);
}

/** What stands in an error that says nothing: the provider takes none. */
export const SILENT_ERROR = "The tool failed without a message.";

/** What the provider takes from a tool that worked, and not from one that failed. */
export function isEmptyResult(content: unknown): boolean {
  if (Array.isArray(content)) return content.length === 0;
  return content === undefined || (typeof content === "string" && content.trim() === "");
}

/** Behind the user's side, and last or before an assistant's message. */
export function isSystemPlace(messages: readonly unknown[], index: number): boolean {
  const roleAt = (at: number) => (isObject(messages[at]) ? messages[at].role : undefined);
  return roleAt(index - 1) === "user" && (index === messages.length - 1 || roleAt(index + 1) === "assistant");
}

/** A system message that says nothing, and sets how the answers are to be from there on. */
export function isSetting({ role, content, output_config }: JsonObject): boolean {
  return role === "system" && isObject(output_config) && asArray(content).length === 0 && asText(content) === "";
}
