// Gives calls and results of OpenAI chat the shape that the provider takes, where a server of another make wrote them:
// arguments as objects, calls without ids or a wrapper, results that name their call elsewhere or not at all.
import type { JsonObject } from "../json-shape.ts";
import { asArray, asText, isFilledText, isObject, toJson } from "../json-shape.ts";
import { copyWith } from "../protected.ts";
import type { Repairs } from "./notes.ts";

const SHAPED = "gave its calls the shape that the provider takes";
const NAMED = "gave it the id of the call that it answers";

interface WaitingCall {
  readonly id: string;
  readonly name: string;
}

/** The list itself where nothing is to be done. */
export function shapeChatCalls(messages: readonly unknown[], repairs: Repairs): readonly unknown[] {
  const known = new Set(messages.flatMap(callsOf).map(({ id }) => asText(id)));
  let waiting: WaitingCall[] = [];
  const shaped = messages.map((message, index) => {
    if (!isObject(message)) return message;
    if (message.role === "assistant") {
      const step = shapeStep(message, index, known);
      waiting = callsOf(step).map((call) => ({ id: asText(call.id), name: nameOf(call) }));
      if (step !== message) repairs.push({ index, kind: "invalid_message", action: SHAPED });
      return step;
    }
    if (message.role !== "tool") return message;
    const call = takeCall(message, waiting);
    if (call === undefined || isFilledText(message.tool_call_id)) return message;
    repairs.push({ index, kind: "invalid_message", callId: call.id, action: NAMED });
    return copyWith(message, { tool_call_id: call.id });
  });
  return shaped.every((message, index) => message === messages[index]) ? messages : shaped;
}

function callsOf(message: unknown): readonly JsonObject[] {
  return isObject(message) && message.role === "assistant" ? asArray(message.tool_calls).filter(isObject) : [];
}

function shapeStep(message: JsonObject, index: number, known: Set<string>): JsonObject {
  const given = asArray(message.tool_calls);
  const calls = given.map((call, ordinal) => shapeCall(call, () => newId(index, ordinal, known)));
  return calls.every((call, ordinal) => call === given[ordinal]) ? message : copyWith(message, { tool_calls: calls });
}

/** What has no name stays as it is: nobody can tell what was called. */
function shapeCall(call: unknown, nextId: () => string): unknown {
  if (!isObject(call) || (call.type !== undefined && call.type !== "function")) return call;
  const called = isObject(call.function) ? call.function : call;
  if (!isFilledText(called.name)) return call;
  const isWhole = typeof called.arguments === "string" && called !== call && call.type === "function";
  if (isWhole && isFilledText(call.id)) return call;
  const id = isFilledText(call.id) ? call.id : nextId();
  if (isWhole) return { ...call, id };
  const written = typeof called.arguments === "string" ? called.arguments : toJson(called.arguments ?? {});
  return { id, type: "function", function: { name: called.name, arguments: written } };
}

function newId(index: number, ordinal: number, known: Set<string>): string {
  let id = `call_${index + 1}_${ordinal + 1}`;
  while (known.has(id)) id = `${id}_`;
  known.add(id);
  return id;
}

/** The call that a result answers is waited for no longer. */
function takeCall(message: JsonObject, waiting: WaitingCall[]): WaitingCall | undefined {
  const id = [message.tool_call_id, message.id].find(isFilledText);
  const name = [message.name, message.tool_name].find(isFilledText);
  const places = [
    waiting.findIndex((call) => call.id === id),
    ...(isFilledText(message.tool_call_id) ? [] : [waiting.findIndex((call) => call.name === name), 0]),
  ];
  const [call] = waiting.splice(places.find((place) => place >= 0) ?? waiting.length, 1);
  return call;
}

function nameOf({ function: called, custom }: JsonObject): string {
  return (
    [called, custom].map((target) => (isObject(target) ? asText(target.name) : "")).find((name) => name !== "") ?? ""
  );
}
