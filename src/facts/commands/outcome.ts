// How a command went, by what the host said, the exit code, the sum of a test runner, the marks of a failure.
import type { Execution } from "../calls/executions.ts";
import { cutWords } from "../calls/last-sentence.ts";
import { readOutput, type ToolOutput } from "../calls/output-lines.ts";
import { findErrorLine } from "../errors/error-line.ts";
import type { CommandFact } from "../ledger.ts";
import { isProbe } from "./command-text.ts";
import { readSummary, type Summary } from "./test-summaries.ts";

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
