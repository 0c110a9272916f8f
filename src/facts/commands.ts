// Which commands were run, how often, and how the newest run went. Runs that differ only in where their output went are
// one command, shown as it was written last.
import { cutWords } from "../language/sentences.ts";
import { flat, headTail } from "../text/quote.ts";
import type { Stepwise } from "../tokens/stepwise.ts";
import { type Execution, readExecutions } from "./executions.ts";
import type { FactCall, FactMessage } from "./fact-message.ts";
import { type CommandFact, newestByKey } from "./ledger.ts";
import { ownWords, type SimpleCommand, splitScript } from "./shell.ts";
import { firstString, isArguments, isRefusal, parseStructure, quoteWords, scriptOf, toolWords } from "./tool-call.ts";

export function* extractCommands(messages: readonly FactMessage[]): Stepwise<readonly CommandFact[]> {
  const found: CommandFact[] = [];
  for (const { call, result, source } of readExecutions(messages)) {
    const command = commandOf(call);
    if (command === undefined || isRefusal(result?.text ?? "")) continue;
    const went = readOutcome(command, result);
    const failures = went.outcome === "failed" ? { failures: 1 } : {};
    found.push({ kind: "command", command, ...went, runs: 1, ...failures, source });
    yield;
  }
  return mergeCommands([], found);
}

