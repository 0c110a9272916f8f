// Flags: text from a shell to numbers and choices, each refused by the flag's own name; the flags that several commands
// share; how an input is refused, with hints for a person at a prompt; and a word as a shell takes it, for those hints.
import type { Command } from "commander";
import { CompactError } from "../errors.ts";
import { figure } from "../text/figures.ts";

/** The flags that every command takes. */
export interface CommonFlags {
  readonly json?: true;
  readonly quiet?: true;
  readonly debug?: true;
  readonly config?: string;
}

const SWITCHES = [
  ...["json", "quiet", "debug", "if-needed", "strict", "dry-run", "no-preserved", "preserve", "off"],
  ...["apply", "aggressive", "contained", "move", "digest", "more-than-half", "all", "yes", "project", "slim"],
];

/** `--strict=true` is `--strict`, `--strict=false` is nothing: what a script writes that has a boolean as text. */
export function readSwitches(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return argv.flatMap((word, index) => {
    const [, name, value] = /^--([a-z-]{1,20})=(true|false)$/.exec(word) ?? [];
    if (name === undefined || !SWITCHES.includes(name) || (end >= 0 && index > end)) return [word];
    return value === "true" ? [`--${name}`] : [];
  });
}

const MOST = 100_000_000;

/** A parser for commander: whole numbers from `least` on. `1e5`, `1.5`, `abc` and signs are refused. */
export function wholeNumber(flag: string, least: number): (value: string) => number {
  return (value) => {
    const text = value.trim().replaceAll("_", "");
    const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= MOST) return number;
    throw badFlag(`${flag} must be a whole number from ${least} to ${figure(MOST)}, not ${quoted(value)}.`);
  };
}

const LAST_PORT = 65_535;

const UNITS: Readonly<Record<string, number>> = { "": 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** A size in bytes: `500000000`, `500MB`, `2 GB`. */
export function byteCount(flag: string): (value: string) => number {
  return (value) => {
    const [, digits, unit = ""] = /^(\d{1,15}) ?(|[kmgt]b)$/.exec(value.trim().toLowerCase().replaceAll("_", "")) ?? [];
    const bytes = Number(digits ?? Number.NaN) * (UNITS[unit] ?? Number.NaN);
    if (bytes > 0 && bytes <= 1e15) return bytes;
    throw badFlag(`${flag} must be a number of bytes above 0, as 500000000 or 500MB, not ${quoted(value)}.`);
  };
}

/** A port to listen on; 0 is any that is free. */
export function port(flag: string): (value: string) => number {
  return (value) => {
    const text = value.trim();
    const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (number <= LAST_PORT) return number;
    throw badFlag(`${flag} must be a port up to ${LAST_PORT}, not ${quoted(value)}.`);
  };
}

/** An age in days; parts of a day are allowed. */
export function days(flag: string): (value: string) => number {
  return (value) => {
    const text = value.trim();
    const number = /^\d{1,5}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
    if (number > 0) return number;
    throw badFlag(`${flag} must be a number of days above 0, not ${quoted(value)}.`);
  };
}

/** A size in kilobytes; parts of one are allowed. */
export function kilobytes(flag: string): (value: string) => number {
  return (value) => {
    const text = value.trim();
    const number = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
    if (number > 0) return number;
    throw badFlag(`${flag} must be a number of kilobytes above 0, not ${quoted(value)}.`);
  };
}

export function oneOf(flag: string, choices: readonly string[]): (value: string) => string {
  return (value) => {
    if (choices.includes(value)) return value;
    throw badFlag(`${flag} must be one of ${choices.join(", ")}, not ${quoted(value)}.`);
  };
}

/** A path or a name: an empty one is a shell variable that was not set. */
export function filledText(flag: string): (value: string) => string {
  return (value) => {
    if (value.trim() !== "") return value;
    throw badFlag(`${flag} is empty.`, "Give it a value, or leave it out.");
  };
}

/** `--out -` and `--json` both want stdout. `planOut`: the plan is what is written. */
export function refuseTwoOutputs(flags: {
  readonly json?: true;
  readonly out?: string;
  readonly planOut?: string;
}): void {
  const { json, out, planOut } = flags;
  if (json !== true || (out !== "-" && planOut !== "-")) return;
  const [flag, what] = planOut === "-" ? ["--plan-out", "plan"] : ["--out", "result"];
  throw badFlag(
    `${flag} - and --json both write to stdout.`,
    `Write the ${what} to a file with ${flag} FILE, or leave --json out.`,
  );
}

export function badFlag(message: string, hint = "See the command's --help."): CompactError {
  return new CompactError("InvalidInput", message, { code: "INVALID_FLAG", hint });
}

export function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value);
}

// Flags and help that several commands share.

export const DEFAULT_DATABASE = "~/.agent-compact/memory.db";
export const DEFAULT_DECISION_DATABASE = "~/.agent-compact/decisions.db";

export function withArchive(command: Command): Command {
  return command
    .option("--session-id <id>", "session in the archive", filledText("--session-id"))
    .option("--archive-dir <dir>", "the archive's folder (.compact/archive)", filledText("--archive-dir"));
}

export function example(...lines: readonly string[]): string {
  return `\nExample:\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
}

// The one way this folder refuses an input.

export function badInput(code: string, message: string, hint: string): CompactError {
  return new CompactError("InvalidInput", message, { code, hint });
}

/** A word as a POSIX shell takes it. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
