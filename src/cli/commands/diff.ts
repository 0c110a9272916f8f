// `agent-compact diff BEFORE AFTER`: what a compaction kept, shortened, summarized or pruned, and what it put in.
import { CompactError } from "../../errors.ts";
import { describeDifference } from "../analysis/describe-difference.ts";
import type { CommonFlags } from "../flags.ts";
import { type ConversationSource, readConversationSource } from "../input/conversation-source.ts";
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
  const first = await readConversationSource(before, flags.format, terminal);
  const second = await readAfter(after, first, terminal);
  const difference = describeDifference(first, second, flags.model);
  const { stdout } = terminal;
  stdout.write(
    flags.json === true
      ? `${JSON.stringify(difference)}\n`
      : renderDifference(difference, { before: first.label, after: second.label }, colorsOf(stdout, terminal)),
  );
}

/** A list of plain messages fits several formats: the second list is read as what the first one is, where that fits. */
async function readAfter(
  after: string,
  { format }: ConversationSource,
  terminal: Terminal,
): Promise<ConversationSource> {
  const found = await readConversationSource(after, "auto", terminal);
  if (found.format.name === format.name) return found;
  if (after !== "-" && format.matches(found.messages)) return { ...found, format };
  throw new CompactError(
    "InvalidInput",
    `${found.label} holds ${found.format.name} messages, the other file ${format.name} messages.`,
    {
      code: "DIFFERENT_FORMATS",
      hint: "Compare a conversation with its own compaction.",
    },
  );
}
