// System messages among the others, which Anthropic takes for models from Claude Opus 4.8 on: one at a time, behind what the
// user's side said and before the assistant's answer. Claude Code tells its surroundings and its agents so.
import { asArray, isObject, type JsonObject } from "../../text/json-values.ts";
import { copyWith } from "../message-marks.ts";
import { anthropicOpener } from "./messages.ts";

export function isSystem(message: unknown): message is JsonObject {
  return isObject(message) && message.role === "system";
}

/** Each moved to the next place that takes it, else to the last one before; those that meet there become one. The same list where all stand well. */
export function settleSystem<Message>(messages: readonly Message[]): readonly (Message | JsonObject)[] {
  const others = messages.filter((message) => !isSystem(message));
  if (others.length === messages.length) return messages;
  const isUsers = (message: unknown) => isObject(message) && message.role === "user";
  const ends = others.flatMap((message, at) => (isUsers(message) && !isUsers(others[at + 1]) ? [at] : []));
  const groups = new Map<number, JsonObject[]>();
  let before = -1;
  for (const message of messages) {
    if (!isSystem(message)) before++;
    else {
      const end = ends.find((at) => at >= before) ?? ends.at(-1) ?? -1;
      groups.set(end, [...(groups.get(end) ?? []), message]);
    }
  }
  const settled = [...opened(groups.get(-1)), ...others.flatMap((each, at) => [each, ...merged(groups.get(at))])];
  return settled.length === messages.length && settled.every((each, at) => each === messages[at]) ? messages : settled;
}

/** The user said nothing that they could stand behind. */
function opened(group: readonly JsonObject[] | undefined): readonly JsonObject[] {
  return group === undefined ? [] : [anthropicOpener(), ...merged(group)];
}

function merged(group: readonly JsonObject[] = []): readonly JsonObject[] {
  const last = group.at(-1);
  // What stands for one turn alone is no longer shown when another one has come.
  const shown = group.filter((message) => message === last || message.clear_at !== "next_user_message");
  if (last === undefined || shown.length === 1) return shown;
  return [copyWith(last, { content: shown.flatMap(({ content }) => blocksOf(content)) })];
}

function blocksOf(content: unknown): readonly unknown[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : asArray(content);
}
