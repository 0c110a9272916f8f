// A conversation of one provider, as conversion takes and gives it: the list and what is sent beside it.

export type ProviderFormat = "openai-chat" | "openai-responses" | "anthropic";

export interface Conversation {
  readonly format: ProviderFormat;
  readonly messages: readonly unknown[];
  /** Beside the messages: Anthropic's `system`, Responses' `instructions`. */
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
}
