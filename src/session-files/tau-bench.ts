// Reads the results of a tau-bench or tau2-bench run: for each task and trial the OpenAI chat messages of one conversation. They
// are the file's own objects, one conversation after another; but for calls whose arguments some versions write as objects.
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { chatCall, readConversations } from "./chat-conversations.ts";
import type { SessionRead, SessionReader, SessionText } from "./session-reader.ts";
import { readSessionValues } from "./session-values.ts";

export const tauBenchReader: SessionReader = {
  name: "tau-bench",
  title: "tau-bench result list",
  matches: (values) => values.length > 0 && values.every((value) => isRun(value) || isTau2(value)),
  read: readTauBenchRuns,
};

/** A run that failed before its first message has an empty conversation. */
function isRun(value: unknown): boolean {
  return isObject(value) && Array.isArray(value.traj) && value.task_id !== undefined;
}

/** Reads the text of a result file. Never throws: a file without a message gives an empty list. */
export function readTauBenchRuns(from: SessionText): SessionRead {
  const { values, faults } = readSessionValues(from);
  const runs = values.flatMap(({ value, line }) =>
    conversationsOf(value).map((messages) => ({ messages, lines: messages.map(() => line) })),
  );
  const model = modelOf(values.findLast(({ value }) => modelOf(value) !== "")?.value);
  return readConversations(runs, faults, { sessionId: undefined, model });
}

function conversationsOf(value: unknown): readonly (readonly unknown[])[] {
  if (isTau2(value)) return simulationsOf(value).map(tau2Messages);
  return [asArray(isObject(value) ? value.traj : undefined).map(withTextArguments)];
}

/** Only some versions write the agent's model down. */
function modelOf(run: unknown): string {
  if (isTau2(run)) return tau2Model(run);
  return isObject(run) && isObject(run.info) ? asText(run.info.model) : "";
}

function withTextArguments(message: unknown): unknown {
  if (!isObject(message) || !Array.isArray(message.tool_calls)) return message;
  const calls = message.tool_calls.map((call: unknown) =>
    isObject(call) && isObject(call.function) ? withText(call, call.function) : call,
  );
  return calls.every((call, at) => call === asArray(message.tool_calls)[at])
    ? message
    : { ...message, tool_calls: calls };
}

function withText(call: JsonObject, called: JsonObject): JsonObject {
  const given = called.arguments;
  return typeof given === "string" ? call : { ...call, function: { ...called, arguments: toJson(given ?? {}) } };
}

// One conversation of tau2-bench as OpenAI chat messages: calls are written flat, results of parallel calls share a
// message, and each message bears the run's bookkeeping. Tools of the simulated user are nothing that the agent saw.

/** True for a run's file, or for one simulation of it. */
function isTau2(value: unknown): value is JsonObject {
  return isSimulation(value) || simulationsOf(value).some(isSimulation);
}

function simulationsOf(value: unknown): readonly unknown[] {
  if (isSimulation(value)) return [value];
  return isObject(value) ? asArray(value.simulations) : [];
}

function isSimulation(value: unknown): value is JsonObject {
  if (!isObject(value) || !Array.isArray(value.messages)) return false;
  return value.task_id !== undefined && value.termination_reason !== undefined;
}

function tau2Messages(simulation: unknown): readonly JsonObject[] {
  const given = isObject(simulation) ? asArray(simulation.messages).filter(isObject) : [];
  return given.flatMap((message) => {
    const { role, content } = message;
    if (role === "tool") {
      const results = Array.isArray(message.tool_messages) ? message.tool_messages.filter(isObject) : [message];
      return results.filter(isAgents).map(toResult);
    }
    if (role === "assistant") return [toAnswer(message)];
    return (role === "user" || role === "system") && isFilledText(content) ? [{ role, content }] : [];
  });
}

function isAgents({ requestor }: JsonObject): boolean {
  return requestor !== "user";
}

function toResult({ id, content }: JsonObject): JsonObject {
  return { role: "tool", tool_call_id: asText(id), content: typeof content === "string" ? content : "" };
}

function toAnswer({ content, tool_calls: calls }: JsonObject): JsonObject {
  const made = asArray(calls)
    .filter(isObject)
    .map(({ id, name, arguments: given }) => chatCall(id, asText(name), given));
  const text = isFilledText(content) ? content : null;
  return made.length === 0
    ? { role: "assistant", content: text ?? "" }
    : { role: "assistant", content: text, tool_calls: made };
}

/** The agent's model, as the run's file names it. */
function tau2Model(value: JsonObject): string {
  const info = isObject(value.info) ? value.info.agent_info : undefined;
  return isObject(info) ? asText(info.llm) : "";
}
