// A SWE-agent trajectory file: the history that the model was sent, or, where a file has none, the steps. Also the
// files of mini-swe-agent, which call it messages, and of runs with several attempts.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject } from "../../json-shape.ts";
import type { ChatConversation } from "../parts/join-conversations.ts";
import { thoughtAndAction, toChatMessages } from "./chat-message.ts";

export function isTrajectory(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const isMini = asText(value.trajectory_format).startsWith("mini-swe-agent") && Array.isArray(value.messages);
  return isMini || Array.isArray(value.trajectory) || asArray(value.attempts).some(isTrajectory);
}

/** One conversation, or one for each attempt where no attempt was chosen. */
export function readTrajectory(value: JsonObject): readonly ChatConversation[] {
  const own = historyOf(value);
  const attempts = own.length > 0 ? [] : asArray(value.attempts).filter(isObject).map(historyOf);
  return [own, ...attempts].map((history) => {
    const messages = toChatMessages(history).flat();
    return { messages, lines: messages.map(() => 0) };
  });
}

function historyOf({ history, messages, trajectory }: JsonObject): readonly unknown[] {
  const sent = [history, messages].map(asArray).find((list) => list.length > 0);
  return sent ?? asArray(trajectory).filter(isObject).flatMap(entriesOfStep);
}

function entriesOfStep(step: JsonObject): readonly JsonObject[] {
  const { response, observation } = step;
  const answer = isFilledText(response) ? response : thoughtAndAction(step, false);
  return [
    ...(answer === "" ? [] : [{ role: "assistant", content: answer }]),
    ...(isFilledText(observation) ? [{ role: "user", content: observation }] : []),
  ];
}

/** As the run's configuration names it: an object, or its JSON. */
export function modelOf({ replay_config: config, info }: JsonObject): string {
  const replayed = typeof config === "string" ? parse(config) : config;
  const places = [field(field(field(replayed, "agent"), "model"), "name"), minisModel(info)];
  return places.map(asText).find((name) => name !== "") ?? "";
}

function minisModel(info: unknown): unknown {
  return field(field(field(info, "config"), "model"), "model_name");
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
