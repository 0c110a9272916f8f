// Compaction before each model call of a run. The run's own history and its result stay whole: only what the model is
// sent is compacted.
import type { AgentInputItem, CallModelInputFilter, CallModelInputFilterArgs } from "@openai/agents";
import type { CompactManager } from "../../conversation.ts";
import { carryMarks, isProtectedMessage, markProtected, withoutField } from "../../providers/message-marks.ts";
import { isFilledText, isObject, type JsonObject, withoutUndefined } from "../../text/json-values.ts";
import { createHostPreflight, type SessionChoice } from "../adapter/host-preflight.ts";
import { agentItems, originOf } from "./items.ts";

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
  const dropOrphanIds = createDropOrphanIds();
  const reportSources = createSourceReport();

  const filter: CallModelInputFilter<unknown> = async ({ modelData, agent }) => {
    const { input, instructions } = modelData;
    const bare = input.map(withoutMeta);
    const sent = await preflight(bare, withoutUndefined({ ...requestOf(agent), system: instructions }));
    const items: readonly AgentInputItem[] = sent === bare ? input : dropOrphanIds(bare, sent).map(withMeta);
    const result = [...items];
    reportSources(input, items);
    return { ...modelData, input: result };
  };
  // Known items need not be read, counted and compared anew at each call.
  filter.preserveInputIdentity = true;
  return filter;
}

// What goes to the model beside the messages, as far as the filter can see it: an agent's own tools and handoffs. Tools
// of MCP servers and a runner's model are not shown to it.

function requestOf({ model, tools, handoffs }: CallModelInputFilterArgs["agent"]) {
  const shown = [...tools.map(toolSchema), ...handoffs.map(handoffSchema)];
  return { model: isFilledText(model) ? model : undefined, tools: shown.length === 0 ? undefined : shown };
}

function toolSchema(tool: unknown): JsonObject {
  const { type, name, description, parameters, strict, providerData } = tool as JsonObject;
  if (type === "function") return { type, name, description, parameters, strict };
  return isObject(providerData) ? providerData : { type, name };
}

/** A handoff to an agent has no schema yet: the SDK makes it of the agent's name and what it is for. */
function handoffSchema(handoff: unknown): JsonObject {
  const { toolName, name, toolDescription, handoffDescription, inputJsonSchema } = handoff as JsonObject;
  return {
    type: "function",
    name: toolName ?? `transfer_to_${name}`,
    description: toolDescription ?? `Handoff to the ${name} agent to handle the request. ${handoffDescription ?? ""}`,
    parameters: inputJsonSchema ?? { type: "object", properties: {}, required: [], additionalProperties: false },
  };
}

// A call whose reasoning has left is refused under the id that the provider gave it; the id that pairs it with its
// result stays.

type DropOrphanIds = (before: readonly AgentInputItem[], sent: readonly AgentInputItem[]) => readonly AgentInputItem[];

function createDropOrphanIds(): DropOrphanIds {
  const copies = new WeakMap<object, AgentInputItem>();
  return (before, sent) => {
    const kept = new Set(sent);
    const orphans = new Set(before.filter((item, at) => "callId" in item && isOrphan(before[at - 1], kept)));
    if (!sent.some((item) => orphans.has(item) && "id" in item)) return sent;
    return sent.map((item) => {
      if (!orphans.has(item) || !("id" in item)) return item;
      const known = copies.get(item);
      if (known !== undefined) return known;
      const { id: _id, ...copy } = item as unknown as JsonObject;
      copies.set(item, copy as unknown as AgentInputItem);
      return copy as unknown as AgentInputItem;
    });
  };
}

function isOrphan(previous: AgentInputItem | undefined, kept: ReadonlySet<AgentInputItem>): boolean {
  return previous?.type === "reasoning" && !kept.has(previous);
}

// `meta` is ours. The SDK sends no field that it does not know, so an item may keep its `meta` and be the same object:
// stored with its session it is still protected when the session is read again.

const bare = new WeakMap<object, AgentInputItem>();
const whole = new WeakMap<object, AgentInputItem>();

/** The item without `meta`, its protection as a mark. */
function withoutMeta(item: AgentInputItem): AgentInputItem {
  if (!("meta" in item)) return item;
  const before = bare.get(item);
  if (before !== undefined) return before;
  const copy = carryMarks(item, withoutField(item as JsonObject, "meta")) as unknown as AgentInputItem;
  if (isProtectedMessage(item)) markProtected(copy);
  bare.set(item, copy);
  whole.set(copy, item);
  return copy;
}

/** The item that `withoutMeta` was given. */
function withMeta(item: AgentInputItem): AgentInputItem {
  return whole.get(item) ?? item;
}

// Reports to the SDK what each item that the model is sent stands for. It stores what became of a run's own input, and takes
// items that it does not know for replacements of the first ones missing: behind a history that left the list, new
// input that was shortened or summarized would be stored nowhere.

type ReportSources = (input: AgentInputItem[], sent: readonly AgentInputItem[]) => void;

/**
 * `input` is the array that the SDK gave the filter: it looks there, when the filter is done, for what the new items
 * replace. A changed item stands for the one it was made from. A summary stands for itself and is not stored, unless it
 * covers what the SDK was never told of: then for the last of that, or it would be stored nowhere.
 */
function createSourceReport(): ReportSources {
  /** Went to the model in an earlier call, so the SDK stores them. */
  const reported = new WeakSet<object>();
  return (input, sent) => {
    const given = new Set(input);
    const kept = new Set(sent.map((item) => originOf(item) ?? item));
    let covered = input.findLast((item) => !kept.has(item) && !reported.has(item));
    const sources = sent.map((item) => {
      if (given.has(item)) return item;
      const source = originOf(item) ?? covered ?? item;
      if (source === covered) covered = undefined;
      return source;
    });
    for (const item of kept) reported.add(item);
    input.splice(0, input.length, ...sources);
  };
}
