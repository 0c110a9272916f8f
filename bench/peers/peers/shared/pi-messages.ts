// OpenAI chat as pi's messages and back: one message per result, calls with their arguments parsed.
import type { AssistantMessage, Message, ToolCall } from "@earendil-works/pi-ai";
import { convertToLlm } from "@earendil-works/pi-coding-agent";
import type { ChatMessage } from "../../peer.ts";
import { callsOf, namesByCall, parseArguments, textOf } from "./chat.ts";
import { Originals } from "./originals.ts";

export const PI_PROVIDER = "peer";
export const PI_MODEL = "peer";
/** No usage is known of recorded messages, so pi estimates their size from their characters. */
const NO_USAGE: AssistantMessage["usage"] = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

type Content = AssistantMessage["content"];
type AgentMessages = Parameters<typeof convertToLlm>[0];

export class PiMessages {
  readonly #originals = new Originals();
  #clock = 1;

  fromChat(messages: readonly ChatMessage[], names = namesByCall(messages)): Message[] {
    const converted = messages.map((message) => toPi(message, names, this.#clock++));
    this.#originals.remember(messages, converted.map(toChat));
    return converted;
  }

  /** As pi writes its messages, summaries among them, for a model. Its system prompt is the comparison's to keep. */
  toChat(messages: AgentMessages): readonly ChatMessage[] {
    const sent = convertToLlm(messages).filter(({ role }) => role !== "system");
    return this.#originals.restoreAll(sent.map(toChat));
  }
}

export function piAnswer(content: Content, timestamp: number, failure?: string): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: PI_PROVIDER,
    provider: PI_PROVIDER,
    model: PI_MODEL,
    usage: NO_USAGE,
    stopReason: failure === undefined ? "stop" : "error",
    ...(failure !== undefined && { errorMessage: failure }),
    timestamp,
  };
}

function toPi(message: ChatMessage, names: ReadonlyMap<string, string>, timestamp: number): Message {
  const text = textOf(message);
  const texts = [{ type: "text" as const, text }];
  if (message.role === "tool") {
    const toolCallId = message.tool_call_id as string;
    const toolName = names.get(toolCallId) ?? "unknown";
    return { role: "toolResult", toolCallId, toolName, content: texts, isError: false, timestamp };
  }
  if (message.role !== "assistant") return { role: "user", content: texts, timestamp };
  const calls = callsOf(message).map(({ id, name, arguments: given }) => ({
    type: "toolCall" as const,
    id,
    name,
    arguments: parseArguments(given) as ToolCall["arguments"],
  }));
  return piAnswer(text === "" && calls.length > 0 ? calls : [...texts, ...calls], timestamp);
}

function toChat(message: Message): ChatMessage {
  const parts =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const content = texts.join("\n");
  if (message.role === "toolResult") return { role: "tool", tool_call_id: message.toolCallId, content };
  if (message.role !== "assistant") return { role: "user", content };
  const calls = message.content.flatMap((part) =>
    part.type === "toolCall"
      ? [{ id: part.id, type: "function", function: { name: part.name, arguments: JSON.stringify(part.arguments) } }]
      : [],
  );
  return {
    role: "assistant",
    content: texts.length === 0 ? null : content,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}
