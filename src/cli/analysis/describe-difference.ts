// What became of every message between a conversation and its compaction, with its size. Pure.
import type { Format } from "../../formats/format.ts";
import { createMessageCounter } from "../../tokens/count-messages.ts";
import { counterFor } from "../../tokens/create-token-counter.ts";
import { resolveModel } from "../../tokens/models.ts";
import type { ConversationSource } from "../input/conversation-source.ts";
import { compareLists } from "./compare-lists.ts";

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

export function describeDifference(
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
