// Puts the three layers into one native list, in the order and roles the provider accepts, and checks it with
// the provider's own validator. Kept messages are the same objects.
import { CompactError } from "../errors.ts";
import type { Placed } from "../providers/format.ts";
import type { ConversationParts } from "./conversation-parts.ts";
import { refuseTooManyBytes } from "./insufficient-budget.ts";
import type { Layers } from "./layers.ts";
import type { ReadConversation } from "./read-conversation.ts";

export interface Assembled {
  readonly placed: Placed;
  /** Tokens of everything that would be sent. */
  readonly tokens: number;
  readonly summaryTokens: number;
  /** Tokens of the pinned and of the recent messages. */
  readonly pinnedTokens: number;
  readonly recentTokens: number;
}

/** Throws `InsufficientBudget` when the summary came out too long for the budget, `StoreFailed` when the result would be refused. */
export function assemble(
  read: ReadConversation,
  layers: Layers,
  summary: string | undefined,
  parts: ConversationParts,
): Assembled {
  const native = (index: number) => layers.shortened.get(read.messages[index]) ?? read.messages[index];
  // Where nothing left, nothing else is changed: the pinned messages stay among the others, reasoning stays too.
  const isWhole = layers.removed.length === 0;
  const pinned = isWhole ? [] : layers.pinned.map(native);
  const staying = isWhole ? [...layers.pinned, ...layers.recent].sort((a, b) => a - b) : layers.recent;
  const isStripped = parts.policy.stripReasoning && !isWhole;
  const recent = recentMessages(read, staying, native, isStripped);
  // Where a message was nothing but reasoning, the positions are no longer those of `staying`.
  const gaps = recent.length === staying.length ? { gaps: gapsOf(staying) } : {};
  const pinnedGaps = gapsOf(isWhole ? [] : layers.pinned);
  const placed = read.format.place({
    pinned,
    pinnedGaps,
    recent,
    ...gaps,
    ...(summary === undefined ? {} : { summary }),
  });
  const count = (messages: readonly unknown[]) =>
    messages.reduce<number>((sum, message) => sum + parts.counter.countMessage(message, read.format.view(message)), 0);
  const total = count(placed.messages);
  const pinnedTokens = count(layers.pinned.map(native));
  const recentTokens = count(isWhole ? layers.recent.map(native) : recent);
  const tokens = read.fixedTokens + total;
  if (tokens > parts.budget) throw overBudget(tokens, parts.budget);
  refuseTooManyBytes(read, placed.messages, parts.policy);
  refuseInvalid(read, placed);
  return { placed, tokens, summaryTokens: total - pinnedTokens - recentTokens, pinnedTokens, recentTokens };
}

/** Positions in a layer before which something left. */
function gapsOf(indices: readonly number[]): ReadonlySet<number> {
  const gaps = new Set<number>();
  for (let position = 1; position < indices.length; position++) {
    if (indices[position] !== (indices[position - 1] ?? 0) + 1) gaps.add(position);
  }
  return gaps;
}

/** The running turn keeps its reasoning whatever the policy says: its provider asks for it. */
function recentMessages(
  read: ReadConversation,
  recent: readonly number[],
  native: (index: number) => unknown,
  strip: boolean,
): readonly unknown[] {
  const messages = recent.map(native);
  if (!strip) return messages;
  const running = recent.findLastIndex((index) => read.views[index]?.role === "user");
  const finished = Math.max(0, running);
  return [...read.format.withoutReasoning(messages.slice(0, finished)), ...messages.slice(finished)];
}

function refuseInvalid({ format }: ReadConversation, { messages }: Placed): void {
  const [violation] = format.validate(messages, { allowOpenTail: true });
  if (violation === undefined) return;
  throw new CompactError(
    "InvalidInput",
    `The compacted list would be refused by its provider (message ${violation.index + 1}: ${violation.rule}); the conversation was left as it was.`,
    {
      code: "INVALID_RESULT",
      hint: "Please report this with the shape of the conversation.",
      data: { rule: violation.rule, index: violation.index },
    },
  );
}

function overBudget(tokens: number, budget: number): CompactError {
  return new CompactError("InsufficientBudget", `The compacted list takes ${tokens} tokens, the budget is ${budget}.`, {
    hint: "Reduce protected memory, lower policy.summary_max_tokens, or raise the context limit (max_context_tokens) of the model.",
    data: { tokens, budget },
  });
}
