// Short ways to write the messages that the extractors read, numbered from 1 on.
import type { FactMessage } from "../../src/facts/fact-message.ts";

export type Line =
  | { readonly user: string }
  | { readonly says: string }
  | { readonly call: readonly [name: string, input: unknown, output?: string, isError?: boolean] };

export const user = (text: string): Line => ({ user: text });
export const says = (text: string): Line => ({ says: text });
export const call = (name: string, input: unknown, output?: string, isError = false): Line =>
  output === undefined ? { call: [name, input] } : { call: [name, input, output, isError] };
export const bash = (command: string, output?: string, isError = false): Line =>
  call("Bash", { command }, output, isError);
export const edit = (path: string, before: string, after: string, output = "ok"): Line =>
  call("Edit", { file_path: path, old_string: before, new_string: after }, output);

/** A call and its result are two messages. Arguments that are a string are the raw text of the arguments. */
export function factMessages(lines: readonly Line[], step = 1): readonly FactMessage[] {
  const messages: FactMessage[] = [];
  const add = (parts: Partial<FactMessage>) =>
    messages.push({
      source: { step, message: messages.length + 1 },
      spoken: [],
      calls: [],
      results: [],
      attached: [],
      thoughts: [],
      ...parts,
    });
  for (const [at, line] of lines.entries()) {
    if ("user" in line) add({ spoken: [{ author: "user", text: line.user }] });
    else if ("says" in line) add({ spoken: [{ author: "assistant", text: line.says }] });
    else {
      const [name, input, output, isError = false] = line.call;
      const callId = `c${at}`;
      add({ calls: [readCall(callId, name, input)] });
      if (output !== undefined) add({ results: [{ callId, text: output, isError }] });
    }
  }
  return messages;
}

function readCall(callId: string, name: string, input: unknown): FactMessage["calls"][number] {
  if (typeof input === "string") return { callId, name, input: undefined, texts: [input] };
  const texts: string[] = [];
  collect(input, texts);
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return { callId, name, input: isObject ? (input as Record<string, unknown>) : undefined, texts };
}

function collect(value: unknown, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null) for (const entry of Object.values(value)) collect(entry, texts);
}
