// The file's schema as JSON Schema, for editors: draft 7, which their YAML and JSON modes read, keys as in the file.
import * as z from "zod/mini";
import { configFileSchema } from "../file-schema.ts";
import { toSnakeCase } from "../key-case.ts";

type Json = Readonly<Record<string, unknown>>;

export function configJsonSchema(): Json {
  const made = z.toJSONSchema(configFileSchema, { target: "draft-7", unrepresentable: "any" }) as Json;
  const { $schema, ...rest } = inFileSpelling(made);
  return { $schema, title: "agent-compact configuration", ...rest };
}

function inFileSpelling(schema: Json): Json {
  const { note, example, properties, additionalProperties, ...rest } = schema;
  const description = typeof note === "string" ? `${String(rest.description)} Default: ${note}.` : rest.description;
  return {
    ...rest,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(isBlock(properties) ? { properties: renamed(properties) } : {}),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: isBlock(additionalProperties) ? inFileSpelling(additionalProperties) : false }),
  };
}

function renamed(properties: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, child]) =>
      isBlock(child) && !isRefused(child) ? [[toSnakeCase(key), inFileSpelling(child)]] : [],
    ),
  );
}

/** A key of a later version: unknown to an editor, as it is to this version. */
function isRefused(schema: Json): boolean {
  return isBlock(schema.not) && Object.keys(schema.not).length === 0;
}

function isBlock(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
