// What a compacted list must still say of a stretch of conversation, read plainly off the native messages.
import { isHostWritten } from "../../src/providers/message-marks.ts";
import { namedIn } from "./oracle.ts";

export interface Demands {
  readonly written: readonly string[];
  /** Names that users or the assistant said in two messages, one of them in the last third. */
  readonly names: readonly string[];
  readonly users: readonly string[];
}

/* biome-ignore lint/suspicious/noExplicitAny: foreign JSON as it comes. */
type Foreign = any;

interface Call {
  readonly name: string;
  readonly input: Foreign;
}

const WRITES = /^(?:write|edit|multi_?edit|notebookedit|replace|write_file|edit_file|create_file)$/i;

export function demandsOf(messages: readonly unknown[]): Demands {
  const written = messages
    .flatMap(callsOf)
    .flatMap(({ name, input }) => (isWriting(name, input) ? (pathOf(input) ?? []) : []));
  return { written: [...new Set(written)], names: namesOf(messages), users: messages.flatMap(wordsOf) };
}

function namesOf(messages: readonly unknown[]): readonly string[] {
  const said = messages
    .map((message) => [...wordsOf(message), ...statedIn(message)])
    .filter((texts) => texts.length > 0);
  const mentions = new Map<string, { count: number; last: number }>();
  for (const [at, texts] of said.entries())
    for (const name of namedIn({ content: texts.join("\n") }))
      mentions.set(name, { count: (mentions.get(name)?.count ?? 0) + 1, last: at });
  const third = Math.ceil((said.length * 2) / 3);
  return [...mentions].flatMap(([name, { count, last }]) => (count >= 2 && last >= third ? [name] : []));
}

function isWriting(name: string, input: Foreign): boolean {
  if (name === "str_replace_editor") return ["create", "str_replace", "insert"].includes(input.command);
  return WRITES.test(name);
}

function pathOf(input: Foreign): string | undefined {
  return input?.file_path ?? input?.notebook_path ?? input?.path ?? undefined;
}

function statedIn(message: Foreign): readonly string[] {
  if (message.role !== "assistant") return [];
  if (typeof message.content === "string") return [message.content];
  return (message.content ?? []).flatMap((block: Foreign) => (typeof block.text === "string" ? [block.text] : []));
}

/** What a host writes in a person's place: its commands and what they printed. */
const HOST_FRAME = /^\s*<(?:command-(?:name|message)|local-command-\w+|bash-std\w+|system-reminder)>/;

/** Each block that a person wrote. */
function wordsOf(message: Foreign): readonly string[] {
  if (message.role !== "user" || isHostWritten(message)) return [];
  const blocks = typeof message.content === "string" ? [{ text: message.content }] : (message.content ?? []);
  return blocks
    .filter((block: Foreign) => typeof block.text === "string" && !isHostWritten(block))
    .map((block: Foreign) => block.text)
    .filter((text: string) => text.trim() !== "" && !HOST_FRAME.test(text));
}

function callsOf(message: Foreign): readonly Call[] {
  const calls: Call[] = [];
  if (message.role === "assistant" && Array.isArray(message.content))
    for (const block of message.content)
      if (block.type === "tool_use") calls.push({ name: block.name, input: block.input });
  for (const call of message.tool_calls ?? [])
    calls.push({ name: call.function.name, input: parse(call.function.arguments) });
  if (message.type === "function_call") calls.push({ name: message.name, input: parse(message.arguments) });
  return calls;
}

function parse(json: Foreign): Foreign {
  if (typeof json !== "string") return json;
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
