// Reads tool definitions by their shape. Tools that run at the provider have no counterpart and are left out.
import { asText, isFilledText, isObject, type JsonObject } from "../../json-shape.ts";
import type { Losses } from "../neutral/losses.ts";
import type { NeutralTool } from "../neutral/neutral.ts";

export function readTools(tools: readonly unknown[] | undefined, losses: Losses): readonly NeutralTool[] | undefined {
  return tools?.flatMap((tool) => {
    const read = isObject(tool) ? readTool(tool) : undefined;
    if (read === undefined) losses.add("server_tools", isObject(tool) ? asText(tool.type) || asText(tool.name) : "");
    return read === undefined ? [] : [read];
  });
}

function readTool(tool: JsonObject): NeutralTool | undefined {
  if (isObject(tool.function)) return readFunction(tool.function, tool.function.parameters);
  if (isObject(tool.custom)) return readCustom(tool.custom);
  if (isObject(tool.input_schema)) return readFunction(tool, tool.input_schema);
  if (tool.type === "custom") return readCustom(tool);
  if (tool.type === "function" || tool.type === undefined) return readFunction(tool, tool.parameters);
  return undefined;
}

function readFunction(tool: JsonObject, schema: unknown): NeutralTool | undefined {
  if (!isFilledText(tool.name)) return undefined;
  return {
    kind: "function",
    name: tool.name,
    ...described(tool),
    ...(isObject(schema) ? { schema } : {}),
    ...(tool.strict === true ? { strict: true } : {}),
  };
}

function readCustom(tool: JsonObject): NeutralTool | undefined {
  if (!isFilledText(tool.name)) return undefined;
  const grammar = isObject(tool.format) && tool.format.type !== "text" ? { grammar: tool.format } : {};
  return { kind: "custom", name: tool.name, ...described(tool), ...grammar };
}

function described({ description }: JsonObject): { readonly description?: string } {
  return isFilledText(description) ? { description } : {};
}
