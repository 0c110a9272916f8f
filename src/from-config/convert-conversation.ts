// A conversation for another provider, for those who import the package: its readers and writers are loaded when they are needed.

import type { Conversation, ProviderFormat } from "../formats/convert/conversation.ts";
import type { Converted } from "../formats/convert/convert-conversation.ts";

/**
 * The messages, the system prompt and the tools of a conversation in the shapes of another provider.
 *
 * Texts, images, documents, calls and their results come over, in order; marks (`markProtected`) and `meta` too.
 * Reasoning is left out: only the provider that wrote it reads it. What the target has no place for is said as
 * labelled text, or left out, and told in `notes`. A valid list gives a valid list; a damaged one stays damaged, for
 * the format's `heal`. Never rejects. Where the format is already `to`, the messages are the same array.
 *
 * ```ts
 * const { messages, system, notes } = await convertConversation({ format: "openai-chat", messages: chat }, "anthropic");
 * ```
 */
export async function convertConversation(conversation: Conversation, to: ProviderFormat): Promise<Converted> {
  const { convertConversation: convert } = await import("../formats/convert/convert-conversation.ts");
  return convert(conversation, to);
}