/** The newest outcome wins; what ran last stands last. */
export function mergeCommands(earlier: readonly CommandFact[], later: readonly CommandFact[]): readonly CommandFact[] {
  const all = [...earlier, ...later];
  return newestByKey(
    all,
    ({ command }) => commandKey(command),
    (known, fact) => {
      const failures = (known.failures ?? 0) + (fact.failures ?? 0);
      return { ...fact, runs: known.runs + fact.runs, ...(failures > 0 ? { failures } : {}) };
    },
  );
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

type Outcome = Pick<CommandFact, "outcome" | "detail">;

/** Commands, errors and what was said around them all ask for the same ones. */
const OUTCOMES = new WeakMap<object, { readonly command: string; readonly outcome: Outcome }>();

/** How a command went, by what the host said, the exit code, the count of a test runner, the marks of a failure. */
export function readOutcome(command: string, result: Execution["result"]): Outcome {
  const known = result === undefined ? undefined : OUTCOMES.get(result);
  if (known?.command === command) return known.outcome;
  const outcome = outcomeOf(command, result);
  if (result !== undefined) OUTCOMES.set(result, { command, outcome });
  return outcome;
}

function outcomeOf(command: string, result: Execution["result"]): Outcome {
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

// What a tool's output says: its exit code, the line that sums up a run, the line that names an error.

/** Of a long output: the exit code and the first error stand at the beginning, a test runner's summary at the end. */
const READ = { head: 8_000, tail: 24_000 };
const LONGEST_LINE = 400;
/** Colours and cursor movements. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPES = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;

interface ToolOutput {
  readonly lines: readonly string[];
  /** As the host or the shell stated it. */
  readonly exitCode: number | undefined;
}

export function readOutput(text: string): ToolOutput {
  const wrapped = unwrap(text);
  const { head, tail } = headTail(wrapped.text, READ.head, READ.tail);
  const lines = `${head}\n${tail}`
    .split("\n")
    .map((line) => line.slice(0, LONGEST_LINE).replace(ESCAPES, "").trimEnd());
  return { lines, exitCode: wrapped.exitCode ?? statedExitCode(lines) };
}

/** Codex and others wrap the output in JSON. */
function unwrap(text: string): { readonly text: string; readonly exitCode: number | undefined } {
  const value = /^\s{0,8}\{\s{0,8}"/.test(text) ? parseStructure(text) : undefined;
  if (!isArguments(value)) return { text, exitCode: undefined };
  const streams = [value.output, value.stdout, value.stderr].filter((stream) => typeof stream === "string");
  const metadata = isArguments(value.metadata) ? value.metadata : value;
  const code = metadata.exit_code ?? metadata.exitCode ?? metadata.returncode;
  return {
    text: streams.length === 0 ? text : streams.join("\n"),
    exitCode: typeof code === "number" ? code : undefined,
  };
}

const EXIT_CODE = /^.{0,40}\b(?:exit|exited|return)[ _]?(?:with )?(?:code|status)[>:=\s]{1,3}(-?\d{1,6})\b/i;

/** Only lines at either end that hold nothing else: program text talks about exit codes too. */
function statedExitCode(lines: readonly string[]): number | undefined {
  const said = lines.filter((line) => line !== "");
  const codes = [...said.slice(0, 4), ...said.slice(-4)].map((line) => EXIT_CODE.exec(line.slice(0, 120))?.[1]);
  const code = codes.find((found) => found !== undefined);
  return code === undefined ? undefined : Number(code);
}

interface Summary {
  readonly failed: boolean;
  readonly line: string;
}

/** `Tests: 1 failed, 5 passed`, `# fail 1`, `Failures: 2`: test runners, compilers and linters count at the beginning of a line. */
const COUNTED =
  /^[^\p{L}\d]{0,12}(?:\p{L}{1,12}[^\p{L}\d]{1,12}){0,3}(?:\d{1,9} (?:tests? )?(?:passed|passing|pass|failed|failing|fail|failures?|errors?|issues?|problems?|examples?)\b|(?:fail(?:ed|ures)?|errors|run|pass(?:ed)?)[ :=]{1,3}\d{1,9}\b)/iu;
const FAILED =
  /\b[1-9]\d{0,8} (?:tests? )?(?:failed|failing|fail|failures?|errors?|issues?)\b|\b(?:fail|failed|failures|errors)[ :=]{1,8}[1-9]/i;

/** The last count of a run; one that tells of failures before any other. */
function readSummary(lines: readonly string[]): Summary | undefined {
  let best: Summary | undefined;
  for (const line of lines) {
    const text = line.replace(/[\s=]{2,}/g, " ").trim();
    if (text.length > 160 || !COUNTED.test(text)) continue;
    const failed = FAILED.test(text);
    if (failed || best?.failed !== true) best = { failed, line: text };
  }
  return best;
}

/** Lines that no run that went well prints: a test's name, a failure with its kind before a colon. */
const SURE: readonly RegExp[] = [
  /^--- FAIL: |^FAILED \S{1,300}::|^\[ERROR\] |^thread '.{1,80}' panicked/,
  /^(?:\S{1,300}[(:]\d{1,7}[,:)\d]{0,12}:? (?:- )?)?(?:[\w.$]{0,80}(?:Error|Exception)|error|ERROR|fatal|FATAL|panic|npm ERR!|npm error)(?: error| ?\[\w{1,40}\]| [A-Z]{2,3}\d{2,6})?:? (?<=: |! |npm error )(?!A complete log|code )\S/,
  /^(?:\w{1,60}\.){1,6}\w{0,60}(?:Error|Exception)$|^make(?:\[\d\])?: \*\*\* |\bcommand not found(?:$|: )/,
];
/** Errors only where the run is known to have failed. */
const LIKELY: readonly RegExp[] = [
  ...SURE,
  /^(?:[✗✖×✕❌●] ?\S|not ok \d|E {2,}\S)/,
  /^\S{1,300}:\d{1,7}:\d{1,7}:? \S/,
  /^\S{1,300}:\d{1,7}:? \S|^FAIL(?:ED)?[ \t:]+\S/,
  /\b(?:error|exception|denied|refused|not allowed|not found|failed|cannot|could not|unable to|invalid|no such|timed out|unknown|usage:)/i,
];

/** The line without its indentation; undefined when none is found. */
export function findErrorLine(lines: readonly string[], certainty: "sure" | "likely"): string | undefined {
  const traceback = lines.findLastIndex((line) => line.trimStart().startsWith("Traceback (most recent call last)"));
  const raised = traceback === -1 ? undefined : lines.slice(traceback + 1).find((line) => /^\S/.test(line));
  if (raised !== undefined) return raised;
  for (const form of certainty === "sure" ? SURE : LIKELY) {
    const at = lines.findIndex((line) => form.test(line.trimStart()));
    if (at !== -1) return withReason(lines[at]?.trim() ?? "", lines.slice(at + 1, at + 30));
  }
  return undefined;
}

const NAMES_TEST = /^(?:--- FAIL: |● |[✗✖×✕] )/;
const REASON =
  /^\s*(?:\S{1,120}:\d{1,7}: .{0,200}\b(?:expected|want|got|should|error|fail|failed|unexpected|must|not)\b|\w{0,40}Error: |expect)/i;

/** A test's name alone says little: with the first line below it that tells what was expected. */
function withReason(line: string, following: readonly string[]): string {
  if (!NAMES_TEST.test(line)) return line;
  const end = following.findIndex((text) => NAMES_TEST.test(text));
  const reason = following.slice(0, end === -1 ? undefined : end).find((text) => REASON.test(text));
  return reason === undefined ? line : `${line}: ${reason.trim()}`;
}
