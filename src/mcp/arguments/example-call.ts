// An example of a call, made from the schema: what a model can copy after its own call was refused.
import type * as z from "zod";
import { z as zod } from "zod";
import type { Tool } from "../tool.ts";
import { bareSchema } from "./coerce-argument.ts";

/** `mem_compact {"older_than_days": 30}`: the required parameters, and the others that are asked for. */
export function exampleCall(tool: Tool, also: readonly string[]): string {
  return `${tool.name} ${exampleArguments(tool, also)}`;
}

export function exampleArguments(tool: Tool, also: readonly string[] = []): string {
  const keys = Object.keys(tool.input.shape).filter((key) => isRequired(tool, key) || also.includes(key));
  const pairs = keys.map(
    (key) => `${JSON.stringify(key)}: ${JSON.stringify(exampleValue(tool.input.shape[key], key))}`,
  );
  return `{${pairs.join(", ")}}`;
}

export function isRequired({ input }: Tool, key: string): boolean {
  const schema = input.shape[key];
  return schema !== undefined && !zod.safeParse(schema, undefined).success;
}

/** The first example that the schema names, else a value of the type. */
export function exampleValue(schema: z.core.$ZodType | undefined, key: string): unknown {
  if (schema === undefined) return null;
  const bare = bareSchema(schema).schema;
  const named = (zod.globalRegistry.get(schema) ?? zod.globalRegistry.get(bare))?.examples;
  if (Array.isArray(named) && named.length > 0) return named[0];
  return typicalValue(bare, key);
}

function typicalValue(schema: z.core.$ZodType, key: string): unknown {
  const { def } = schema._zod;
  switch (def.type) {
    case "number":
      return key.endsWith("days") ? 30 : key.startsWith("max_tokens") ? 4000 : 1;
    case "boolean":
      return true;
    case "enum":
      return Object.values((def as z.core.$ZodEnumDef).entries)[0];
    case "literal":
      return (def as z.core.$ZodLiteralDef<z.core.util.Literal>).values[0];
    case "array":
      return [exampleValue((def as z.core.$ZodArrayDef).element, key)];
    case "object":
    case "record":
      return {};
    case "string":
      return "text";
    default:
      return key.endsWith("ids") ? [1, 2, 3] : "text";
  }
}
