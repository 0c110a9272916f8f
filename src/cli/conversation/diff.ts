// `agent-compact diff BEFORE AFTER`: what a compaction kept, shortened, summarized or pruned, and what it put in.
import { SUMMARY_PREFIX } from "../../conversation/summary-frame.ts";
import { CompactError } from "../../errors.ts";
import type { Format } from "../../providers/format.ts";
import { figure, plural, sum } from "../../text/figures.ts";
import { pushTo } from "../../text/words.ts";
import { createMessageCounter } from "../../tokens/count-messages.ts";
import { counterFor } from "../../tokens/create-token-counter.ts";
import { resolveModel } from "../../tokens/models.ts";
import { type ConversationSource, convertSource, readConversationSource } from "../files/conversation-source.ts";
import type { DiffFlags } from "../program.ts";
import { atMost, percent, renderBars, renderTable, right } from "../render.ts";
import { printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { ranges } from "./compact-view.ts";

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
  compareSources(found, await readAfter(after, found, terminal), flags, terminal);
}

/** Prints what became of each message of the first in the second. */
export function compareSources(
  found: ConversationSource,
  second: ConversationSource,
  flags: Omit<DiffFlags, "format">,
  terminal: Terminal,
): void {
  const first = convertSource(found, second.format.name);
  const difference = describeDifference(first, second, flags.model);
  const labels = { before: first.label, after: second.label };
  printResult(difference, (colors) => renderDifference(difference, labels, colors), flags, terminal);
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

// What became of every message between a conversation and its compaction, with its size. Pure.

interface DiffMessage {
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

// What became of each message between two lists of one format: kept, shortened, replaced, left; and what is new.
// Goes by the objects where the second list was made of the first, else by content, so that it also compares two files.

type Fate = "kept" | "shortened" | "left" | "replaced_summary";
type Insertion = "summary" | "filler" | "new";

interface ListComparison {
  /** One for each message of the first list. */
  readonly fates: readonly Fate[];
  /** Messages of the second list that the first does not have. */
  readonly inserted: readonly { readonly index: number; readonly kind: Insertion }[];
}

export function compareLists(before: readonly unknown[], after: readonly unknown[], format: Format): ListComparison {
  const fates: Fate[] = before.map((message) => (isSummary(message, format) ? "replaced_summary" : "left"));
  const own = new Set(before);
  const keyOf = after.some((message) => own.has(message)) ? (message: unknown) => message : JSON.stringify;
  const byContent = places(before, (message) => [keyOf(message)]);
  const unmatched: { readonly index: number; readonly previous: number }[] = [];
  let previous = -1;
  for (const [index, message] of after.entries()) {
    const found = takeNext(byContent, [keyOf(message)], previous);
    if (found === undefined) {
      unmatched.push({ index, previous });
      continue;
    }
    fates[found] = "kept";
    previous = found;
  }
  const callsOf = (message: unknown) => (isSummary(message, format) ? [] : resultIds(message, format));
  const asked = new Set(unmatched.flatMap(({ index }) => callsOf(after[index])));
  const byCall = places(before, (message, index) =>
    asked.size === 0 || fates[index] === "kept" ? [] : resultIds(message, format).filter((id) => asked.has(id)),
  );
  const inserted: { index: number; kind: Insertion }[] = [];
  for (const { index, previous: last } of unmatched) {
    const message = after[index];
    const found = takeNext(byCall, callsOf(message), last);
    if (found === undefined) inserted.push({ index, kind: insertionOf(message, format) });
    else fates[found] = "shortened";
  }
  return { fates, inserted };
}

function insertionOf(message: unknown, format: Format): Insertion {
  if (isSummary(message, format)) return "summary";
  return format.isFiller(message) ? "filler" : "new";
}

function isSummary(message: unknown, format: Format): boolean {
  return format.summaryText(message)?.startsWith(SUMMARY_PREFIX) === true;
}

function resultIds(message: unknown, format: Format): readonly string[] {
  return format.view(message).parts.flatMap((part) => (part.kind === "result" ? [part.callId] : []));
}

/** Contents and ids repeat in real sessions: each key has all its places, ascending. */
function places<Key>(
  list: readonly unknown[],
  keysOf: (message: unknown, index: number) => readonly Key[],
): Map<Key, number[]> {
  const found = new Map<Key, number[]>();
  for (const [index, message] of list.entries()) for (const key of keysOf(message, index)) pushTo(found, key, index);
  return found;
}

/** Takes the next place after `previous`, for lists keep their order; else the first one there is. */
function takeNext<Key>(known: Map<Key, number[]>, keys: readonly Key[], previous: number): number | undefined {
  for (const key of keys) {
    const candidates = known.get(key) ?? [];
    if (candidates.length === 0) continue;
    const [found] = candidates.splice(firstAbove(candidates, previous) % candidates.length, 1);
    return found;
  }
  return undefined;
}

/** Position of the first number above `limit`; the length when there is none. */
function firstAbove(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

const CHANGES: Readonly<Record<DiffMessage["change"], string>> = {
  kept: "kept",
  shortened: "shortened",
  summarized: "summarized",
  pruned: "pruned",
  replaced_summary: "earlier summary, replaced",
  inserted_summary: "summary, inserted",
  inserted_filler: "line beside it, inserted",
  inserted: "inserted",
};

function renderDifference(
  difference: Difference,
  labels: { readonly before: string; readonly after: string },
  colors: Colors,
): string {
  const { messages_before, messages_after, tokens_before, tokens_after } = difference;
  const columns = ["what", right("messages"), right("tokens"), atMost("numbers", 60)];
  const changes = Object.keys(CHANGES) as DiffMessage["change"][];
  const rows = changes.flatMap((change) => {
    const members = difference.messages.filter((message) => message.change === change);
    if (members.length === 0) return [];
    const numbers = ranges(members.map(({ message }) => message));
    return [
      [
        CHANGES[change],
        members.length,
        difference.tokens[change] ?? 0,
        members[0]?.list === "after" ? `${numbers} of the second` : numbers,
      ],
    ];
  });
  return `${[
    `${colors.bold(labels.before)} -> ${colors.bold(labels.after)} (${difference.format})`,
    "",
    ...renderBars(tokens_before, tokens_after, 50, colors),
    `  ${plural(messages_before, "message")} -> ${figure(messages_after)}, tokens ${difference.reduction < 0 ? "+" : "-"}${percent(Math.abs(difference.reduction))}`,
    "",
    renderTable(columns, rows, colors),
  ].join("\n")}\n`;
}
