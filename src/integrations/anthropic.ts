// The plain Anthropic client and its tool runner. Decides which requests carry a conversation; the wrapping is in clients/.
import { isObject } from "../formats/json-shape.ts";
import { CompactManager } from "../from-config/conversation.ts";
import { sendWholeHistory } from "./anthropic/whole-history.ts";
import { createClientPreflight } from "./clients/client-preflight.ts";
import { composeWith } from "./clients/list-request.ts";
import { wrapClient } from "./clients/wrap-client.ts";
import type { SessionChoice } from "./seam/host-preflight.ts";

export { compactToolRunner } from "./anthropic/tool-runner.ts";
export type { SessionChoice } from "./seam/host-preflight.ts";

/**
 * The client, of the same type, with compaction before each request that carries a conversation: `messages.create`,
 * `stream`, `parse`, the same of `beta.messages`, and its `toolRunner`. All else passes through (`countTokens` counts what it
 * is given), the client given and the caller's lists are untouched, and `withOptions` keeps the compaction. Marks for the
 * cache go out where the caller has them, thinking blocks as they came.
 *
 * ```ts
 * const client = withCompaction(new Anthropic());
 * await client.messages.create({ model: "claude-sonnet-4-5", max_tokens: 4096, system, tools, messages });
 * ```
 *
 * Without a manager: one with all defaults. Without `sessionId` each conversation is told by its messages, so that one
 * client serves many. What goes on from a thread that the provider holds goes out as it is: it is only what is new.
 * `toolRunner` sends its whole history instead of using such a thread.
 *
 * What `CompactManager.preflight` throws (`InsufficientBudget`, `ArchiveFailed`, `InvalidConfig` with the code
 * `UNKNOWN_MODEL`) rejects the call before the provider is asked; a stream has it as the `cause` of its error.
 * The manager's window less `reservedOutputTokens` is for the prompt: set that to the `max_tokens` you ask for.
 */
export function withCompaction<Client extends object>(
  client: Client,
  manager: CompactManager = new CompactManager(),
  choice: SessionChoice = {},
): Client {
  const messages = composeWith(createClientPreflight(manager, "anthropic", choice), {
    list: "messages",
    system: "system",
    // A request for the provider's own compaction has to hold what it is to compact.
    isHeldElsewhere: ({ thread, compaction }) =>
      (isObject(thread) && thread.type === "continue") || isObject(compaction),
  });
  return wrapClient(client, {
    resources: ["messages", "beta"],
    bodies: new Map([
      ["/v1/messages", messages],
      ["/v1/messages?beta=true", messages],
    ]),
    finish: sendWholeHistory,
  });
}
