// The faults for which OpenAI's Responses endpoint refuses an input list: outputs need their call before them,
// each call one output, reasoning the item it was made for. Item types nobody knows yet pass.

import {
  goesOnFromServer,
  isCallItem,
  isOutputItem,
  itemFault,
  outputCallId,
  startOfFlight,
  viewResponsesItem,
} from "../../../src/providers/openai-responses/items.ts";
import { isObject, type JsonObject } from "../../../src/text/json-values.ts";
import { checkEveryMessage, type ValidateOptions, type Violation, Violations } from "./violations.ts";

/** Every fault in the list, in no promised order. */
export function validateResponses(items: readonly unknown[], options: ValidateOptions = {}): readonly Violation[] {
  const found = new Violations();
  checkEveryMessage(items, found);
  for (const [index, item] of items.entries()) checkShape(item, index, found);
  checkCalls(items, options, found);
  checkReasoning(items, options, found);
  return found.list;
}

function checkShape(item: unknown, index: number, found: Violations): void {
  const fault = itemFault(item);
  if (fault !== undefined) found.add(index, fault, "not an item of a shape that this provider takes");
}

/** Indices of the calls of each id that still wait for their output, oldest first; empty once all have one. */
type OpenCalls = Map<string, number[]>;

function checkCalls(items: readonly unknown[], options: ValidateOptions, found: Violations): void {
  const open: OpenCalls = new Map();
  let isHeld = goesOnFromServer(items);
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    if (item.type === "item_reference") isHeld = true;
    else if (isCallItem(item)) addCall(item.call_id as string, index, open, found);
    else if (isOutputItem(item)) checkOutput(item, index, isHeld, open, found);
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

/** `isHeld`: its call may be one that only the server has. */
function checkOutput(item: JsonObject, index: number, isHeld: boolean, open: OpenCalls, found: Violations): void {
  const callId = outputCallId(item);
  const waiting = open.get(callId);
  if (waiting === undefined) {
    // Outputs of server tools name no call.
    if (callId !== "" && isHeld) open.set(callId, []);
    else if (callId !== "") found.add(index, "orphan-result", "an output without its call before it");
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
