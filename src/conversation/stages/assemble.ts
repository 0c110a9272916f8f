// Puts the three layers into one native list, in the order and roles the provider accepts, and checks it with
// the provider's own validator. Kept messages are the same objects.
import { CompactError } from "../../errors.ts";
import { jsonBytes } from "../../formats/attachments/json-bytes.ts";
import type { Placed } from "../../formats/format.ts";
import type { ConversationParts } from "../conversation-parts.ts";
import type { Layers } from "./layers.ts";
import type { ReadConversation } from "./read-conversation.ts";
import { tooManyBytes } from "./shortening/insufficient-budget.ts";

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
  // Where nothing left, nothing has to move either: the pinned messages stay among the others.
  const isWhole = layers.removed.length === 0;
  const pinned = isWhole ? [] : layers.pinned.map(native);
  const staying = isWhole ? [...layers.pinned, ...layers.recent].sort((a, b) => a - b) : layers.recent;
  const recent = recentMessages(read, staying, native, parts.policy.stripReasoning);
  const gaps = parts.policy.stripReasoning ? {} : { gaps: gapsOf(staying) };
  const placed = read.format.place({ pinned, recent, ...gaps, ...(summary === undefined ? {} : { summary }) });
  const count = (messages: readonly unknown[]) =>
    messages.reduce<number>((sum, message) => sum + parts.counter.countMessage(message, read.format.view(message)), 0);
  const total = count(placed.messages);
  const pinnedTokens = count(layers.pinned.map(native));
  const recentTokens = count(isWhole ? layers.recent.map(native) : recent);
  const tokens = read.fixedTokens + total;
  if (tokens > parts.budget) throw overBudget(tokens, parts.budget);
  refuseTooManyBytes(read, placed, parts);
  refuseInvalid(read, placed);
  return { placed, tokens, summaryTokens: total - pinnedTokens - recentTokens, pinnedTokens, recentTokens };
}

/** Positions in the recent layer before which something left. */
function gapsOf(recent: readonly number[]): ReadonlySet<number> {
  const gaps = new Set<number>();
  for (let position = 1; position < recent.length; position++) {
    if (recent[position] !== (recent[position - 1] ?? 0) + 1) gaps.add(position);
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

function refuseTooManyBytes({ format, bytes }: ReadConversation, { messages }: Placed, { policy }: ConversationParts) {
  const ceiling = policy.maxRequestBytes;
  if (ceiling === undefined || bytes === undefined) return;
  const sizes = messages.map((message) => jsonBytes(message) + 1);
  const total = sizes.reduce((sum, size) => sum + size, bytes.fixed);
  if (total <= ceiling) return;
  let attachments = 0;
  for (const message of messages) {
    format.mapAttachments(message, (attachment) => {
      attachments += attachment.bytes;
      return undefined;
    });
  }
  const largest = messages
    .map((message, index) => ({ message: index + 1, role: format.view(message).role, bytes: sizes[index] ?? 0 }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, 10);
  throw tooManyBytes({ total, ceiling, fixed: bytes.fixed, attachments, largest });
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
