// Compaction before each model call of a run. The run's own history and its result stay whole: only what the model is
// sent is compacted.
import type { AgentInputItem, CallModelInputFilter } from "@openai/agents";
import type { CompactManager } from "../../from-config/conversation.ts";
import { createHostPreflight, type SessionChoice } from "../seam/host-preflight.ts";
import { requestOf } from "./agent-request.ts";
import { agentItems } from "./items/agent-items.ts";
import { createDropPartedIds } from "./parted-ids.ts";
import { withMeta, withoutMeta } from "./protected-items.ts";
import { createTellSources } from "./tell-sources.ts";

/**
 * A `callModelInputFilter` for `run` or `Runner`, for models of the Responses and of the chat completions endpoint.
 * Without `sessionId` each conversation is recognised by its messages, so one filter serves parallel runs and sub-agents.
 * Give the id of the run's `Session` where that is one of `compactSession`: both then go on from the same summary.
 * The agent's model decides window and encoding if it is named; one whose window nobody knows needs `maxContextTokens`.
 * Throws what `CompactManager.preflight` throws.
 *
 * @example
 * const manager = new CompactManager({ model: "gpt-4o" });
 * await run(agent, "Port the parser.", { callModelInputFilter: compactInputFilter(manager) });
 */
export function compactInputFilter(manager: CompactManager, choice: SessionChoice = {}): CallModelInputFilter<unknown> {
  const preflight = createHostPreflight(manager, agentItems, choice);
  const dropPartedIds = createDropPartedIds();
  const tellSources = createTellSources();

  const filter: CallModelInputFilter<unknown> = async ({ modelData, agent }) => {
    const { input, instructions } = modelData;
    const bare = input.map(withoutMeta);
    const system = instructions === undefined ? {} : { system: instructions };
    const sent = await preflight(bare, { ...requestOf(agent), ...system });
    const items: readonly AgentInputItem[] = sent === bare ? input : dropPartedIds(bare, sent).map(withMeta);
    const result = [...items];
    tellSources(input, items);
    return { ...modelData, input: result };
  };
  // Known items need not be read, counted and compared anew at each call.
  filter.preserveInputIdentity = true;
  return filter;
}
