// One provider's conversation as another's. Everything that can be said there is; what cannot is left out and told.
import type { ReadNote } from "../readers/reader.ts";

export type ProviderFormat = "openai-chat" | "openai-responses" | "anthropic";

export interface Conversation {
  readonly format: ProviderFormat;
  readonly messages: readonly unknown[];
  /** Beside the messages: Anthropic's `system`, Responses' `instructions`. */
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
}

export interface Converted extends Conversation {
  readonly notes: readonly ReadNote[];
}

/** The same object where the format is already `to`. Never throws; a damaged list stays damaged, for `heal`. */
export function convertConversation(conversation: Conversation, to: ProviderFormat): Converted {
  if (conversation.format === to) return { ...conversation, notes: [] };
  throw new Error("not yet");
}
