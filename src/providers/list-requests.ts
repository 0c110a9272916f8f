// The requests that carry a conversation: which field of the body holds the list of messages, and what stands beside it in the
// prompt. One definition for whoever stands between an agent and its provider.
import { isFilledText, isObject, type JsonObject } from "../text/json-values.ts";
import type { ProviderFormat } from "./format.ts";

export interface ListRequest {
  readonly format: ProviderFormat;
  readonly list: "messages" | "input";
  /** The field of the system prompt, where it stands beside the list. */
  readonly system?: "system" | "instructions";
  /** Fields that say how much the answer may take. */
  readonly outputTokens: readonly string[];
  /** The fields that `isHeldElsewhere` looks at. */
  readonly holders: readonly string[];
  /** True when the provider holds the conversation: the list is only what is new, and its beginning is not ours to cut. */
  readonly isHeldElsewhere: (body: JsonObject) => boolean;
}

export const CHAT_REQUEST: ListRequest = {
  format: "openai-chat",
  list: "messages",
  outputTokens: ["max_completion_tokens", "max_tokens"],
  holders: [],
  isHeldElsewhere: () => false,
};

export const RESPONSES_REQUEST: ListRequest = {
  format: "openai-responses",
  list: "input",
  system: "instructions",
  outputTokens: ["max_output_tokens"],
  holders: ["previous_response_id", "conversation"],
  isHeldElsewhere: ({ previous_response_id, conversation }) =>
    isFilledText(previous_response_id) || isFilledText(conversation) || isObject(conversation),
};

export const MESSAGES_REQUEST: ListRequest = {
  format: "anthropic",
  list: "messages",
  system: "system",
  outputTokens: ["max_tokens"],
  holders: ["thread", "compaction"],
  // A request for the provider's own compaction has to hold what it is to compact.
  isHeldElsewhere: ({ thread, compaction }) => (isObject(thread) && thread.type === "continue") || isObject(compaction),
};
