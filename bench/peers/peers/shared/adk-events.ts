// OpenAI chat as events of Google's ADK and back: results of one turn stand in one event there, as its flow writes them.
import { createEvent, type Event } from "@google/adk";
import type { ChatMessage } from "../../peer.ts";
import { callsOf, namesByCall, parseArguments, textOf } from "./chat.ts";
import { Originals } from "./originals.ts";

export const AGENT = "agent";

/** A part of a content, as far as this conversion makes them. */
export interface AdkPart {
  readonly text?: string | undefined;
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: Record<string, unknown> };
  readonly functionResponse?: {
    readonly id: string;
    readonly name: string;
    readonly response: { readonly output?: unknown };
  };
}

export interface AdkContent {
  readonly role?: string;
  readonly parts?: readonly AdkPart[];
}

export class AdkEvents {
  readonly #originals = new Originals();
  #clock = 1;

  /** Its compaction goes by time stamps: each event has its own. */
  fromChat(messages: readonly ChatMessage[], names = namesByCall(messages)): Event[] {
    const contents: { author: string; role: string; parts: AdkPart[] }[] = [];
    let before: unknown;
    for (const message of messages) {
      const parts = partsOf(message, names);
      const role = message.role === "assistant" ? "model" : "user";
      if (message.role === "tool" && before === "tool") contents.at(-1)?.parts.push(...parts);
      else contents.push({ author: message.role === "user" ? "user" : AGENT, role, parts });
      before = message.role;
    }
    this.#originals.remember(messages, contents.flatMap(formsOf));
    return contents.map(({ author, ...content }) =>
      createEvent({ author, content: content as NonNullable<Event["content"]>, timestamp: this.#clock++ }),
    );
  }

  toChat(contents: readonly AdkContent[]): readonly ChatMessage[] {
    return this.#originals.restoreAll(contents.flatMap(formsOf));
  }
}

function partsOf(message: ChatMessage, names: ReadonlyMap<string, string>): AdkPart[] {
  const text = textOf(message);
  if (message.role === "tool") {
    const id = message.tool_call_id as string;
    return [{ functionResponse: { id, name: names.get(id) ?? "unknown", response: { output: text } } }];
  }
  const calls = callsOf(message).map(({ id, name, arguments: given }) => ({
    functionCall: { id, name, args: parseArguments(given) },
  }));
  return text === "" && calls.length > 0 ? calls : [{ text }, ...calls];
}

function formsOf({ role, parts = [] }: AdkContent): readonly ChatMessage[] {
  const texts = parts.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const results = parts.flatMap(({ functionResponse: result }) =>
    result === undefined ? [] : [{ role: "tool", tool_call_id: result.id, content: outputOf(result.response) }],
  );
  const calls = parts.flatMap(({ functionCall: call }) =>
    call === undefined
      ? []
      : [{ id: call.id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.args) } }],
  );
  if (results.length > 0)
    return [...results, ...(texts.length > 0 ? [{ role: "user", content: texts.join("\n") }] : [])];
  const content = texts.length === 0 ? null : texts.join("\n");
  if (role !== "model") return [{ role: "user", content: content ?? "" }];
  return [{ role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) }];
}

function outputOf({ output, ...rest }: { readonly output?: unknown }): string {
  return typeof output === "string" ? output : JSON.stringify({ output, ...rest });
}
