// What stands beside the messages in a request to the model: the system prompt, the tools as the provider is sent them, the
// model's name. Known only when the request is made.
import type { BaseMessage } from "@langchain/core/messages";
import type { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { asText, isFilledText, isObject, type JsonObject } from "../../formats/json-shape.ts";

export interface Beside {
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  readonly model?: string;
}

interface Request {
  readonly model: unknown;
  readonly systemMessage?: BaseMessage;
  readonly tools?: readonly unknown[];
}

export function createRequestReader(convert: typeof convertToOpenAITool): (request: Request) => Beside {
  const schemas = new WeakMap<object, unknown>();
  const schemaOf = (tool: unknown) => {
    if (!isObject(tool)) return tool;
    const before = schemas.get(tool);
    if (before !== undefined) return before;
    const schema = convert(tool);
    schemas.set(tool, schema);
    return schema;
  };
  return ({ model, systemMessage, tools = [] }) => {
    const system = systemMessage?.content;
    const name = nameOf(model);
    return {
      ...(system === undefined || system.length === 0 ? {} : { system }),
      ...(tools.length === 0 ? {} : { tools: tools.map(schemaOf) }),
      ...(name === undefined ? {} : { model: name }),
    };
  };
}

/** What the provider reported for the last answer in the list; counts of before a compaction are left aside by the session. */
export function lastUsage(messages: readonly BaseMessage[]): { readonly usage?: unknown } {
  const last = messages.findLast(({ type }) => type === "ai") as (BaseMessage & JsonObject) | undefined;
  return isObject(last?.usage_metadata) ? { usage: last.usage_metadata } : {};
}

/** Models of all providers have one of the two. */
function nameOf(model: unknown): string | undefined {
  if (!isObject(model)) return undefined;
  const name = asText(model.model) || asText(model.modelName);
  return isFilledText(name) ? name : undefined;
}
