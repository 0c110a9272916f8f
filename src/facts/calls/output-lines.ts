// The lines of a tool's output that can say how it went. Of a long one only beginning and end: the exit code and
// the first error stand at the beginning, the summary of a test runner at the end, and a megabyte between them
// costs more than it says.

import { headTail } from "../../text/cut.ts";
import { isArguments, parseStructure } from "./read-call.ts";

const HEAD_UNITS = 8_000;
const TAIL_UNITS = 24_000;
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
  const lines = linesOf(wrapped.text);
  return { lines, exitCode: wrapped.exitCode ?? statedExitCode(lines) };
}

/** Codex and others wrap the output in JSON. */
function unwrap(text: string): { readonly text: string; readonly exitCode: number | undefined } {
  const value = /^\s{0,8}\{\s{0,8}"/.test(text) ? parseStructure(text) : undefined;
  if (!isArguments(value)) return { text, exitCode: undefined };
  const streams = [value.output, value.stdout, value.stderr].filter((stream) => typeof stream === "string");
  const metadata = isArguments(value.metadata) ? value.metadata : value;
  const code = metadata.exit_code ?? metadata.exitCode ?? metadata.returncode;
  const exitCode = typeof code === "number" ? code : undefined;
  return { text: streams.length === 0 ? text : streams.join("\n"), exitCode };
}

function linesOf(text: string): readonly string[] {
  const { head, tail } = headTail(text, HEAD_UNITS, TAIL_UNITS);
  const lines = `${head}\n${tail}`.split("\n");
  return lines.map((line) => line.slice(0, LONGEST_LINE).replace(ESCAPES, "").trimEnd());
}

const CODE_LINE =
  /^[[<(]{0,2}(?:(?:the )?(?:command|process) )?(?:(?:finished|completed|exited|failed|terminated) )?(?:with )?(?:exit|return|exited)[ _]?(?:with )?(?:code|status)[>:=\s]{1,3}(-?\d{1,6})\b/i;

/** Only lines at either end that hold nothing else: program text talks about exit codes too. */
function statedExitCode(lines: readonly string[]): number | undefined {
  const said = lines.filter((line) => line !== "");
  for (const line of [...said.slice(0, 4), ...said.slice(-4)]) {
    const code = line.length < 120 ? CODE_LINE.exec(line.trimStart())?.[1] : undefined;
    if (code !== undefined) return Number(code);
  }
  return undefined;
}
