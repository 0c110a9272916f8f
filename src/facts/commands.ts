// Which commands were run, how often, and how the newest run went. Runs that differ only in where their output went are
// one command, shown as it was written last.

import { cutWords } from "../language/sentences.ts";
import { flat } from "../text/quote.ts";
import type { Stepwise } from "../tokens/stepwise.ts";
import { type Execution, type FactCall, type FactMessage, readExecutions } from "./fact-message.ts";
import type { CommandFact } from "./ledger.ts";
import { findErrorLine, readOutput, readSummary, type Summary, type ToolOutput } from "./output.ts";
import { ownWords, type SimpleCommand, splitScript } from "./shell.ts";
import { firstString, isRefusal, quoteWords, scriptOf, toolWords } from "./tool-call.ts";

export function* extractCommands(messages: readonly FactMessage[]): Stepwise<readonly CommandFact[]> {
  const commands = new Map<string, CommandFact>();
  for (const { call, result, source } of readExecutions(messages)) {
    const command = commandOf(call);
    if (command === undefined || isRefusal(result?.text ?? "")) continue;
    record(commands, { kind: "command", command, ...readOutcome(command, result), runs: 1, source });
    yield;
  }
  return [...commands.values()];
}

export function mergeCommands(earlier: readonly CommandFact[], later: readonly CommandFact[]): readonly CommandFact[] {
  const commands = new Map<string, CommandFact>();
  for (const fact of [...earlier, ...later]) record(commands, fact);
  return [...commands.values()];
}

/** The newest outcome wins; what ran last stands last. */
function record(commands: Map<string, CommandFact>, fact: CommandFact): void {
  const key = commandKey(fact.command);
  const runs = fact.runs + (commands.get(key)?.runs ?? 0);
  commands.delete(key);
  commands.set(key, { ...fact, runs });
}

/** Tools that run one thing and have no script for it: `run_tests {path}`. */
const RUNS_ONE = /^(?:run|execute) (?:.{0,40} )?(?:tests?|lint|linter|build|checks?|typecheck|command)\b/;

/** The text of the command that a call runs, as the ledger shows it; undefined for any other call. */
export function commandOf(call: FactCall): string | undefined {
  const script = scriptOf(call);
  if (script !== undefined) return commandText(script);
  if (!RUNS_ONE.test(toolWords(call.name).join(" "))) return undefined;
  const subject = firstString(call.input, ["path", "file", "target", "filter", "pattern", "name"]) ?? "";
  return commandText(`${call.name.slice(0, 100)} ${subject}`.trim());
}

