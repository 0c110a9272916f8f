// Runs one command line. The only place that turns whatever goes wrong into lines on stderr and an exit code.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CommanderError } from "commander";
import { CompactError, type CompactErrorKind } from "../errors.ts";
import { readSwitches } from "./command.ts";
import { createProgram } from "./program.ts";
import { AgentEnded, commandOf, printableTerminal, type Terminal } from "./terminal.ts";

/** Never throws; gives the exit code. */
export async function run(given: Terminal): Promise<number> {
  const terminal = printableTerminal(given);
  try {
    const program = createProgram(terminal);
    await program.parseAsync([...readSwitches(terminal.argv, program)], { from: "user" });
    return EXIT_DONE;
  } catch (error) {
    if (error instanceof AgentEnded) return error.exitCode;
    const code = error instanceof CommanderError ? refuseLine(error, terminal) : fail(error, terminal);
    // Hosts stop what they were about to do when a hook exits with 2.
    return code !== EXIT_DONE && commandOf(terminal.argv) === "hook" ? EXIT_FAILED : code;
  }
}

/** Commander has said already what is wrong with the line, or has printed the help that was asked for. */
function refuseLine(error: CommanderError, { argv, cwd, stderr }: Terminal): number {
  if (error.exitCode === 0) return EXIT_DONE;
  const file = argv.find((word) => !word.startsWith("-"));
  if (error.code === "commander.unknownCommand" && file !== undefined && existsSync(resolve(cwd, file))) {
    stderr.write(`  To compact that file: agent-compact conversation ${file}\n`);
  }
  return EXIT_BAD_INPUT;
}

function fail(error: unknown, { argv, stderr, signal }: Terminal): number {
  const isStopped = signal?.aborted === true;
  const lines = isStopped
    ? ["agent-compact: Stopped. The input is as it was."]
    : describeFailure(error, argv.includes("--debug"));
  for (const line of lines) stderr.write(`${line}\n`);
  return isStopped ? EXIT_STOPPED : exitCodeOf(error);
}

// Turns whatever was thrown into one to three lines: what failed, on what, and what to do. Errors of ours say so
// themselves; of anything else only its name and first line are shown.

const LONGEST_LINE = 400;

function describeFailure(error: unknown, isDebug: boolean): readonly string[] {
  const lines = CompactError.isInstance(error) ? [error.message, error.hint ?? ""] : unexpected(error, isDebug);
  const short = lines.flatMap((line) => line.split("\n").slice(0, 2)).filter((line) => line !== "");
  const shown = short.slice(0, 3).map((line, index) => `${index === 0 ? "agent-compact: " : "  "}${cutLine(line)}`);
  return isDebug ? [...shown, ...stackOf(error)] : shown;
}

function unexpected(error: unknown, isDebug: boolean): readonly string[] {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return [
    `Something unexpected failed. ${text}`,
    isDebug ? "" : "Run it again with --debug to see where, and report that.",
  ];
}

function stackOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const stack = (error.stack ?? "").split("\n");
  return error.cause === undefined ? stack : [...stack, "Caused by:", ...stackOf(error.cause)];
}

function cutLine(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE).replace(/[\uD800-\uDBFF]$/, "")}...`;
}

// Which exit code a failure has. Scripts rely on these numbers; the kinds are those of errors.ts.

const EXIT_DONE = 0;
const EXIT_FAILED = 1;
const EXIT_BAD_INPUT = 2;
/** Stopped by Ctrl-C: 128 and the signal's number, as shells do. */
const EXIT_STOPPED = 130;

const CODES: Readonly<Record<CompactErrorKind, number>> = {
  StoreFailed: EXIT_FAILED,
  ArchiveFailed: EXIT_FAILED,
  SummarizationFailed: EXIT_FAILED,
  MissingDependency: EXIT_FAILED,
  InvalidConfig: EXIT_BAD_INPUT,
  InvalidInput: EXIT_BAD_INPUT,
  NotFound: EXIT_BAD_INPUT,
  InsufficientBudget: 3,
  Conflict: 4,
};

/** Anything that is not an error of ours is a failure nobody foresaw: 1. */
function exitCodeOf(error: unknown): number {
  return CompactError.isInstance(error) ? CODES[error.kind] : EXIT_FAILED;
}
