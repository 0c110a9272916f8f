// What a tool's output says: its exit code, the line that sums up a run, the line that names an error.
import { headTail } from "../text/quote.ts";
import { isArguments, parseStructure } from "./tool-call.ts";

/** Of a long output: the exit code and the first error stand at the beginning, a test runner's summary at the end. */
const READ = { head: 8_000, tail: 24_000 };
const LONGEST_LINE = 400;
/** Colours and cursor movements. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPES = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;

export interface ToolOutput {
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

export interface Summary {
  readonly failed: boolean;
  readonly line: string;
}

/** `Tests: 1 failed, 5 passed`, `# fail 1`, `Failures: 2`: test runners, compilers and linters count at the beginning of a line. */
const COUNTED =
  /^[^\p{L}\d]{0,12}(?:\p{L}{1,12}[^\p{L}\d]{1,12}){0,3}(?:\d{1,9} (?:tests? )?(?:passed|passing|pass|failed|failing|fail|failures?|errors?|issues?|problems?|examples?)\b|(?:fail(?:ed|ures)?|errors|run|pass(?:ed)?)[ :=]{1,3}\d{1,9}\b)/iu;
const FAILED =
  /\b[1-9]\d{0,8} (?:tests? )?(?:failed|failing|fail|failures?|errors?|issues?)\b|\b(?:fail|failed|failures|errors)[ :=]{1,8}[1-9]/i;

/** The last count of a run; one that tells of failures before any other. */
export function readSummary(lines: readonly string[]): Summary | undefined {
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
