// Turns whatever was thrown into one to three lines: what failed, on what, and what to do. Errors of ours say so
// themselves; of anything else only its name and first line are shown.
import { CompactError } from "../errors.ts";

const LONGEST_LINE = 400;

export function describeFailure(error: unknown, isDebug: boolean): readonly string[] {
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
