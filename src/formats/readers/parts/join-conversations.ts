// Several OpenAI chat conversations of one file as one list. System messages always stay in a list, so one that
// only says again what is in force already would fill the window with copies: it goes, and is told.
import { isObject, toJson } from "../../json-shape.ts";
import { noteJoined } from "../read-notes.ts";
import type { ReadNote, SessionRead } from "../reader.ts";

export interface ChatConversation {
  readonly messages: readonly unknown[];
  /** For each message the 1-based line of the file; 0 in a file that is one JSON document. */
  readonly lines: readonly number[];
}

export function joinConversations(
  conversations: readonly ChatConversation[],
): Pick<SessionRead, "messages" | "sources" | "notes"> {
  const said = conversations.filter(({ messages }) => messages.length > 0);
  const messages: unknown[] = [];
  const sources: (readonly number[])[] = [];
  let inForce = "";
  let repeats = 0;
  for (const conversation of said) {
    for (const [at, message] of conversation.messages.entries()) {
      const system = isObject(message) && message.role === "system" ? toJson(message) : "";
      const isRepeat = system !== "" && system === inForce;
      if (system !== "") inForce = system;
      if (isRepeat) repeats += 1;
      else {
        messages.push(message);
        const line = conversation.lines[at] ?? 0;
        sources.push(line === 0 ? [] : [line]);
      }
    }
  }
  return { messages, sources, notes: [...noteJoined(said.length), ...noteRepeatedSystem(repeats)] };
}

function noteRepeatedSystem(repeats: number): readonly ReadNote[] {
  if (repeats === 0) return [];
  const what = repeats === 1 ? "1 system message that repeats" : `${repeats} system messages that repeat`;
  return [{ code: "repeated_lines", message: `${what} the one in force left out` }];
}
