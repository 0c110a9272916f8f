// Which calls run a shell script, and its text: `Bash {command}`, `shell {command: ["bash", "-lc", …]}`, `exec {cmd}`.
import type { FactCall } from "../fact-message.ts";
import { stringsOf } from "./argument-values.ts";
import { hasWord, toolWords } from "./tool-names.ts";

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
