// A session as every library is given it: OpenAI chat, a system message first, valid; and what it holds, by a plain
// reading that shares no code with the product.
import { openaiChatFormat } from "../../../src/providers/openai-chat/openai-chat-format.ts";
import { createTokenCounter } from "../../../src/tokens.ts";
import { USER_UNITS } from "../../facts/held.ts";
import { countMentions, textOf } from "../../facts/oracle.ts";
import type { Probe } from "../../probes/probes.ts";
import type { ChatMessage } from "../peer.ts";
import { writtenFiles } from "./written-files.ts";

const SYSTEM: ChatMessage = {
  role: "system",
  content: "You are an agent that works with tools until the task is done.",
};

export interface ChatSession {
  readonly name: string;
  readonly messages: readonly ChatMessage[];
  /** o200k, message by message. */
  readonly tokens: number;
  /** Named in at least as many messages. */
  readonly namedThrice: readonly string[];
  readonly namedTwice: readonly string[];
  readonly written: readonly string[];
  /** The beginning of each message that a person wrote. */
  readonly users: readonly string[];
  /** Of a session cut before its last fifth: what that needed. */
  readonly probes?: readonly Probe[];
  /** Tokens that count as all of it where it has fewer: a twentieth of these is the least budget of a twentieth. */
  readonly leastTokens?: number;
}

/** A session as the page names it. */
export interface SessionCard {
  readonly name: string;
  readonly tokens: number;
  readonly messages: number;
  readonly isProbed: boolean;
}

export function cardOf({ name, tokens, messages, probes }: ChatSession): SessionCard {
  return { name, tokens, messages: messages.length, isProbed: probes !== undefined };
}

const counter = createTokenCounter({ encoding: "o200k_base" });

/** o200k tokens of one message, each message counted once. */
export function createMessageCount(): (message: ChatMessage) => number {
  const known = new WeakMap<ChatMessage, number>();
  return (message) => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const tokens = counter.countMessages([message]);
    known.set(message, tokens);
    return tokens;
  };
}

export function countAll(messages: readonly ChatMessage[], count = createMessageCount()): number {
  return messages.reduce((sum, message) => sum + count(message), 0);
}

/** `said`: what persons wrote where the file tells them from the host; of that counts what is in the list. */
export function chatSession(name: string, list: readonly unknown[], said?: readonly string[]): ChatSession {
  const messages = healed(list);
  const mentions = [...countMentions(messages)];
  const namedBy = (least: number) => mentions.flatMap(([value, count]) => (count >= least ? [value] : []));
  return {
    name,
    messages,
    tokens: countAll(messages),
    namedThrice: namedBy(3),
    namedTwice: namedBy(2),
    written: writtenFiles(messages),
    users: usersIn(messages, said),
  };
}

function healed(list: readonly unknown[]): readonly ChatMessage[] {
  const { messages } = openaiChatFormat.heal(list) as { messages: readonly ChatMessage[] };
  const answered = openaiChatFormat.validate(messages).length === 0 ? messages : withoutOpenEnd(messages);
  const [fault] = openaiChatFormat.validate(answered);
  if (fault !== undefined) throw new Error(`not valid: ${fault.rule}`);
  return answered[0]?.role === "system" ? answered : [SYSTEM, ...answered];
}

/** Calls in flight at the end have no result yet: the list ends before them. */
function withoutOpenEnd(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = messages.findLastIndex(({ role, tool_calls }) => role === "assistant" && tool_calls !== undefined);
  return messages.slice(0, last);
}

function usersIn(messages: readonly ChatMessage[], said: readonly string[] | undefined): readonly string[] {
  const words = messages.flatMap((message) => {
    const text = message.role === "user" ? textOf([message]).trim() : "";
    return text === "" ? [] : [text];
  });
  const all = words.map(plain).join("\n");
  const ofPersons = said?.filter((text) => all.includes(plain(text.slice(0, USER_UNITS)))) ?? words;
  return [...new Set(ofPersons.map((text) => text.slice(0, USER_UNITS)))];
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
