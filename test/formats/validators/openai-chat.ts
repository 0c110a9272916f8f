// The faults for which OpenAI's chat endpoint refuses a message list: shapes, and the rule that each call is
// answered by one tool message directly after the message that made it.

import {
  isContentPart,
  isToolCall,
  mayLackContent,
  readCall,
  resultCallId,
} from "../../../src/providers/openai-chat/messages.ts";
import { isObject, type JsonObject } from "../../../src/text/json-values.ts";
import { checkEveryMessage, type ValidateOptions, type Violation, Violations } from "./violations.ts";

type Call = ReturnType<typeof readCall>;

const ACCEPTED_ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

/** Calls of the assistant message last seen, until a message of another role follows. */
interface OpenStep {
  readonly index: number;
  readonly calls: readonly Call[];
  readonly answered: Set<Call>;
  readonly legacyName: unknown;
  /** By id, and by the name of the tool for results that name that. */
  readonly named: ReadonlyMap<string, Waiting>;
}

interface Waiting {
  readonly calls: Call[];
  /** Those before it are answered. */
  first: number;
}

/** Every fault in the list, in no promised order. */
export function validateChat(messages: readonly unknown[], options: ValidateOptions = {}): readonly Violation[] {
  const found = new Violations();
  checkEveryMessage(messages, found);
  let step: OpenStep | undefined;
  for (const [index, message] of messages.entries()) {
    if (!isObject(message) || !ACCEPTED_ROLES.has(message.role)) {
      found.add(index, "unknown-role", "not a message with a role of this provider");
      continue;
    }
    checkContent(message, index, found);
    if (message.role === "tool") {
      checkToolMessage(message, index, step, found);
    } else if (message.role === "function") {
      if (step?.legacyName === undefined || step.legacyName !== message.name) {
        found.add(index, "orphan-result", "a function message without the call before it");
      }
    } else {
      closeStep(step, found);
      step = message.role === "assistant" ? openStep(message, index, found) : undefined;
    }
  }
  if (options.allowOpenTail !== true) closeStep(step, found);
  return found.list;
}

function checkContent(message: JsonObject, index: number, found: Violations): void {
  const { content } = message;
  if (content === undefined || content === null) {
    if (!mayLackContent(message)) found.add(index, "missing-content", "content is missing or null");
  } else if (Array.isArray(content)) {
    if (content.length === 0) found.add(index, "empty-content", "content is an empty array");
    if (!content.every(isContentPart)) found.add(index, "bad-content", "a content part has no type or no text");
  } else if (typeof content !== "string") {
    found.add(index, "bad-content", "content is neither text nor an array");
  }
}

function openStep(message: JsonObject, index: number, found: Violations): OpenStep | undefined {
  const { tool_calls: calls } = message;
  const legacyName = isObject(message.function_call) ? message.function_call.name : undefined;
  if (calls === undefined || calls === null) {
    if (legacyName === undefined) return undefined;
    return { index, calls: [], named: new Map(), answered: new Set(), legacyName };
  }
  if (!Array.isArray(calls) || calls.length === 0) {
    found.add(index, "empty-tool-calls", "tool_calls is not an array with at least one call");
    return undefined;
  }
  const ids = new Set<unknown>();
  const whole = calls.filter(isToolCall);
  if (whole.length < calls.length) found.add(index, "bad-call", "a call lacks its id, its name or its arguments");
  for (const { id } of whole) {
    if (id !== undefined && ids.has(id)) found.add(index, "duplicate-call", `two calls share the id ${id}`);
    ids.add(id);
  }
  const read = whole.map(readCall);
  return { index, calls: read, named: byNames(read), answered: new Set(), legacyName };
}

/** A step may have thousands, and each result asks for its own. */
function byNames(calls: readonly Call[]): ReadonlyMap<string, Waiting> {
  const named = new Map<string, Waiting>();
  for (const call of calls) {
    for (const name of new Set([call.callId, resultCallId({ role: "tool", name: call.name })])) {
      const known = named.get(name);
      if (known === undefined) named.set(name, { calls: [call], first: 0 });
      else known.calls.push(call);
    }
  }
  return named;
}

function checkToolMessage(message: JsonObject, index: number, step: OpenStep | undefined, found: Violations): void {
  const callId = resultCallId(message);
  const named = step?.named.get(callId);
  while (named !== undefined && step?.answered.has(named.calls[named.first] as Call)) named.first += 1;
  const waiting = named?.calls[named.first];
  if (waiting !== undefined) step?.answered.add(waiting);
  else if (named === undefined) found.add(index, "orphan-result", "a tool message without its call directly before it");
  else found.add(index, "duplicate-result", `a second result for the call ${callId}`);
}

function closeStep(step: OpenStep | undefined, found: Violations): void {
  for (const call of step?.calls ?? []) {
    if (step?.answered.has(call) === false)
      found.add(step.index, "unanswered-call", `the call ${call.callId} has no result directly after it`);
  }
}
