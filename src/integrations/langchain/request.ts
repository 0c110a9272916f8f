// What stands beside the messages in a request to the model: the system prompt, the tools as the provider is sent them, the
// model's name. Known only when the request is made.
import type { BaseMessage } from "@langchain/core/messages";
import type { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { asText, isFilledText, isObject, type JsonObject } from "../../formats/json-shape.ts";
import { resolveModel } from "../../tokens/models.ts";

export interface Beside {
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  readonly model?: string;
}

/** What is read of a model request. */
export interface Request {
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

/**
 * What the provider reported for the last answer in the list, for models whose tokens it counts better than we do. The
 * session leaves aside what was reported before a compaction.
 */
export function usageOf(messages: readonly BaseMessage[], { model }: Beside): { readonly usage?: unknown } {
  if (resolveModel(model).isExact) return {};
  const last = messages.findLast(({ type }) => type === "ai") as (BaseMessage & JsonObject) | undefined;
  return isObject(last?.usage_metadata) ? { usage: last.usage_metadata } : {};
}

/** Models of all providers have one of the two. */
function nameOf(model: unknown): string | undefined {
  if (!isObject(model)) return undefined;
  const name = asText(model.model) || asText(model.modelName);
  return isFilledText(name) ? name : undefined;
}
