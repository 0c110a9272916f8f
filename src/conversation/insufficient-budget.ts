// The error for what cannot shrink: names each part with its size, and what to change.
import { CompactError } from "../errors.ts";
import { jsonBytes } from "../text/json-values.ts";
import type { Copies } from "./attachments.ts";
import type { Fit, LayersInput } from "./layers.ts";
import type { ConversationPolicy } from "./policy.ts";
import type { ReadConversation } from "./read-conversation.ts";

const NAMED_UNITS = 3;

export function insufficientBudget(
  { read, parts }: LayersInput,
  chosen: Fit,
  copies: Copies,
  summaryTokens: number,
): CompactError {
  const { budget, policy } = parts;
  const staying = read.units
    .filter((_, position) => chosen.stays[position])
    .map((unit) => ({
      messages: unit.messages.map((index) => read.numbers[index]),
      role: unit.role,
      tokens: unit.messages.reduce((sum, index) => sum + copies.tokensOf(index, copies.current(index)), 0),
      why: unit.why,
      standing: unit.standing,
    }));
  const pinned = staying.filter(({ standing }) => standing === "pinned").reduce((sum, { tokens }) => sum + tokens, 0);
  const total = chosen.tokens - copies.tokensWon;
  const recent = total - pinned - read.fixedTokens;
  const largest = [...staying].sort((a, b) => b.tokens - a.tokens).slice(0, NAMED_UNITS);
  const named = largest.map(({ messages, role, why, tokens }) => `message ${messages[0]} (${role}, ${why}): ${tokens}`);
  const isUsers = largest[0]?.role === "user" && largest[0].standing !== "pinned";
  const isPrompts = read.fixedTokens > Math.max(pinned, largest[0]?.tokens ?? 0);
  const units = staying.map(({ standing: _, ...unit }) => unit);
  return new CompactError(
    "InsufficientBudget",
    `What cannot shrink takes ${total + summaryTokens} tokens, the budget is ${budget}: protected memory ${pinned}, recent layer ${recent}, system prompt and tools beside the messages ${read.fixedTokens}, summary ${summaryTokens}. Largest: ${named.join("; ")}.`,
    {
      hint: isPrompts ? PROMPT_HINT : hintFor(isUsers && !policy.shortenUserMessages),
      data: { budget, pinned, recent, fixed: read.fixedTokens, summary: summaryTokens, units },
    },
  );
}

const RAISE = "raise the context limit (max_context_tokens) of the model";
const PROMPT_HINT = `Shorten the system prompt, send fewer tools, or ${RAISE}.`;

function hintFor(isUserMessageTooLarge: boolean): string {
  return isUserMessageTooLarge
    ? `Set policy.shorten_user_messages to true to have that message shortened in place, send less of it, or ${RAISE}.`
    : `Reduce protected memory, or ${RAISE}.`;
}

// The last look at the bytes of what would be sent: above the ceiling the provider would refuse it.

const LISTED = 10;

/** Throws `InsufficientBudget` (`TOO_MANY_BYTES`) naming the parts. */
export function refuseTooManyBytes(
  { format, bytes }: Pick<ReadConversation, "format" | "bytes">,
  messages: readonly unknown[],
  { maxRequestBytes: ceiling }: Pick<ConversationPolicy, "maxRequestBytes">,
): void {
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
  /** Positions are from 1, in the compacted list. */
  const largest = messages
    .map((message, index) => ({ message: index + 1, role: format.view(message).role, bytes: sizes[index] ?? 0 }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, LISTED);
  const { fixed } = bytes;
  const texts = total - fixed - attachments;
  const named = largest
    .slice(0, NAMED_UNITS)
    .map(({ message, role, bytes: size }) => `message ${message} (${role}): ${size}`);
  throw new CompactError(
    "InsufficientBudget",
    `The request, compacted as far as it can be, takes ${total} bytes of JSON, policy.max_request_bytes is ${ceiling}: images, documents and sound ${attachments}, texts ${texts}, system prompt and tools ${fixed}. Largest in that list: ${named.join("; ")}.`,
    {
      code: "TOO_MANY_BYTES",
      hint: "Send smaller images or refer to them by address, reduce protected memory, or raise policy.max_request_bytes if the provider takes more.",
      data: { bytes: total, max_request_bytes: ceiling, fixed, attachments, texts, largest },
    },
  );
}
