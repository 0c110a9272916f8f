// Shortens a passage for the summarizer only: beginning and end, with the size of what is missing between. What is kept
// in the conversation and in the archive is untouched.
import { headTail, toWellFormed } from "../../text/cut.ts";
import type { Passage } from "../summarizer.ts";

/** Of the kept text, the part from the beginning; errors and results stand at the end. */
const HEAD_SHARE = 0.6;

/** Lengths in UTF-16 units; Infinity keeps all. */
export interface PassageLimits {
  readonly tool: number;
  readonly other: number;
}

/** For tools' output, from gentle to hard. */
export const TOOL_LIMITS: readonly number[] = [3000, 1000, 400, 160];

/** Cut at whole characters. */
export function shortenText(text: string, source: Passage["source"], limits: PassageLimits): string {
  const limit = source === "tool" ? limits.tool : limits.other;
  if (text.length <= limit) return toWellFormed(text);
  const head = Math.floor(limit * HEAD_SHARE);
  const cut = headTail(text, head, limit - head);
  if (cut.omitted === 0) return toWellFormed(text);
  return toWellFormed(`${cut.head}\n[... ${cut.omitted.toLocaleString("en-US")} characters left out ...]\n${cut.tail}`);
}
