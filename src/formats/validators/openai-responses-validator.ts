// The faults for which OpenAI's Responses endpoint refuses an input list: outputs need their call before them,
// each call one output, reasoning the item it was made for. Item types nobody knows yet pass.
import type { ValidateOptions, Violation } from "../format.ts";
import type { JsonObject } from "../json-shape.ts";
import { isFilledText, isObject } from "../json-shape.ts";
import {
  isCallItem,
  isMessageItem,
  isOutputItem,
  outputCallId,
  roleOfItem,
  viewResponsesItem,
} from "../views/openai-responses-view.ts";
import { checkEveryMessage, Violations } from "./violations.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant"]);

/** Every fault in the list, in no promised order. */
export function validateResponses(items: readonly unknown[], options: ValidateOptions = {}): readonly Violation[] {
  const found = new Violations();
  checkEveryMessage(items, found);
  for (const [index, item] of items.entries()) checkShape(item, index, found);
  checkCalls(items, options, found);
  checkReasoning(items, options, found);
  return found.list;
}

/** What is wrong with the shape of one item, if anything. */
export function itemFault(item: unknown): string | undefined {
  if (!isObject(item)) return "unknown-item";
  if (isMessageItem(item)) return messageFault(item);
  if (!isFilledText(item.type)) return "unknown-item";
  if (item.type === "function_call") {
    const isWhole = isFilledText(item.call_id) && isFilledText(item.name) && typeof item.arguments === "string";
    return isWhole ? undefined : "bad-call";
  }
  if (item.type === "custom_tool_call") {
    const isWhole = isFilledText(item.call_id) && isFilledText(item.name) && typeof item.input === "string";
    return isWhole ? undefined : "bad-call";
  }
  if (item.type === "function_call_output" || item.type === "custom_tool_call_output") return outputFault(item);
  if (item.type === "reasoning" && !Array.isArray(item.summary)) return "bad-reasoning";
  return undefined;
}

function messageFault(item: JsonObject): string | undefined {
  if (!ROLES.has(item.role)) return "unknown-role";
  if (typeof item.content === "string") return undefined;
  if (!Array.isArray(item.content)) return "missing-content";
  if (item.content.length === 0) return "empty-content";
  return item.content.every(isContentPart) ? undefined : "bad-content";
}

/** True for a content part that has a type, and text where the type says so. */
export function isContentPart(part: unknown): boolean {
  if (!isObject(part) || !isFilledText(part.type)) return false;
  return !part.type.endsWith("_text") || typeof part.text === "string";
}

function outputFault(item: JsonObject): string | undefined {
  if (!isFilledText(item.call_id)) return "orphan-result";
  return typeof item.output === "string" || Array.isArray(item.output) ? undefined : "missing-content";
}

function checkShape(item: unknown, index: number, found: Violations): void {
  const fault = itemFault(item);
  if (fault !== undefined) found.add(index, fault, "not an item of a shape that this provider takes");
}

/**
 * The first index at which a call without output may still get one. Before it stands a user's message, or an
 * output or message after which the model answered again: what was called there was given up.
 */
export function startOfFlight(items: readonly unknown[]): number {
  let start = 0;
  let boundary = 0;
  for (const [index, item] of items.entries()) {
    const role = roleOfItem(item);
    if (role === "assistant") start = Math.max(start, boundary);
    else if (!isServersOutput(item)) boundary = index + 1;
    if (role === "user") start = index + 1;
  }
  return start;
}

/** What a server tool gave back within the answer that called it. */
function isServersOutput(item: unknown): boolean {
  return isObject(item) && isOutputItem(item) && outputCallId(item) === "";
}

/** Indices of the calls of each id that still wait for their output, oldest first; empty once all have one. */
type OpenCalls = Map<string, number[]>;

function checkCalls(items: readonly unknown[], options: ValidateOptions, found: Violations): void {
  const open: OpenCalls = new Map();
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    if (isCallItem(item)) addCall(item.call_id as string, index, open, found);
    else if (isOutputItem(item)) checkOutput(item, index, open, found);
  }
  const firstInFlight = options.allowOpenTail === true ? startOfFlight(items) : items.length;
  for (const [callId, waiting] of open) {
    for (const index of waiting) {
      if (index < firstInFlight) found.add(index, "unanswered-call", `the call ${callId} has no output`);
    }
  }
}

function addCall(callId: string, index: number, open: OpenCalls, found: Violations): void {
  const waiting = open.get(callId);
  if (waiting === undefined) {
    open.set(callId, [index]);
    return;
  }
  if (waiting.length > 0) found.add(index, "duplicate-call", `two calls share the id ${callId}`);
  waiting.push(index);
}

function checkOutput(item: JsonObject, index: number, open: OpenCalls, found: Violations): void {
  const callId = outputCallId(item);
  const waiting = open.get(callId);
  if (waiting === undefined) {
    // Outputs of server tools name no call.
    if (callId !== "") found.add(index, "orphan-result", "an output without its call before it");
  } else if (waiting.pop() === undefined) {
    found.add(index, "duplicate-result", `a second output for the call ${callId}`);
  }
}

function checkReasoning(items: readonly unknown[], options: ValidateOptions, found: Violations): void {
  for (const [index, item] of items.entries()) {
    if (!isObject(item) || item.type !== "reasoning") continue;
    const isLast = index === items.length - 1;
    const isFollowed = !isLast && viewResponsesItem(items[index + 1]).role === "assistant";
    if (isFollowed || (isLast && options.allowOpenTail === true)) continue;
    found.add(index, "orphan-reasoning", "a reasoning item without the item it was made for");
  }
}
