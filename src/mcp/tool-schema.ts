// What a client reads about a tool's arguments and answers: JSON Schema, made once for each tool. The SDK is told to let
// everything through, because arguments are read and refused by ours (arguments/), in words that a model can act on.
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";

/** Without `$schema`: its absence means the same draft, and some validators do not know the draft by its address. */
export function listedSchema(schema: z.ZodObject, direction: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, { io: direction, override: withoutSafeBounds });
  return { type: "object", ...listed };
}

/** Every whole number carries the bounds of what JSON can hold exactly: sixteen digits that say nothing to a model. */
function withoutSafeBounds({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

export function acceptingSchema(listed: Record<string, unknown>): StandardSchemaWithJSON {
  return {
    "~standard": {
      version: 1,
      vendor: "agent-compact",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => listed, output: () => listed },
    },
  };
}