const LONGEST_COMMAND = 200;
const LONGEST_SCRIPT = 4_000;
/** Lines of a script that do nothing by themselves. */
const PREAMBLE = /^(?:#|$|set [-+]|export \w{1,80}=|cd [^;&|]{1,300}$|source |\. )/;

/** The line that says what a script does, at most 200 units, cut between words. */
export function commandText(script: string): string {
  const lines = script.slice(0, LONGEST_SCRIPT).split("\n");
  const told = lines.map((line) => flat(line)).filter((line) => line !== "");
  return cutWords(told.find((line) => !PREAMBLE.test(line)) ?? told[0] ?? "", LONGEST_COMMAND);
}

export interface CommandIdentity {
  /** Where it ran, as the command itself says. */
  readonly folder: string | undefined;
  /** What it ran one after the other, without settings, redirections and what its output is piped into. */
  readonly steps: readonly string[];
}

/** They do nothing to what ran before them. */
const IDLE = new Set(["echo", "true", "exit", "sleep"]);

export function identifyCommand(text: string): CommandIdentity {
  let folder: string | undefined;
  const steps: string[] = [];
  for (const { words, joint } of splitScript(text)) {
    const own = ownWords(words);
    const [program = "", where] = own;
    if (program === "cd") folder = where;
    else if (program !== "" && joint !== "|" && !(IDLE.has(program) && steps.length > 0)) steps.push(quoteWords(own));
  }
  return { folder, steps: steps.length === 0 ? [text.trim()] : steps };
}

/** One key for runs that are the same but for redirections and what is cut off their output. */
export function commandKey(text: string): string {
  const { folder, steps } = identifyCommand(text);
  return [...(folder === undefined ? [] : [`cd ${folder}`]), ...steps].join(" && ");
}

const PROBES = new Set(
  "ls cat head tail less more grep rg find fd which type pwd cd echo printf wc stat file tree du df ps env date whoami sed awk sort jq diff test true sleep nl".split(
    " ",
  ),
);
const GIT_PROBE =
  /^git (?:-\S{1,200} (?:\/\S{1,200} )?)?(?:status|log|diff|show|branch|blame|ls-files|remote|rev-parse|grep)\b/;
const SHOWS_VERSION = /^\S{1,100} (?:--version|-v|-V|--help|-h|help|version)$/;

/** Looking around: its outcome says nothing about the work. */
export function isProbe(text: string): boolean {
  const commands = splitScript(text);
  if (commands.some(writes)) return false;
  const first =
    commands.map(({ words }) => ownWords(words)).find((words) => words.length > 0 && words[0] !== "cd") ?? [];
  const command = first.join(" ");
  return PROBES.has(first[0] ?? "") || GIT_PROBE.test(command) || SHOWS_VERSION.test(command);
}

function writes({ words, targets, document }: SimpleCommand): boolean {
  const isEdit = words[0] === "sed" && words.some((word) => /^-[a-zA-Z]{0,3}i/.test(word));
  return isEdit || document !== "" || targets.some((target) => target !== "/dev/null");
}

/** The host gave up waiting, or the command still runs. */
const TIMED_OUT = /^(?:<error>)?(?:error: )?(?:command|process|tool)\b.{0,60}\btimed out\b/i;
const UNFINISHED = /^(?:\[?(?:old|earlier) tool (?:result|output)|(?:process|command)\b.{0,20} running\b)/i;
const LONGEST_DETAIL = 200;
/** Lines of an output that is told by its first. */
const FEW_LINES = 2;

/** How a command went, by what the host said, the exit code, the count of a test runner, the marks of a failure. */
export function readOutcome(command: string, result: Execution["result"]): Pick<CommandFact, "outcome" | "detail"> {
  const output = readOutput(result?.text ?? "");
  const first = output.lines.find((line) => line.trim() !== "")?.trim() ?? "";
  if (result === undefined || UNFINISHED.test(first)) return { outcome: "unknown" };
  if (TIMED_OUT.test(first)) return { outcome: "failed", detail: first };
  const summary = isProbe(command) ? undefined : readSummary(output.lines);
  const failed = result.isError || (output.exitCode ?? 0) !== 0 || saysFailed(command, output, summary);
  const line = (failed ? failureLine(output, summary) : (summary?.line ?? shortAnswer(output))) ?? "";
  const detail = cutWords(flat(line), LONGEST_DETAIL);
  return { outcome: failed ? "failed" : "ok", ...(detail === "" ? {} : { detail }) };
}

function saysFailed(command: string, { lines, exitCode }: ToolOutput, summary: Summary | undefined): boolean {
  if (summary !== undefined) return summary.failed && !/\|\| ?true\b/.test(command);
  // A stated zero is the last word, unless another program at the end of a pipe said it.
  if (isProbe(command) || (exitCode === 0 && !command.includes("|"))) return false;
  return lines.some((line) => /^FAIL\b/.test(line)) || findErrorLine(lines, "sure") !== undefined;
}

/** Counts of tests say most. */
function failureLine({ lines }: ToolOutput, summary: Summary | undefined): string | undefined {
  if (summary?.failed === true && /fail|error/i.test(summary.line)) return summary.line;
  return (
    findErrorLine(lines, "likely") ?? lines.findLast((line) => line !== "" && !/^exit code/i.test(line)) ?? lines[0]
  );
}

/** The first line of a command that answers in a line or two. */
function shortAnswer({ lines }: ToolOutput): string | undefined {
  const said = lines.filter((line) => line !== "" && !/^\(?(?:no output|your command ran successfully)/i.test(line));
  return said.length <= FEW_LINES ? said[0] : undefined;
}
