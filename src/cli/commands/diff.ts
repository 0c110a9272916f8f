// `agent-compact diff BEFORE AFTER`: what a compaction kept, shortened, summarized or pruned, and what it put in.
import { CompactError } from "../../errors.ts";
import { describeDifference } from "../analysis/describe-difference.ts";
import type { CommonFlags } from "../flags.ts";
import { type ConversationSource, readConversationSource } from "../input/conversation-source.ts";
import { convertSource } from "../input/convert-source.ts";
import { renderDifference } from "../render/difference.ts";
import { colorsOf, type Terminal } from "../terminal.ts";

export interface DiffFlags extends CommonFlags {
  readonly format: string;
  readonly model?: string;
}

export async function diffConversations(
  before: string,
  after: string,
  flags: DiffFlags,
  terminal: Terminal,
): Promise<void> {
  if (before === "-" && after === "-")
    throw new CompactError("InvalidInput", "Only one of the two can come from stdin.", {
      hint: "Name a file for the other.",
    });
  const found = await readConversationSource(before, flags.format, terminal);
  const second = await readAfter(after, found, terminal);
  const first = convertSource(found, second.format.name);
  const difference = describeDifference(first, second, flags.model);
  const { stdout } = terminal;
  stdout.write(
    flags.json === true
      ? `${JSON.stringify(difference)}\n`
      : renderDifference(difference, { before: first.label, after: second.label }, colorsOf(stdout, terminal)),
  );
}

/**
 * A list of plain messages fits several formats: the second list is read as what the first one is, where that fits. Where it
 * does not, it was written for another provider, as session files are, and the first one is compared as that would have it.
 */
async function readAfter(
  after: string,
  { format, readAs }: ConversationSource,
  terminal: Terminal,
): Promise<ConversationSource> {
  const found = await readConversationSource(after, "auto", terminal);
  const isSession = readAs !== format.name;
  return after !== "-" && !isSession && format.matches(found.messages) ? { ...found, format } : found;
}
