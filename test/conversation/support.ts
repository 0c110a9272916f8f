// What the conversation tests share: short ways to write messages, and a manager whose archive and events a
// test can look into.

import type { Archive, TokenCounter } from "../../src/index.ts";
import { CompactManager, type ConversationConfig, createCallbackSink, createMemoryArchive } from "../../src/index.ts";
import type { CompactEvent } from "../../src/trace/compact-event.ts";

export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: "function";
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
  readonly meta?: { readonly protected: boolean };
}

export const system = (content: string): ChatMessage => ({ role: "system", content });
export const user = (content: string): ChatMessage => ({ role: "user", content });
export const assistant = (content: string): ChatMessage => ({ role: "assistant", content });

/** One assistant step with these calls and all their results. */
export function pair(
  ids: readonly string[],
  output = "ok",
  name = "read_file",
  input: object = { path: "a.ts" },
): readonly ChatMessage[] {
  const calls = ids.map((id) => ({
    id,
    type: "function" as const,
    function: { name, arguments: JSON.stringify(input) },
  }));
  return [
    { role: "assistant", content: null, tool_calls: calls },
    ...ids.map((id) => ({ role: "tool", tool_call_id: id, content: output })),
  ];
}

/** Turns with answers long enough that summarizing them is worth it. */
export function turns(count: number, text = (n: number) => `question ${n}`): readonly ChatMessage[] {
  return Array.from({ length: count }, (_, index) => [user(text(index + 1)), assistant(longAnswer(index + 1))]).flat();
}

function longAnswer(n: number): string {
  return `answer ${n}. ${Array.from({ length: 150 }, (_, word) => `word${(word * n) % 97}`).join(" ")}`;
}

/** Each message costs the same, whatever it says. */
export function flatCounter(tokens: number): TokenCounter {
  return { name: "flat", isExact: true, count: (text) => Math.ceil(text.length / 4), countMessage: () => tokens };
}

export interface Bench {
  readonly manager: CompactManager;
  readonly archive: Archive;
  readonly events: CompactEvent[];
  /** Events of one kind, typed. */
  of<Name extends CompactEvent["event"]>(name: Name): readonly Extract<CompactEvent, { event: Name }>[];
}

export function bench(config: ConversationConfig = {}): Bench {
  const events: CompactEvent[] = [];
  const archive =
    config.archive !== undefined && config.archive !== false && "saveTranscript" in config.archive
      ? config.archive
      : createMemoryArchive();
  const sink = createCallbackSink((event) => void events.push(event));
  const trace = [sink, ...(config.trace ?? [])];
  const manager = new CompactManager({ now: () => Date.UTC(2031, 0, 2, 3, 4, 5), ...config, archive, trace });
  const of = <Name extends CompactEvent["event"]>(name: Name) =>
    events.filter((event): event is Extract<CompactEvent, { event: Name }> => event.event === name);
  return { manager, archive, events, of };
}

/** The summary message's text, or undefined. */
export function summaryOf(messages: readonly unknown[]): string | undefined {
  return messages
    .map((message) => (message as ChatMessage).content)
    .find((content): content is string => typeof content === "string" && content.startsWith("<COMPACT-SUMMARY"));
}

export function textOf(messages: readonly unknown[]): string {
  return JSON.stringify(messages);
}
