// The files that a session wrote, read off its calls: a tool whose name says that it writes, and the path it was given.
import type { ChatMessage } from "../peer.ts";

const WRITES = /write|edit|create|replace|insert|patch/i;
const PATHS = ["file_path", "notebook_path", "filePath", "absolute_path", "filename", "path"] as const;

/* biome-ignore lint/suspicious/noExplicitAny: the oracle reads foreign JSON as it comes. */
type Foreign = any;

export function writtenFiles(messages: readonly ChatMessage[]): readonly string[] {
  const written = new Set<string>();
  for (const message of messages as readonly Foreign[]) {
    for (const call of message.tool_calls ?? []) {
      const path = pathOf(call.function);
      if (path !== undefined) written.add(path);
    }
  }
  return [...written];
}

function pathOf({ name, arguments: json }: Foreign): string | undefined {
  const input = parsed(json);
  // An editor of many commands also views.
  const isWrite = WRITES.test(name) && !/^view/.test(String(input.command ?? ""));
  if (!isWrite || /todo/i.test(name)) return undefined;
  const path = PATHS.map((key) => input[key]).find((value) => typeof value === "string" && value.trim() !== "");
  return path as string | undefined;
}

function parsed(json: unknown): Foreign {
  try {
    return JSON.parse(String(json)) ?? {};
  } catch {
    return {};
  }
}
