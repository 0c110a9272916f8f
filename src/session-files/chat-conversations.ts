// Several OpenAI chat conversations of one file as one list. System messages always stay in a list, so one that only
// says again what is in force already would fill the window with copies: it goes, and is told.
import type { JsonLineFault } from "../text/json.ts";
import { isObject, type JsonObject, toJson } from "../text/json-values.ts";
import type { ReadNote, SessionRead } from "./session-reader.ts";
import { sessionNotes } from "./session-values.ts";

export interface ChatConversation {
  readonly messages: readonly unknown[];
  /** For each message the 1-based line of the file; 0 in a file that is one JSON document. */
  readonly lines: readonly number[];
}

/** The reading of all of them, with what the file says beside the messages. */
export function readConversations(
  conversations: readonly ChatConversation[],
  faults: readonly JsonLineFault[],
  beside: {
    readonly sessionId: string | undefined;
    readonly model: string;
    readonly tools?: SessionRead["tools"] | undefined;
  },
): SessionRead {
  const said = conversations.filter(({ messages }) => messages.length > 0);
  const entries = said.flatMap(({ messages, lines }) =>
    messages.map((message, at) => ({ message, line: lines[at] ?? 0 })),
  );
  let inForce = "";
  const kept = entries.filter(({ message }) => {
    const system = isObject(message) && message.role === "system" ? toJson(message) : "";
    const isRepeat = system !== "" && system === inForce;
    if (system !== "") inForce = system;
    return !isRepeat;
  });
  const { sessionId, tools, model } = beside;
  return {
    sessionId,
    format: "openai-chat",
    messages: kept.map(({ message }) => message),
    sources: kept.map(({ line }) => (line === 0 ? [] : [line])),
    notes: [...sessionNotes(faults, { sessions: said.length }), ...noteRepeatedSystem(entries.length - kept.length)],
    ...(tools === undefined ? {} : { tools }),
    ...(model === "" ? {} : { model }),
  };
}

/** A call of OpenAI chat, whose arguments are text. */
export function chatCall(id: unknown, name: unknown, given: unknown): JsonObject {
  return {
    id,
    type: "function",
    function: { name, arguments: typeof given === "string" ? given : toJson(given ?? {}) },
  };
}

function noteRepeatedSystem(repeats: number): readonly ReadNote[] {
  if (repeats === 0) return [];
  const what = repeats === 1 ? "1 system message that repeats" : `${repeats} system messages that repeat`;
  return [{ code: "repeated_lines", message: `${what} the one in force left out` }];
}
