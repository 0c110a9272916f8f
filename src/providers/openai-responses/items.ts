// Reads one OpenAI Responses item into a view. An item type nobody knows yet is opaque and counted as its JSON.
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import { imagePart, opaquePart, providerPart, readResultContent, viewContent } from "../content-parts.ts";
import type { MessagePart, MessageRole, MessageView, ValidateOptions, Violation } from "../format.ts";
import { isHostWritten, isProtectedMessage } from "../message-marks.ts";
import { qualifiedName } from "../names.ts";
import { callerOf, loadedTools } from "../provider-steps.ts";
import { checkEveryMessage, Violations } from "../repair.ts";

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

/** The tools that an item tells the model of: a schema, and no message. Undefined for any other item. */
export function toolsIn(item: unknown): readonly unknown[] | undefined {
  return isObject(item) && item.type === "additional_tools" ? asArray(item.tools) : undefined;
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
function roleOfItem(item: unknown): MessageRole {
  return readRole(isObject(item) ? item : {});
}

function readRole(item: JsonObject): MessageRole {
  // Tools that were loaded later are given by whoever gives the system prompt.
  if (item.type === "additional_tools") return item.role === "system" ? "system" : "developer";
  if (isMessageItem(item)) return MESSAGE_ROLES.get(item.role) ?? "user";
  if ((isOutputItem(item) && !isServersOutput(item)) || item.type === "mcp_approval_response") return "tool";
  return item.type === undefined ? "user" : "assistant";
}

function readParts(item: JsonObject): readonly MessagePart[] {
  if (isMessageItem(item)) return viewContent(item.content, "input_image");
  if (item.type === "reasoning") {
    return [{ kind: "thinking", text: reasoningText(item), sealedLength: asText(item.encrypted_content).length }];
  }
  if (isCallItem(item)) return [readCall(item)];
  if (isOutputItem(item) && !isServersOutput(item)) return [readOutput(item)];
  if (item.type === "mcp_approval_request") {
    return [{ kind: "call", callId: asText(item.id), name: asText(item.name), arguments: asText(item.arguments) }];
  }
  if (item.type === "mcp_approval_response") {
    const callId = asText(item.approval_request_id);
    return [{ kind: "result", callId, text: toJson(item), isError: false, images: 0 }];
  }
  if (item.type === "image_generation_call" && isFilledText(item.result)) {
    return [
      opaquePart(item.type, { ...item, result: null }),
      imagePart({ type: "image", data: item.result, file_id: item.id }),
    ];
  }
  return [providerPart(item)];
}

function reasoningText(item: JsonObject): string {
  const texts = [...asArray(item.summary), ...asArray(item.content)].map((part) =>
    isObject(part) ? asText(part.text) : "",
  );
  return texts.filter(isFilledText).join("\n");
}

/** Tools like the local shell are called by their type, and take an action. Servers' tools are told apart by theirs. */
export function readCall(item: JsonObject): Extract<MessagePart, { readonly kind: "call" }> {
  const given = item.arguments ?? item.input ?? item.action ?? item.actions ?? item.operation ?? "";
  return {
    kind: "call",
    callId: asText(item.call_id),
    name: qualifiedName(item.namespace, item.name) || asText(item.type),
    arguments: typeof given === "string" ? given : toJson(given),
    ...callerOf(item),
  };
}

export function isFailed({ status }: JsonObject): boolean {
  return status === "incomplete" || status === "failed";
}

function readOutput(item: JsonObject): MessagePart {
  return {
    kind: "result",
    callId: outputCallId(item),
    isError: isFailed(item),
    ...readResultContent(item.output ?? item.tools),
    ...loadedTools(item.tools),
  };
}

// The faults for which OpenAI's Responses endpoint refuses an input list: outputs need their call before them,
// each call one output, reasoning the item it was made for. Item types nobody knows yet pass.

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
  if (isCallersOutput(item)) return outputFault(item);
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
    if (isServersOutput(item)) continue;
    const role = roleOfItem(item);
    if (role === "assistant") start = Math.max(start, boundary);
    else boundary = index + 1;
    if (role === "user") start = index + 1;
  }
  return start;
}

/**
 * A list in which the model says nothing goes on from an answer that the server holds (`previous_response_id`, a
 * conversation): what its outputs answer stands there.
 */
export function goesOnFromServer(items: readonly unknown[]): boolean {
  return !items.some((item) => roleOfItem(item) === "assistant");
}

/** What a server tool gave back within the answer that called it; of the caller's own tools one that names no call is damaged. */
function isServersOutput(item: unknown): boolean {
  return isObject(item) && isOutputItem(item) && outputCallId(item) === "" && !isCallersOutput(item);
}

export function isCallersOutput(item: JsonObject): boolean {
  return item.type === "function_call_output" || item.type === "custom_tool_call_output";
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
