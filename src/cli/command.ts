// A command as data: what its help says, and what it does, which is loaded when it is asked for, so that help is there at
// once.
import type { Command } from "commander";
import { type CommonFlags, filledText, type Parser, wholeNumber } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `--limit <n>` and what it means. Without a parser `<n>` is a whole number from 1 on, and any other value a text that is not
 * empty. The last is the value where nothing is given, or that something must be.
 */
export type Flag = readonly [flags: string, about: string, parser?: Parser, usual?: unknown];

/** What a command is given for its flags, and for those of the program. */
export type FlagsOf<Flags extends readonly Flag[]> = CommonFlags & {
  readonly [Each in Flags[number] as Each extends readonly [unknown, unknown, unknown, unknown]
    ? never
    : NameOf<Each[0]>]?: ValueOf<Each>;
} & {
  readonly [Each in Flags[number] as Each extends readonly [unknown, unknown, unknown, unknown]
    ? NameOf<Each[0]>
    : never]: ValueOf<Each>;
};

type NameOf<Word extends string> = Word extends `--no-${infer Name}`
  ? Name
  : Word extends `--${infer Name} ${string}`
    ? Camel<Name>
    : Word extends `--${infer Name}`
      ? Camel<Name>
      : never;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

type ValueOf<Each extends Flag> = Each extends readonly [string, string, Parser<infer Value>, ...unknown[]]
  ? Value
  : Each[0] extends `${string} <n>`
    ? number
    : Each[0] extends `${string}...>`
      ? readonly string[]
      : Each[0] extends `${string}>`
        ? string
        : Each[0] extends `${string}]`
          ? string | true
          : Each[0] extends `--no-${string}`
            ? boolean
            : true;

export const REQUIRED = Symbol("required");

export interface CommandParts {
  readonly about: string;
  /** `<file>`, `[ids...]`. */
  readonly args?: readonly (readonly [name: string, about: string, parser?: Parser])[];
  readonly flags?: readonly Flag[];
  /** In the help, above the examples. */
  readonly note?: string;
  /** Whole command lines. */
  readonly examples?: readonly string[];
  /** Called with the arguments, the flags and the terminal. */
  readonly run?: () => Promise<(...given: never[]) => unknown>;
}

export type Commands = Readonly<Record<string, CommandParts>>;

export function addCommands(parent: Command, terminal: Terminal, commands: Commands): void {
  for (const [name, parts] of Object.entries(commands)) addCommand(parent, terminal, name, parts);
}

export function addCommand(
  parent: Command,
  terminal: Terminal,
  name: string,
  { about, args = [], flags = [], note = "", examples = [], run }: CommandParts,
): Command {
  const command = parent.command(name).description(about);
  for (const [word, meaning, parser] of args) {
    if (parser === undefined) command.argument(word, meaning);
    else command.argument(word, meaning, (value: string) => parser(value, word.slice(1, -1).toUpperCase()));
  }
  for (const [word, meaning, parser, usual] of flags) {
    const isRequired = usual === REQUIRED;
    command[isRequired ? "requiredOption" : "option"](
      word,
      meaning,
      ...parserOf(word, parser, isRequired ? undefined : usual),
    );
  }
  const shown = examples.map((line) => `  ${line}\n`).join("");
  if (note + shown !== "") command.addHelpText("after", `${note}${shown === "" ? "" : `\nExample:\n${shown}`}`);
  if (run === undefined) return command;
  return command.action(async (...given: unknown[]) => {
    const self = given.at(-1) as Command;
    const work = (await run()) as (...given: unknown[]) => unknown;
    await work(...given.slice(0, -2), self.optsWithGlobals(), terminal);
  });
}

/** None for a flag without a value, with one that may be left out, or with several, which are texts. */
function parserOf(word: string, given: Parser | undefined, usual?: unknown) {
  const [flag = "", value = ""] = word.split(" ");
  if (value === "" || (given === undefined && !/^<[^.]+>$/.test(value))) return [] as never;
  const parser = given ?? (value === "<n>" ? wholeNumber(1) : filledText);
  return [(text: string, before: unknown) => parser(text, flag, before), usual] as const;
}

/** `--strict=true` is `--strict`, `--strict=false` is nothing: what a script writes that has a boolean as text. */
export function readSwitches(argv: readonly string[], program: Command): readonly string[] {
  const switches = new Set(switchesOf(program));
  const end = argv.indexOf("--");
  return argv.flatMap((word, index) => {
    const [, name = "", value] = /^(--[a-z-]{1,20})=(true|false)$/.exec(word) ?? [];
    if (!switches.has(name) || (end >= 0 && index > end)) return [word];
    return value === "true" ? [name] : [];
  });
}

function switchesOf({ options, commands }: Command): readonly string[] {
  return [
    ...options.flatMap(({ long, flags }) => (/[<[]/.test(flags) ? [] : (long ?? []))),
    ...commands.flatMap(switchesOf),
  ];
}
