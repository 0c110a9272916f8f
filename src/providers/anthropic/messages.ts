// Reads one Anthropic message into a view. A user message that holds nothing but tool results has the role
// "tool" here: no person said anything in it. Blocks nobody knows yet, server tools included, are opaque.
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import { opaquePart, readResultContent, viewContent, wordsOf } from "../content-parts.ts";
import type { MessagePart, MessageRole, MessageView, ValidateOptions, Violation } from "../format.ts";
import { isHostWritten, isProtectedMessage, markHostWritten } from "../message-marks.ts";
import { isFiller, OPENER } from "../place.ts";
import { callerOf, loadedTools } from "../provider-steps.ts";
import { checkEveryMessage, Violations } from "../repair.ts";

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

// The faults for which Anthropic's messages endpoint refuses a list: roles, empty content, and the rule that
// the results of all calls of a message stand first in the one user message after it.

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "system"]);

/** Every fault in the list, in no promised order. */
export function validateAnthropic(messages: readonly unknown[], options: ValidateOptions = {}): readonly Violation[] {
  const found = new Violations();
  checkEveryMessage(messages, found);
  const callIds = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (!isObject(message) || !ROLES.has(message.role)) {
      found.add(index, "unknown-role", "the roles are user, assistant and system");
      continue;
    }
    if (message.role === "system" && !isSystemPlace(messages, index))
      found.add(index, "misplaced-system", "a system message does not stand between a user's and an assistant's");
    if (!isSetting(message)) checkContent(message, index, index === messages.length - 1, found);
    checkCallIds(message, index, callIds, found);
    if (message.role === "assistant") checkThinkingPlace(message, index, found);
    else checkResults(message, messages[index - 1], index, found);
    checkAnswers(message, messages, index, options, found);
  }
  checkFirst(messages[0], found);
  checkLast(messages.at(-1), messages.length - 1, found);
  return found.list;
}

function blocksOf(message: unknown): readonly JsonObject[] {
  return isObject(message) ? asArray(message.content).filter(isObject) : [];
}

export function isCall(block: unknown): block is JsonObject {
  return isObject(block) && block.type === "tool_use";
}

export function isResult(block: unknown): block is JsonObject {
  return isObject(block) && block.type === "tool_result";
}

export function isThinking(block: unknown): block is JsonObject {
  return isObject(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

/** The ids of the calls in an assistant message. */
function callIdsOf(message: unknown): readonly string[] {
  if (!isObject(message) || message.role !== "assistant") return [];
  return blocksOf(message).flatMap((block) => (isCall(block) && typeof block.id === "string" ? [block.id] : []));
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

function checkContent(message: JsonObject, index: number, isLast: boolean, found: Violations): void {
  const { content } = message;
  if (typeof content === "string" || (Array.isArray(content) && content.length === 0)) {
    const isEmpty = typeof content === "string" ? content.trim() === "" : true;
    const mayBeEmpty = isLast && message.role === "assistant" && content.length === 0;
    if (isEmpty && !mayBeEmpty) found.add(index, "empty-content", "content is empty");
  } else if (!Array.isArray(content)) {
    found.add(index, "missing-content", "content is neither text nor an array of blocks");
  } else {
    for (const block of content) {
      const fault = blockFault(block, message.role);
      if (fault !== undefined) found.add(index, fault, "a block of a shape or place that this provider refuses");
    }
  }
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

function checkCallIds(message: JsonObject, index: number, seen: Set<string>, found: Violations): void {
  for (const callId of callIdsOf(message)) {
    if (seen.has(callId)) found.add(index, "duplicate-call", `two calls share the id ${callId}`);
    seen.add(callId);
  }
}

function checkThinkingPlace(message: JsonObject, index: number, found: Violations): void {
  const blocks = blocksOf(message);
  const first = blocks.find((block) => block.type !== "compaction");
  if (first !== undefined && !isThinking(first) && blocks.some(isThinking)) {
    found.add(index, "thinking-not-first", "a message with thinking does not begin with it");
  }
}

/** Results of a user message: each answers a call of the message before, once, and stands before other blocks. */
function checkResults(message: JsonObject, previous: unknown, index: number, found: Violations): void {
  const calls = new Set(callIdsOf(previous));
  const answered = new Set<string>();
  let hasOther = false;
  for (const block of blocksOf(message)) {
    if (block.type !== "tool_result") {
      hasOther = true;
      continue;
    }
    const callId = String(block.tool_use_id);
    if (!calls.has(callId)) found.add(index, "orphan-result", "a result without its call in the message before");
    else if (answered.has(callId)) found.add(index, "duplicate-result", `a second result for the call ${callId}`);
    else if (hasOther) found.add(index, "result-not-first", "a result stands after another block");
    answered.add(callId);
  }
}

function checkAnswers(
  message: JsonObject,
  messages: readonly unknown[],
  index: number,
  options: ValidateOptions,
  found: Violations,
): void {
  const calls = callIdsOf(message);
  if (calls.length === 0) return;
  const next = blocksOf(messages[index + 1]);
  const isTail =
    index === messages.length - 1 || (index === messages.length - 2 && next.length > 0 && next.every(isResult));
  if (options.allowOpenTail === true && isTail) return;
  const answered = new Set(next.filter(isResult).map((block) => block.tool_use_id));
  for (const callId of calls) {
    if (!answered.has(callId)) {
      found.add(index, "unanswered-call", `the call ${callId} has no result in the message after it`);
    }
  }
}

/** A compaction block may open the list: the provider ignores what stands before one. */
function checkFirst(first: unknown, found: Violations): void {
  if (!isObject(first) || first.role !== "assistant") return;
  if (blocksOf(first)[0]?.type !== "compaction") found.add(0, "assistant-first", "the first message is not the user's");
}

/** A last assistant message is continued by the model, which takes no white space at its end. */
function checkLast(last: unknown, index: number, found: Violations): void {
  if (!isObject(last) || last.role !== "assistant") return;
  const lastBlock = blocksOf(last).at(-1);
  const text = typeof last.content === "string" ? last.content : lastBlock?.type === "text" ? lastBlock.text : "";
  if (typeof text === "string" && text !== text.trimEnd()) {
    found.add(index, "trailing-space", "the last assistant message ends in white space");
  }
}
