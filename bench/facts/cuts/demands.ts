// What a compacted list must still say of a stretch of conversation, read plainly off the native messages.
import { isHostWritten } from "../../../src/formats/protected.ts";
import { USER_UNITS } from "../held.ts";
import { countMentions } from "../oracle.ts";

export interface Demands {
  readonly users: readonly string[];
  readonly written: readonly string[];
  readonly identifiers: readonly string[];
  readonly systems: readonly string[];
  /** Sections of a task state that have content. */
  readonly content: readonly string[];
}

/* biome-ignore lint/suspicious/noExplicitAny: foreign JSON as it comes. */
type Foreign = any;

interface Call {
  readonly name: string;
  readonly input: Foreign;
}

const WRITES = /^(?:write|edit|multi_?edit|notebookedit|replace|write_file|edit_file|create_file)$/i;
const RUNS = /^(?:bash|shell|run_shell_command|execute_bash|run_command)$/i;
const READS = /^(?:read|read_file|view)$/i;
const PLANS = /^(?:todowrite|update_plan|write_todos)$/i;

export function demandsOf(messages: readonly unknown[], mentions: number, left: readonly unknown[]): Demands {
  const calls = messages.flatMap(callsOf);
  const written = calls.flatMap(({ name, input }) => (isWriting(name, input) ? (pathOf(input) ?? []) : []));
  const kept = new Set(left.map((message) => JSON.stringify(message)));
  return {
    users: messages.flatMap(wordsOf).map((words) => words.slice(0, USER_UNITS)),
    written: [...new Set(written)],
    identifiers: [...countMentions(messages)].flatMap(([value, count]) => (count >= mentions ? [value] : [])),
    systems: messages.filter(isSystem).flatMap(textsOf),
    content: contentOf(messages.filter((message) => !kept.has(JSON.stringify(message)))),
  };
}

function contentOf(gone: readonly unknown[]): readonly string[] {
  const calls = gone.flatMap(callsOf);
  const has = (pattern: RegExp) => calls.some(({ name }) => pattern.test(name));
  const changed = new Set(calls.flatMap(({ name, input }) => (isWriting(name, input) ? (pathOf(input) ?? []) : [])));
  const isRead = ({ name, input }: Call) => READS.test(name) && !changed.has(pathOf(input) ?? "");
  const isLong = (message: Foreign) => message.role === "assistant" && textsOf(message).join("").length > 200;
  const sections: readonly (readonly [string, boolean])[] = [
    ["Goals and requests", gone.some((message) => wordsOf(message).length > 0)],
    ["Files changed", calls.some(({ name, input }) => isWriting(name, input) && pathOf(input) !== undefined)],
    ["Commands", has(RUNS)],
    ["Files read", calls.some((call) => isRead(call) && pathOf(call.input) !== undefined)],
    [
      "State of the plan",
      calls.some(({ name, input }) => PLANS.test(name) && (input.todos ?? input.plan ?? []).length > 0),
    ],
    ["Progress", gone.some(isLong)],
  ];
  return sections.flatMap(([title, isThere]) => (isThere ? [title] : []));
}

function isWriting(name: string, input: Foreign): boolean {
  if (name === "str_replace_editor") return ["create", "str_replace", "insert"].includes(input.command);
  return WRITES.test(name);
}

function pathOf(input: Foreign): string | undefined {
  return input?.file_path ?? input?.notebook_path ?? input?.path ?? undefined;
}

const isSystem = (message: Foreign): boolean => message.role === "system" || message.role === "developer";

function textsOf(message: Foreign): readonly string[] {
  if (typeof message.content === "string") return [message.content];
  return (message.content ?? []).flatMap((block: Foreign) => (typeof block.text === "string" ? [block.text] : []));
}

/** Each block that a person wrote. */
function wordsOf(message: Foreign): readonly string[] {
  if (message.role !== "user" || isHostWritten(message)) return [];
  if (typeof message.content === "string") return [message.content].filter((text) => text.trim() !== "");
  const blocks = (message.content ?? []).filter(
    (block: Foreign) => typeof block.text === "string" && !isHostWritten(block),
  );
  return blocks.map((block: Foreign) => block.text).filter((text: string) => text.trim() !== "");
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
