// The plain OpenAI client. Decides which of its requests carry a conversation; the wrapping is in adapter/.
import { CompactManager } from "../conversation.ts";
import { CHAT_REQUEST, RESPONSES_REQUEST } from "../providers/list-requests.ts";
import type { SessionChoice } from "./adapter/host-preflight.ts";
import { composeWith, createClientPreflight, wrapClient } from "./adapter/provider-client.ts";

export type { SessionChoice } from "./adapter/host-preflight.ts";

/**
 * The client, of the same type, with compaction before each request that carries a conversation:
 * `chat.completions.create`, `stream`, `parse`, `runTools`, and `responses.create`, `stream`, `parse`, also below `beta`.
 * All else passes through, the client given and the caller's lists are untouched, and `withOptions` keeps the compaction.
 *
 * ```ts
 * const client = withCompaction(new OpenAI());
 * await client.chat.completions.create({ model: "gpt-4o", messages }); // `messages` may grow without end
 * ```
 *
 * Without a manager: one with all defaults. Without `sessionId` each conversation is told by its messages, so that one
 * client serves many. A Responses request with `previous_response_id` or `conversation` goes out as it is: the provider
 * holds that conversation, and its input is only what is new. So does an `input` that is one string.
 *
 * What `CompactManager.preflight` throws (`InsufficientBudget`, `ArchiveFailed`, `InvalidConfig` with the code
 * `UNKNOWN_MODEL`) rejects the call before the provider is asked; a stream or a runner has it as the `cause` of its error.
 * The manager's window less `reservedOutputTokens` is for the prompt: set that to the `max_tokens` you ask for.
 */
export function withCompaction<Client extends object>(
  client: Client,
  manager: CompactManager = new CompactManager(),
  choice: SessionChoice = {},
): Client {
  const chat = composeWith(createClientPreflight(manager, "openai-chat", choice), CHAT_REQUEST);
  const responses = composeWith(createClientPreflight(manager, "openai-responses", choice), RESPONSES_REQUEST);
  return wrapClient(client, {
    resources: ["chat", "responses", "beta"],
    bodies: new Map([
      ["/chat/completions", chat],
      ["/responses", responses],
      ["/responses?beta=true", responses],
    ]),
  });
}
