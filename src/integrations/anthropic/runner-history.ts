// The history of a tool runner between two turns: what the last one brought, and the whole of it compacted.
import type { BetaToolRunner } from "@anthropic-ai/sdk/lib/tools/BetaToolRunner";
import type { BetaMessage, BetaMessageParam } from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type { JsonObject } from "../../formats/json-shape.ts";
import type { CompactManager } from "../../from-config/conversation.ts";
import { createClientPreflight } from "../clients/client-preflight.ts";

/** What a runner yields: a message, or the stream of one. */
export type Item = BetaMessage | { finalMessage(): Promise<BetaMessage> };

/** Adds to the runner's history what its last turn brought, if that is due for compaction. */
export function createHistoryCompaction<Stream extends boolean>(
  runner: BetaToolRunner<Stream>,
  manager: CompactManager,
  sessionId: string,
): (added: readonly BetaMessageParam[] | undefined) => Promise<void> {
  const preflight = createClientPreflight(manager, "anthropic", { sessionId });
  return async (added) => {
    if (added === undefined) return;
    const { messages, system, tools, model } = runner.params;
    const list = [...messages, ...added] as unknown as readonly JsonObject[];
    const sent = await preflight(list, { model, tools, ...(system === undefined ? {} : { system }) });
    if (sent === list) return;
    runner.setMessagesParams((params) => ({ ...params, messages: [...sent] as unknown as BetaMessageParam[] }));
  };
}

/**
 * The answer and the results of its calls, which the runner keeps for itself, so that no call runs twice. Nothing where the
 * caller took over the history in its loop; undefined when there is no next turn, or it resumes this one.
 */
export async function findAdded<Stream extends boolean>(
  runner: BetaToolRunner<Stream>,
  before: readonly BetaMessageParam[],
  item: Item,
): Promise<readonly BetaMessageParam[] | undefined> {
  const { messages } = runner.params;
  if (messages.length !== before.length || messages.some((message, at) => message !== before[at])) return [];
  const { content, stop_reason: reason } = "finalMessage" in item ? await item.finalMessage() : item;
  if (reason !== "tool_use") return undefined;
  const results = await runner.generateToolResponse();
  return results === null ? undefined : [{ role: "assistant", content }, results];
}
