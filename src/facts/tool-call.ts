// Reads tool calls, whose names and arguments differ from host to host: `str_replace_editor`, `MultiEdit`,
// `mcp__fs__write_file`; `Bash {command}`, `shell {command: ["bash", "-lc", …]}`, `exec {cmd}`.
import { parseJson } from "../text/parse-json.ts";
import type { FactCall } from "./fact-message.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** The lower-case words of a tool's own name, without the server or namespace before it. */
export function toolWords(name: string): readonly string[] {
  const own = name.slice(0, 200).split(/__|[./:]/);
  const words = (own.at(-1) ?? "").replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.split(/[^a-z0-9]+/).filter((word) => word !== "");
}

export function hasWord(words: readonly string[], set: ReadonlySet<string>): boolean {
  return words.some((word) => set.has(word));
}

/** The first of these arguments that is a string. */
export function firstString(input: Arguments | undefined, keys: readonly string[]): string | undefined {
  return keys.map((key) => input?.[key]).find((value) => typeof value === "string");
}

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
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const SCRIPT_KEYS = ["command", "cmd", "script", "commands", "command_line", "CommandLine", "shell_command"];
const SHELL_WORDS = new Set("bash shell sh zsh terminal exec execute command cmd run powershell".split(" "));
const EDITOR_WORDS = new Set("edit editor replace write view file notebook patch".split(" "));
const SHELLS = /^(?:.{0,100}[\\/])?(?:bash|sh|zsh|dash|fish|pwsh|powershell|cmd)(?:\.exe)?$/i;

/** The script that a call runs; undefined when it is no call of a shell. An editor's `command` stands beside a path. */
export function scriptOf({ name, input }: FactCall): string | undefined {
  const value = SCRIPT_KEYS.map((key) => input?.[key]).find(
    (given) => typeof given === "string" || Array.isArray(given),
  );
  if (value === undefined) return undefined;
  const namesFile = Object.keys(input ?? {}).some((key) => /path|file/i.test(key));
  const words = toolWords(name);
  if (namesFile && (!hasWord(words, SHELL_WORDS) || hasWord(words, EDITOR_WORDS))) return undefined;
  const given = stringsOf(value);
  // Each of several commands is a line of its own.
  const lines = value === input?.commands ? given.join("\n") : scriptOfWords(given);
  const script = typeof value === "string" ? value : lines;
  return script.trim() === "" ? undefined : script;
}

function scriptOfWords(words: readonly string[]): string {
  return SHELLS.test(words[0] ?? "") && /^[-/]/.test(words[1] ?? "") ? words.slice(2).join(" ") : quoteWords(words);
}

/** Words as they are typed in a shell. */
export function quoteWords(words: readonly string[]): string {
  const quoted = words.map((word) =>
    /^[\w@%+=:,./~-]{1,400}$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return quoted.join(" ");
}

/** The user or the host did not let the call go through. */
export function isRefusal(text: string): boolean {
  return /^(?:<tool_use_error>)?(?:the user (?:doesn't|does not|rejected|denied|declined)|sibling tool call|\[?request interrupted|.{0,60}\b(?:rejected|denied|aborted|interrupted) by )/i.test(
    text.slice(0, 200).trimStart(),
  );
}
