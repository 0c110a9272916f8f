// Makes what a model reads shorter than what was said, without what it learns nothing from: encoded bytes, long arguments,
// lines that it was shown before, the middle of long texts. The conversation and the archive are untouched.
import { headTail, toWellFormed } from "../text/quote.ts";
import type { ShownPassage } from "./prompt/compose-prompt.ts";

/** A longer run of base64's characters is bytes. */
const LONGEST_RUN = 200;
const RUN = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_=-]{201,}/g;
/** Lines of a block that was broken at a fixed width. */
const WRAPPED = /(?:^[ \t]{0,16}[A-Za-z0-9+/_-]{56,200}={0,2}[ \t]{0,4}(?:\n|$(?!\n))){4,}/gm;

/** Linear. What was left out is named with its length. */
export function leaveOutBytes(text: string): string {
  if (text.length <= LONGEST_RUN) return text;
  const name = (bytes: string) => `[${amount(bytes.replace(/\s/g, "").length)} characters of encoded bytes left out]`;
  return text.replace(RUN, name).replace(WRAPPED, (block) => name(block) + (block.endsWith("\n") ? "\n" : ""));
}

function amount(count: number): string {
  return count.toLocaleString("en-US");
}

const CALL = /^\[calls .*\]$/u;
const ARGUMENTS = { head: 320, tail: 120, mark: 40 } as const;
/** Shorter lines, closing brackets among them, are said again and again. */
const LEAST_LINE = 16;
const LEAST_RUN = 5;
/** As tools number the lines of a file. */
const NUMBERED = /^\s{0,8}\d{1,7}(?:→|\t|: ?)/u;

/** Long arguments of calls, and lines of tools' output that stood in an earlier one, are quoted once. Linear. */
export function withoutRepeats(passages: readonly ShownPassage[]): readonly ShownPassage[] {
  const seen = new Set<string>();
  return passages.map((passage) => {
    if (passage.source === "assistant") return { ...passage, text: shortCalls(passage.text) };
    return passage.source === "tool" ? { ...passage, text: newLines(passage.text, seen) } : passage;
  });
}

function shortCalls(text: string): string {
  const { head, tail, mark } = ARGUMENTS;
  const lines = text.split("\n").map((line) => {
    if (line.length <= head + tail + mark || !CALL.test(line)) return line;
    const cut = headTail(line, head, tail);
    return `${cut.head} … ${amount(cut.omitted)} characters left out … ${cut.tail}`;
  });
  return lines.join("\n");
}

function newLines(text: string, seen: Set<string>): string {
  const kept: string[] = [];
  const fresh: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    kept.push(...(run.length < LEAST_RUN ? run : [`[... ${run.length} lines as in an earlier output ...]`]));
    run = [];
  };
  for (const line of text.split("\n")) {
    const key = line.replace(NUMBERED, "").trim();
    const isShort = key.length < LEAST_LINE;
    if (!isShort) fresh.push(key);
    if (seen.has(key) || (run.length > 0 && isShort)) run.push(line);
    else {
      endRun();
      kept.push(line);
    }
  }
  endRun();
  for (const key of fresh) seen.add(key);
  return kept.join("\n");
}

/** Of the kept text, the part from the beginning; errors and results stand at the end. */
const HEAD_SHARE = 0.6;

/** Beginning and end, cut at whole characters, with the size of what is missing between. */
export function shortenText(text: string, limit: number): string {
  const head = Math.floor(limit * HEAD_SHARE);
  const cut = text.length <= limit ? undefined : headTail(text, head, limit - head);
  if (cut === undefined || cut.omitted === 0) return toWellFormed(text);
  return toWellFormed(`${cut.head}\n[... ${amount(cut.omitted)} characters left out ...]\n${cut.tail}`);
}
