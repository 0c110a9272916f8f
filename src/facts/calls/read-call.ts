// What a tool is, by the words of its name: hosts spell them `str_replace_editor`, `MultiEdit`, `mcp__fs__write_file`.
import type { FactCall } from "../fact-message.ts";

/** The lower-case words of a tool's own name, without the server or namespace before it. */
export function toolWords(name: string): readonly string[] {
  const own =
    name
      .slice(0, 200)
      .split(/__|[./:]/)
      .at(-1) ?? "";
  return own
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

export function hasWord(words: readonly string[], set: ReadonlySet<string>): boolean {
  return words.some((word) => set.has(word));
}

// Reads arguments whose names and types differ from tool to tool; whatever has another type counts as absent.

type Arguments = Readonly<Record<string, unknown>>;

/** The first of these arguments that is a string. */
export function firstString(input: Arguments | undefined, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input?.[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The objects of a list argument. */
export function objectsOf(value: unknown): readonly Arguments[] {
  return Array.isArray(value) ? value.filter(isArguments) : [];
}

export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}

export function isArguments(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text that is an object or a list; undefined for anything else. */
export function parseStructure(text: string): unknown {
  const start = text.trimStart().charAt(0);
  if (start !== "{" && start !== "[") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Which calls run a shell script, and its text: `Bash {command}`, `shell {command: ["bash", "-lc", …]}`, `exec {cmd}`.

const SCRIPT_KEYS = ["command", "cmd", "script", "commands", "command_line", "CommandLine", "shell_command"];
const SHELL_WORDS = new Set([
  "bash",
  "shell",
  "sh",
  "zsh",
  "terminal",
  "exec",
  "execute",
  "command",
  "cmd",
  "run",
  "powershell",
]);
const EDITOR_WORDS = new Set(["edit", "editor", "replace", "write", "view", "file", "notebook", "patch"]);
const SHELLS = /^(?:.{0,100}[\\/])?(?:bash|sh|zsh|dash|fish|pwsh|powershell|cmd)(?:\.exe)?$/i;
const CODE_FLAGS = /^(?:-l?i?c|-lc|-ic|-Command|\/c)$/;

/** The script that a call runs; undefined when it is no call of a shell. */
export function scriptOf({ name, input }: FactCall): string | undefined {
  const words = toolWords(name);
  if (input === undefined || hasWord(words, EDITOR_WORDS)) return undefined;
  const key = SCRIPT_KEYS.find((name) => typeof input[name] === "string" || Array.isArray(input[name]));
  if (key === undefined) return undefined;
  if (!hasWord(words, SHELL_WORDS) && typeof input.path === "string") return undefined;
  const value = input[key];
  const script = typeof value === "string" ? value : scriptOfWords(stringsOf(value));
  return script.trim() === "" ? undefined : script;
}

function scriptOfWords(words: readonly string[]): string {
  if (SHELLS.test(words[0] ?? "") && CODE_FLAGS.test(words[1] ?? "")) return words.slice(2).join(" ");
  return words
    .map((word) => (/^[\w@%+=:,./-]{1,400}$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}
