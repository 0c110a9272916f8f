// Which commands were run, how often, and how the newest run went. Runs that differ only in where their output went
// are one command, shown as it was written last.

import { cutWords } from "../../language/last-sentence.ts";
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import { readOutput, type ToolOutput } from "../calls/output-lines.ts";
import { firstString, scriptOf, toolWords } from "../calls/read-call.ts";
import { commandKey, commandText, isProbe } from "../commands/command-text.ts";
import { readSummary, type Summary } from "../commands/test-summaries.ts";
import { findErrorLine } from "../errors/error-line.ts";
import { type Execution, type FactCall, type FactMessage, readExecutions } from "../fact-message.ts";
import type { CommandFact } from "../ledger.ts";

/** Tools that run one thing and have no script for it: `run_tests {path}`. */
const RUN = new Set(["run", "execute"]);
const RUN_SUBJECT = new Set(["test", "tests", "lint", "linter", "build", "check", "checks", "typecheck", "command"]);

export function extractCommands(messages: readonly FactMessage[]): readonly CommandFact[] {
  return runThrough(extractCommandsStepwise(messages));
}

export function* extractCommandsStepwise(messages: readonly FactMessage[]): Stepwise<readonly CommandFact[]> {
  const commands = new Map<string, CommandFact>();
  for (const execution of readExecutions(messages)) {
    const command = commandOf(execution.call);
    if (command === undefined || isRejected(execution)) continue;
    recordCommand(commands, factOf(command, execution));
    yield;
  }
  return [...commands.values()];
}

export function mergeCommands(earlier: readonly CommandFact[], later: readonly CommandFact[]): readonly CommandFact[] {
  const commands = new Map<string, CommandFact>();
  for (const fact of [...earlier, ...later]) recordCommand(commands, fact);
  return [...commands.values()];
}

/** The text of the command that a call runs, as the ledger shows it; undefined for any other call. */
export function commandOf(call: FactCall): string | undefined {
  const script = scriptOf(call);
  if (script !== undefined) return commandText(script);
  const words = toolWords(call.name);
  if (!words.some((word) => RUN.has(word)) || !words.some((word) => RUN_SUBJECT.has(word))) return undefined;
  const subject = firstString(call.input, ["path", "file", "target", "filter", "pattern", "name"]) ?? "";
  return commandText(`${call.name.slice(0, 100)} ${subject}`.trim());
}

function factOf(command: string, execution: Execution): CommandFact {
  const { outcome, detail } = readOutcome(command, execution);
  return {
    kind: "command",
    command,
    outcome,
    ...(detail === undefined ? {} : { detail }),
    runs: 1,
    source: execution.source,
  };
}

/** The newest outcome that is known wins; what ran last stands last. */
function recordCommand(commands: Map<string, CommandFact>, fact: CommandFact): void {
  const key = commandKey(fact.command);
  const known = commands.get(key);
  commands.delete(key);
  commands.set(key, { ...fact, runs: fact.runs + (known?.runs ?? 0) });
}

// How a command went, by what the host said, the exit code, the sum of a test runner, the marks of a failure.

const LONGEST_DETAIL = 200;
const UNFINISHED =
  /^(?:\[?(?:old|earlier) tool (?:result|output)|command (?:is )?running in (?:the )?background|(?:process|command) (?:is )?(?:still )?running|\[?request interrupted|<status>running)/i;
/** How hosts say that nothing was printed. */
const SILENCE = /^\(?(?:no output|your command ran successfully and did not|<system>tool ran without output|empty)/i;
const TIMED_OUT = /^(?:<error>)?(?:error: )?(?:command|process|tool)\b.{0,60}\btimed out\b/i;
const REJECTED =
  /^(?:<tool_use_error>)?(?:sibling tool call errored|the user (?:doesn't want|does not want|rejected|denied|declined)|(?:tool use|command|permission).{0,40} (?:rejected|denied by) )/i;

export interface CommandOutcome {
  readonly outcome: CommandFact["outcome"];
  readonly detail?: string;
  /** Lines read, for who looks further. */
  readonly output: ToolOutput;
}

/** The user did not let it run, or the host gave it up because of a neighbour: there is no outcome at all. */
export function isRejected({ result }: Execution): boolean {
  return result !== undefined && REJECTED.test(result.text.slice(0, 200).trimStart());
}

export function readOutcome(command: string, { result }: Execution): CommandOutcome {
  const output = readOutput(result?.text ?? "");
  if (result === undefined) return { outcome: "unknown", output };
  const first = output.lines.find((line) => line !== "")?.trim() ?? "";
  if (UNFINISHED.test(first)) return { outcome: "unknown", output };
  if (TIMED_OUT.test(first)) return { ...withDetail("failed", first), output };
  const looks = isProbe(command);
  const summary = looks ? undefined : readSummary(output.lines);
  const failed = hasFailed(output, result.isError, summary?.outcome, looks, command);
  const telling = failed ? failureDetail(output, summary) : (summary?.line ?? onlyLine(output));
  return { ...withDetail(failed ? "failed" : "ok", telling), output };
}

function hasFailed(
  output: ToolOutput,
  isError: boolean,
  summed: "ok" | "failed" | undefined,
  looks: boolean,
  command: string,
): boolean {
  if (isError || (output.exitCode ?? 0) !== 0) return true;
  if (summed !== undefined) return summed === "failed" && !/\|\| ?true\b/.test(command);
  // A stated zero is the last word, unless another program at the end of a pipe said it.
  if (looks || (output.exitCode === 0 && !command.includes("|"))) return false;
  return findErrorLine(output.lines, "sure") !== undefined;
}

/** Counts say most; a bare verdict says less than the first error. */
function failureDetail(output: ToolOutput, summary: Summary | undefined): string | undefined {
  if (summary?.outcome === "failed" && summary.hasCounts) return summary.line;
  const last = output.lines.findLast((line) => line !== "" && !/^exit code/i.test(line));
  return findErrorLine(output.lines, "likely") ?? summary?.line ?? last ?? output.lines[0];
}

/** The answer of a command that answers in a line or two. */
function onlyLine({ lines }: ToolOutput): string | undefined {
  const said = lines.filter((line) => line !== "" && !SILENCE.test(line));
  return said.length > 0 && said.length <= 2 ? said[0] : undefined;
}

function withDetail(
  outcome: CommandFact["outcome"],
  line: string | undefined,
): Pick<CommandOutcome, "outcome" | "detail"> {
  const detail = line === undefined ? "" : cutWords(line.replace(/\s+/g, " ").trim(), LONGEST_DETAIL);
  return detail === "" ? { outcome } : { outcome, detail };
}
