// The faults for which Anthropic's messages endpoint refuses a list: roles, empty content, and the rule that
// the results of all calls of a message stand first in the one user message after it.

import {
  blockFault,
  isCall,
  isResult,
  isSetting,
  isSystemPlace,
  isThinking,
} from "../../../src/providers/anthropic/messages.ts";
import { asArray, isObject, type JsonObject } from "../../../src/text/json-values.ts";
import { checkEveryMessage, type ValidateOptions, type Violation, Violations } from "./violations.ts";

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

/** The ids of the calls in an assistant message. */
function callIdsOf(message: unknown): readonly string[] {
  if (!isObject(message) || message.role !== "assistant") return [];
  return blocksOf(message).flatMap((block) => (isCall(block) && typeof block.id === "string" ? [block.id] : []));
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
