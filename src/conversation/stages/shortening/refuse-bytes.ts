// The last look at the bytes of what would be sent: above the ceiling the provider would refuse it.
import { jsonBytes } from "../../../formats/attachments/json-bytes.ts";
import type { ConversationPolicy } from "../../policy.ts";
import type { ReadConversation } from "../read-conversation.ts";
import { tooManyBytes } from "./insufficient-budget.ts";

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
  const largest = messages
    .map((message, index) => ({ message: index + 1, role: format.view(message).role, bytes: sizes[index] ?? 0 }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, LISTED);
  throw tooManyBytes({ total, ceiling, fixed: bytes.fixed, attachments, largest });
}
