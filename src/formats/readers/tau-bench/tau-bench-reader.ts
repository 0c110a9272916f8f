// Reads the results of a tau-bench or tau2-bench run: for each task and trial the OpenAI chat messages of one conversation. They
// are the file's own objects, one conversation after another; but for calls whose arguments some versions write as objects.
import { asArray, asText, isObject, type JsonObject, toJson } from "../../json-shape.ts";
import { joinConversations } from "../parts/join-conversations.ts";
import { readSessionValues } from "../parts/session-values.ts";
import { noteFaults } from "../read-notes.ts";
import type { SessionRead, SessionReader } from "../reader.ts";
import { isTau2, simulationsOf, tau2Messages, tau2Model } from "./tau2-simulation.ts";

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
export function readTauBenchRuns(text: string): SessionRead {
  const { values, faults } = readSessionValues(text);
  const runs = values.flatMap(({ value, line }) =>
    conversationsOf(value).map((messages) => ({ messages, lines: messages.map(() => line) })),
  );
  const { messages, sources, notes } = joinConversations(runs);
  const model = modelOf(values.findLast(({ value }) => modelOf(value) !== "")?.value);
  return {
    sessionId: undefined,
    format: "openai-chat",
    messages,
    sources,
    notes: [...noteFaults(faults), ...notes],
    ...(model === "" ? {} : { model }),
  };
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
