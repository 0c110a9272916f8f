// Reads from a tool call which files it reads or writes: by the tool's name and the argument that holds a path,
// by the headers of an `apply_patch` text, and by plain redirections in a shell command.
import type { FactCall } from "../fact-message.ts";
import type { FileFact } from "../ledger.ts";

export interface FileOperation {
  readonly path: string;
  readonly operation: FileFact["operation"];
}

const PATH_KEYS = [
  "file_path",
  "filepath",
  "filePath",
  "path",
  "notebook_path",
  "file",
  "filename",
  "target_file",
  "absolute_path",
];
const WRITING_TOOL = /write|edit|create|patch|replace|insert|append|move|rename|delete|remove|save/i;
const READING_TOOL = /read|view|open|cat|get|show|load/i;
const PATCH_HEADER = /^\*\*\* (?:Update|Add|Delete) File: (.{1,400})$/gm;
const REDIRECTION = /(?:^|[\s;&|])(?:\d?>{1,2}|tee(?: -a)?)\s{0,4}(["']?)([\w@+.~/-]{1,300})\1/g;
const READ_ONLY_COMMANDS = new Set(["view", "read"]);

/** File operations of one call; a call whose arguments are no JSON object is read as a patch or command. */
export function fileOperations({ name, input, texts }: FactCall): readonly FileOperation[] {
  const operations: FileOperation[] = [];
  for (const path of pathsOf(input)) {
    const operation = operationOf(name, input);
    if (operation !== undefined) operations.push({ path, operation });
  }
  const scripts =
    input === undefined ? texts : ["command", "cmd", "input", "patch"].map((key) => shellText(input[key]));
  for (const script of scripts) operations.push(...scriptOperations(script));
  return operations;
}

function operationOf(
  toolName: string,
  input: Readonly<Record<string, unknown>> | undefined,
): FileFact["operation"] | undefined {
  const command = input?.command;
  if (typeof command === "string" && READ_ONLY_COMMANDS.has(command)) return "read";
  if (WRITING_TOOL.test(toolName)) return "written";
  return READING_TOOL.test(toolName) ? "read" : undefined;
}

function pathsOf(input: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  if (input === undefined) return [];
  const paths: string[] = [];
  for (const key of PATH_KEYS) {
    const value = input[key];
    if (typeof value === "string" && value.length > 0 && value.length <= 400 && !value.includes("\n"))
      paths.push(value);
  }
  return paths;
}

function shellText(value: unknown): string {
  if (Array.isArray(value)) return value.filter((word) => typeof word === "string").join(" ");
  return typeof value === "string" ? value : "";
}

function scriptOperations(script: string): readonly FileOperation[] {
  const operations: FileOperation[] = [];
  for (const match of script.matchAll(PATCH_HEADER))
    operations.push({ path: (match[1] ?? "").trim(), operation: "written" });
  for (const match of script.matchAll(REDIRECTION)) {
    const path = match[2] ?? "";
    if (!path.startsWith("/dev/") && /[A-Za-z]/.test(path)) operations.push({ path, operation: "written" });
  }
  return operations;
}
