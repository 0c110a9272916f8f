// `agent-compact diff BEFORE AFTER`: what a compaction kept, shortened, summarized or pruned, and what it put in.
import { CompactError } from "../../errors.ts";
import type { Format } from "../../formats/format.ts";
import { createMessageCounter } from "../../tokens/count-messages.ts";
import { counterFor } from "../../tokens/create-token-counter.ts";
import { resolveModel } from "../../tokens/models.ts";
import { compareLists } from "../compare-lists.ts";
import type { CommonFlags } from "../flags.ts";
import { type ConversationSource, readConversationSource } from "../input/conversation-source.ts";
import { renderDifference } from "../render/difference.ts";
import { colorsOf, type Terminal } from "../terminal.ts";

export interface DiffFlags extends CommonFlags {
  readonly format: string;
  readonly model?: string;
}

export interface DiffMessage {
  readonly list: "before" | "after";
  /** 1-based number in its list. */
  readonly message: number;
  readonly role: string;
  readonly tokens: number;
  readonly change:
    | "kept"
    | "shortened"
    | "summarized"
    | "pruned"
    | "replaced_summary"
    | "inserted_summary"
    | "inserted_filler"
    | "inserted";
}

export interface Difference {
  readonly format: string;
  readonly messages_before: number;
  readonly messages_after: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly reduction: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly tokens: Readonly<Record<string, number>>;
  readonly messages: readonly DiffMessage[];
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

function describeDifference(
  before: ConversationSource,
  after: ConversationSource,
  model: string | undefined,
): Difference {
  const { format } = before;
  const { fates, inserted } = compareLists(before.messages, after.messages, format);
  const hasSummary = inserted.some(({ kind }) => kind === "summary");
  const measure = createMeasure(format, model);
  const messages: DiffMessage[] = before.messages.map((message, index) => {
    const fate = fates[index] ?? "left";
    return {
      list: "before",
      message: index + 1,
      ...measure(message),
      change: fate !== "left" ? fate : hasSummary ? "summarized" : "pruned",
    };
  });
  for (const { index, kind } of inserted) {
    messages.push({
      list: "after",
      message: index + 1,
      ...measure(after.messages[index]),
      change: kind === "new" ? "inserted" : `inserted_${kind}`,
    });
  }
  const tokensBefore = sum(before.messages.map((message) => measure(message).tokens));
  const tokensAfter = sum(after.messages.map((message) => measure(message).tokens));
  return {
    format: before.readAs,
    messages_before: before.messages.length,
    messages_after: after.messages.length,
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    reduction: tokensBefore === 0 ? 0 : Math.round((1 - tokensAfter / tokensBefore) * 10_000) / 10_000,
    counts: totals(messages, () => 1),
    tokens: totals(messages, ({ tokens }) => tokens),
    messages,
  };
}

function createMeasure(format: Format, model: string | undefined) {
  const counter = createMessageCounter(counterFor(resolveModel(model)));
  return (message: unknown) => {
    const view = format.view(message);
    return { role: view.role, tokens: counter.countMessage(message, view) };
  };
}

function totals(messages: readonly DiffMessage[], amount: (message: DiffMessage) => number): Record<string, number> {
  const result: Record<string, number> = {};
  for (const message of messages) result[message.change] = (result[message.change] ?? 0) + amount(message);
  return result;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
