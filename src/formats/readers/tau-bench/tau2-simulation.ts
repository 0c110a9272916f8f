// One conversation of tau2-bench as OpenAI chat messages: calls are written flat, results of parallel calls share a
// message, and each message bears the run's bookkeeping. Tools of the simulated user are nothing that the agent saw.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject, toJson } from "../../json-shape.ts";

/** True for a run's file, or for one simulation of it. */
export function isTau2(value: unknown): value is JsonObject {
  return isSimulation(value) || simulationsOf(value).some(isSimulation);
}

export function simulationsOf(value: unknown): readonly unknown[] {
  if (isSimulation(value)) return [value];
  return isObject(value) ? asArray(value.simulations) : [];
}

function isSimulation(value: unknown): value is JsonObject {
  if (!isObject(value) || !Array.isArray(value.messages)) return false;
  return value.task_id !== undefined && value.termination_reason !== undefined;
}

export function tau2Messages(simulation: unknown): readonly JsonObject[] {
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
  const made = asArray(calls).filter(isObject).map(toCall);
  const text = isFilledText(content) ? content : null;
  return made.length === 0
    ? { role: "assistant", content: text ?? "" }
    : { role: "assistant", content: text, tool_calls: made };
}

function toCall({ id, name, arguments: given }: JsonObject): JsonObject {
  const text = typeof given === "string" ? given : toJson(given ?? {});
  return { id, type: "function", function: { name: asText(name), arguments: text } };
}

/** The agent's model, as the run's file names it. */
export function tau2Model(value: JsonObject): string {
  const info = isObject(value.info) ? value.info.agent_info : undefined;
  return isObject(info) ? asText(info.llm) : "";
}
