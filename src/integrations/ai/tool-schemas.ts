// The tools of an agent as its provider is sent them, so that they are counted.
import { asText, isObject } from "../../formats/json-shape.ts";

/** By name, as `generateText` takes them. `ai` itself turns what stands for a schema into one. */
export async function describeTools(tools: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
  const { asSchema } = await import("ai");
  const described = Object.entries(tools).map(async ([name, tool]) => {
    const { description, inputSchema } = isObject(tool) ? tool : {};
    const schema = await asSchema(inputSchema as Parameters<typeof asSchema>[0]).jsonSchema;
    return { type: "function", function: { name, description: asText(description), parameters: schema } };
  });
  return Promise.all(described);
}
