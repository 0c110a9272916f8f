// OpenAI chat as LangChain's messages and back, by LangChain's own converters, and their size by our counter.
import { type BaseMessage, type BaseMessageLike, coerceMessageLikeToMessage } from "@langchain/core/messages";
import { convertMessagesToCompletionsMessageParams } from "@langchain/openai";
import type { ChatMessage } from "../../peer.ts";
import { callsOf, parseArguments } from "./chat.ts";
import { Originals } from "./originals.ts";

/** One conversation's messages: what LangChain made in an earlier round is the same object in the next. */
export class LangChainMessages {
  readonly #originals = new Originals();
  readonly #made = new Map<string, BaseMessage>();
  #sizes = new WeakMap<BaseMessage, number>();

  fromChat(messages: readonly ChatMessage[]): BaseMessage[] {
    const converted = messages.map((message) => this.#made.get(JSON.stringify(message)) ?? toLangChain(message));
    this.#originals.remember(messages, toChat(converted));
    return converted;
  }

  toChat(messages: readonly BaseMessage[]): readonly ChatMessage[] {
    return messages.map((message) => {
      const [form = {}] = toChat([message]);
      const chat = this.#originals.restore(form);
      if (chat === form) this.#made.set(JSON.stringify(form), message);
      return chat;
    });
  }

  /** LangChain counts slices of the same list over and over: each message is converted once. */
  counter(count: (message: ChatMessage) => number): (messages: BaseMessage[]) => number {
    const sizeOf = (message: BaseMessage): number => {
      const known = this.#sizes.get(message);
      if (known !== undefined) return known;
      const [form = {}] = toChat([message]);
      const size = count(this.#originals.restore(form));
      this.#sizes.set(message, size);
      return size;
    };
    return (messages) => messages.reduce((sum, message) => sum + sizeOf(message), 0);
  }
}

function toLangChain(message: ChatMessage): BaseMessage {
  const calls = callsOf(message).map(({ id, name, arguments: text }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(parseArguments(text)) },
  }));
  const { tool_calls: _, ...rest } = message;
  const like = { ...rest, content: message.content ?? "", ...(calls.length > 0 && { tool_calls: calls }) };
  return coerceMessageLikeToMessage(like as unknown as BaseMessageLike);
}

function toChat(messages: BaseMessage[]): readonly ChatMessage[] {
  return convertMessagesToCompletionsMessageParams({ messages }) as unknown as readonly ChatMessage[];
}
