// Runs one command line. The only place that turns whatever goes wrong into lines on stderr and an exit code.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CommanderError } from "commander";
import { describeFailure } from "./describe-failure.ts";
import { EXIT_BAD_INPUT, EXIT_DONE, EXIT_FAILED, EXIT_STOPPED, exitCodeOf } from "./exit-codes.ts";
import { readSwitches } from "./flags.ts";
import { printableTerminal } from "./printable.ts";
import { createProgram } from "./programs/program.ts";
import type { Terminal } from "./terminal.ts";

/** Never throws; gives the exit code. */
export async function run(given: Terminal): Promise<number> {
  const terminal = printableTerminal(given);
  try {
    await createProgram(terminal).parseAsync([...readSwitches(terminal.argv)], { from: "user" });
    return EXIT_DONE;
  } catch (error) {
    const code = error instanceof CommanderError ? refuseLine(error, terminal) : fail(error, terminal);
    return code !== EXIT_DONE && commandOf(terminal.argv) === "hook" ? EXIT_FAILED : code;
  }
}

/** The first word that is no flag and no flag's value. Hosts stop what they were about to do when a hook exits with 2. */
function commandOf(argv: readonly string[]): string | undefined {
  return argv.find((word, index) => !word.startsWith("-") && argv[index - 1] !== "--config");
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
