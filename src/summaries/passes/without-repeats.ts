// Shortens what a summarizer reads twice: long arguments of calls, and lines of tools' output that stood in an earlier one.
// Each is quoted once; the conversation itself is untouched.
import { headTail } from "../../text/cut.ts";
import type { ShownPassage } from "../prompts/compose-prompt.ts";

const CALL = /^\[calls .*\]$/u;
const ARGUMENTS = { head: 320, tail: 120 } as const;
/** Shorter lines, closing brackets among them, are said again and again. */
const LEAST_LINE = 16;
const LEAST_RUN = 5;
/** As tools number the lines of a file. */
const NUMBERED = /^\s{0,8}\d{1,7}(?:→|\t|: ?)/u;

/** Linear. */
export function withoutRepeats(passages: readonly ShownPassage[]): readonly ShownPassage[] {
  const seen = new Set<string>();
  return passages.map((passage) => {
    if (passage.source === "assistant") return { ...passage, text: shortCalls(passage.text) };
    return passage.source === "tool" ? { ...passage, text: newLines(passage.text, seen) } : passage;
  });
}

function shortCalls(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      if (line.length <= ARGUMENTS.head + ARGUMENTS.tail + 40 || !CALL.test(line)) return line;
      const { head, omitted, tail } = headTail(line, ARGUMENTS.head, ARGUMENTS.tail);
      return `${head} … ${omitted.toLocaleString("en-US")} characters left out … ${tail}`;
    })
    .join("\n");
}

function newLines(text: string, seen: Set<string>): string {
  const kept: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    kept.push(...(run.length < LEAST_RUN ? run : [`[... ${run.length} lines as in an earlier output ...]`]));
    run = [];
  };
  const fresh: string[] = [];
  for (const line of text.split("\n")) {
    const key = line.replace(NUMBERED, "").trim();
    if (key.length >= LEAST_LINE) fresh.push(key);
    if (seen.has(key) || (run.length > 0 && key.length < LEAST_LINE)) run.push(line);
    else {
      endRun();
      kept.push(line);
    }
  }
  endRun();
  for (const key of fresh) seen.add(key);
  return kept.join("\n");
}
