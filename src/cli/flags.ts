// Flags: text from a shell to numbers and choices, each refused by the flag's own name; the flags that several commands
// share; how an input is refused, with hints for a person at a prompt; and a word as a shell takes it, for those hints.
import { CompactError } from "../errors.ts";
import { figure } from "../text/figures.ts";

/** The flags that every command takes. */
export interface CommonFlags {
  readonly json?: true;
  readonly quiet?: true;
  readonly debug?: true;
  readonly config?: string;
}

/** From a shell's text to a value; `flag` is how a refusal names it. `before`: what the same flag gave earlier on the line. */
export type Parser<Value = unknown> = (value: string, flag: string, before?: unknown) => Value;

function number(pattern: RegExp, what: string, isIn = (value: number) => value > 0): Parser<number> {
  return (value, flag) => {
    const text = value.trim().replaceAll("_", "");
    const read = pattern.test(text) ? Number(text) : Number.NaN;
    if (isIn(read)) return read;
    throw badFlag(`${flag} must be ${what}, not ${quoted(value)}.`);
  };
}

const MOST = 100_000_000;
const LAST_PORT = 65_535;

/** Whole numbers from `least` on. `1e5`, `1.5`, `abc` and signs are refused. */
export const wholeNumber = (least: number) =>
  number(/^\d{1,12}$/, `a whole number from ${least} to ${figure(MOST)}`, (value) => value >= least && value <= MOST);

/** A port to listen on; 0 is any that is free. */
export const port = number(/^\d{1,5}$/, `a port up to ${LAST_PORT}`, (value) => value <= LAST_PORT);

/** An age in days; parts of a day are allowed. */
export const days = number(/^\d{1,5}(\.\d{1,6})?$/, "a number of days above 0");

/** A size in kilobytes; parts of one are allowed. */
export const kilobytes = number(/^\d{1,7}(\.\d{1,6})?$/, "a number of kilobytes above 0");

const UNITS: Readonly<Record<string, number>> = { "": 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** A size in bytes: `500000000`, `500MB`, `2 GB`. */
export const byteCount: Parser<number> = (value, flag) => {
  const [, digits, unit = ""] = /^(\d{1,15}) ?(|[kmgt]b)$/.exec(value.trim().toLowerCase().replaceAll("_", "")) ?? [];
  const bytes = Number(digits ?? Number.NaN) * (UNITS[unit] ?? Number.NaN);
  if (bytes > 0 && bytes <= 1e15) return bytes;
  throw badFlag(`${flag} must be a number of bytes above 0, as 500000000 or 500MB, not ${quoted(value)}.`);
};

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Parser<Choice> {
  return (value, flag) => {
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw badFlag(`${flag} must be one of ${choices.join(", ")}, not ${quoted(value)}.`);
  };
}

/** A path or a name: an empty one is a shell variable that was not set. */
export const filledText: Parser<string> = (value, flag) => {
  if (value.trim() !== "") return value;
  throw badFlag(`${flag} is empty.`, "Give it a value, or leave it out.");
};

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

export const DEFAULT_DATABASE = "~/.agent-compact/memory.db";
export const DEFAULT_DECISION_DATABASE = "~/.agent-compact/decisions.db";

export const ARCHIVE_DIR = ["--archive-dir <dir>", "the archive's folder (.compact/archive)"] as const;
export const ARCHIVE = [["--session-id <id>", "session in the archive"], ARCHIVE_DIR] as const;

export function badInput(code: string, message: string, hint: string): CompactError {
  return new CompactError("InvalidInput", message, { code, hint });
}

/** A word as a POSIX shell takes it. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
