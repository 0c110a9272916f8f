// What goes to the model beside the messages, as far as the filter can see it: an agent's own tools and handoffs. Tools
// of MCP servers and a runner's model are not shown to it.
import type { CallModelInputFilterArgs } from "@openai/agents";
import { isFilledText, isObject, type JsonObject } from "../../formats/json-shape.ts";

export interface AgentRequest {
  readonly model?: string;
  readonly tools?: readonly unknown[];
}

export function requestOf({ model, tools, handoffs }: CallModelInputFilterArgs["agent"]): AgentRequest {
  const shown = [...tools.map(toolSchema), ...handoffs.map(handoffSchema)];
  return { ...(isFilledText(model) ? { model } : {}), ...(shown.length === 0 ? {} : { tools: shown }) };
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
