// OpenAI chat as the `ai` SDK's model messages and back, as its own chat provider writes them. Results of one turn
// stand in one tool message there.
import type { ModelMessage } from "ai";
import type { ChatMessage } from "../../peer.ts";
import { callsOf, namesByCall, parseArguments, textOf } from "./chat.ts";
import { Originals } from "./originals.ts";

/** A part of a model message, as far as this conversion makes them. */
interface Part {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: { readonly type: string; readonly value: unknown };
}

export class AiMessages {
  readonly #originals = new Originals();

  fromChat(messages: readonly ChatMessage[]): ModelMessage[] {
    const names = namesByCall(messages);
    const converted: { role: string; content: string | Part[] }[] = [];
    for (const message of messages) {
      const last = converted.at(-1);
      const content = contentOf(message, names);
      if (message.role === "tool" && last?.role === "tool") last.content = [...last.content, ...content] as Part[];
      else converted.push({ role: message.role === "developer" ? "system" : (message.role as string), content });
    }
    this.#originals.remember(messages, formsOf(converted as ModelMessage[]));
    return converted as ModelMessage[];
  }

  toChat(messages: readonly ModelMessage[]): readonly ChatMessage[] {
    return this.#originals.restoreAll(formsOf(messages));
  }
}

function contentOf(message: ChatMessage, names: ReadonlyMap<string, string>): string | Part[] {
  const text = textOf(message);
  if (message.role === "tool") {
    const toolCallId = message.tool_call_id as string;
    const toolName = names.get(toolCallId) ?? "unknown";
    return [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value: text } }];
  }
  if (message.role !== "assistant") return text;
  const calls = callsOf(message).map(({ id, name, arguments: given }) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input: parseArguments(given),
  }));
  const reasoning = typeof message.reasoning_content === "string" ? message.reasoning_content : "";
  return [
    ...(reasoning === "" ? [] : [{ type: "reasoning", text: reasoning }]),
    ...(text === "" && calls.length > 0 ? [] : [{ type: "text", text }]),
    ...calls,
  ];
}

function formsOf(messages: readonly ModelMessage[]): readonly ChatMessage[] {
  return messages.flatMap(({ role, content }) => {
    if (typeof content === "string") return [{ role, content }];
    const parts = content as readonly Part[];
    return role === "tool" ? parts.map(formOfResult) : [formOfAssistant(parts)];
  });
}

function formOfResult({ toolCallId, output }: Part): ChatMessage {
  const value = output?.value;
  return { role: "tool", tool_call_id: toolCallId, content: typeof value === "string" ? value : JSON.stringify(value) };
}

function formOfAssistant(parts: readonly Part[]): ChatMessage {
  const joined = (type: string) => parts.flatMap((part) => (part.type === type ? [part.text ?? ""] : [])).join("");
  const calls = parts.flatMap(({ type, toolCallId, toolName, input }) =>
    type === "tool-call"
      ? [{ id: toolCallId, type: "function", function: { name: toolName, arguments: JSON.stringify(input) } }]
      : [],
  );
  const text = joined("text");
  const reasoning = joined("reasoning");
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}
