// What every peer reads of OpenAI chat, whatever library it calls.
import type { ChatMessage } from "../../peer.ts";

export interface ChatCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: they need not be JSON. */
  readonly arguments: string;
}

interface NativeCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export function callsOf(message: ChatMessage): readonly ChatCall[] {
  if (!Array.isArray(message.tool_calls)) return [];
  return (message.tool_calls as NativeCall[]).map(({ id, function: called }) => ({
    id,
    name: called.name,
    arguments: called.arguments,
  }));
}

/** Libraries keep arguments parsed. Those that no parser takes are carried whole under one key. */
export function parseArguments(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // Not JSON: below.
  }
  return { unparsed: text };
}

/** Text of a message: its string, or its text parts one after the other. */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as { text?: unknown }[]).map((part) => (typeof part.text === "string" ? part.text : "")).join("");
}

/** The system messages at the head, which frameworks keep beside the conversation, and the conversation. */
export function splitSystem(messages: readonly ChatMessage[]): {
  readonly system: readonly ChatMessage[];
  readonly rest: readonly ChatMessage[];
} {
  const first = messages.findIndex(({ role }) => role !== "system" && role !== "developer");
  const head = first === -1 ? messages.length : first;
  return { system: messages.slice(0, head), rest: messages.slice(head) };
}

/** Name of the tool behind each call id: OpenAI's results do not repeat it, most libraries want it. */
export function namesByCall(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  return new Map(messages.flatMap((message) => callsOf(message).map(({ id, name }) => [id, name] as const)));
}

export function countAll(messages: readonly ChatMessage[], count: (message: ChatMessage) => number): number {
  return messages.reduce((sum, message) => sum + count(message), 0);
}
