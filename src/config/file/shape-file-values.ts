// A file's values in the shape that the schema checks: keys in camelCase, numbers and switches that were written as text
// coerced. What the schema cannot tell (how a key was written) is found here.
import type * as z from "zod/mini";
import { kindOf, shapeOf, unwrap, valueOfRecord } from "../config-fields.ts";
import { fieldNames } from "../file-fields.ts";
import { configFileSchema } from "../file-schema.ts";
import { toCamelCase, toSnakeCase } from "../key-case.ts";
import { describeUnknownKey } from "../schema/suggest.ts";
import { coerceFileValue } from "../variables/coerce.ts";

export interface KeyFault {
  /** As written. */
  readonly path: readonly string[];
  readonly message: string;
}

export interface ShapedValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: readonly KeyFault[];
}

export function shapeFileValues(written: Readonly<Record<string, unknown>>): ShapedValues {
  const faults: KeyFault[] = [];
  const values = shapeValue(configFileSchema, written, [], faults) as Readonly<Record<string, unknown>>;
  return { values, faults };
}

function shapeValue(schema: z.ZodMiniType, value: unknown, path: readonly string[], faults: KeyFault[]): unknown {
  const shape = shapeOf(schema);
  const element = valueOfRecord(schema);
  if (shape === undefined && element === undefined) {
    if (value === null) faults.push({ path, message: "has no value: give it one, or remove the key" });
    const kind = kindOf(schema);
    return value === null || kind === undefined ? undefined : coerceFileValue(value, kind);
  }
  // A block whose keys are all commented out.
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) return value;
  if (element !== undefined) return shapeRecord(element, value, path, faults);
  return shapeBlock(shape ?? {}, value, path, faults);
}

function shapeBlock(
  shape: Readonly<Record<string, z.ZodMiniType>>,
  value: object,
  path: readonly string[],
  faults: KeyFault[],
): object {
  const known = Object.keys(shape).map(toSnakeCase);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const name = toCamelCase(key);
      const schema = known.includes(key) ? shape[name] : undefined;
      if (schema !== undefined) return [[name, shapeValue(unwrap(schema), child, [...path, key], faults)]];
      faults.push({ path: [...path, key], message: describeUnknownKey(key, known, fieldNames()) });
      return [];
    }),
  );
}

/** The names are the user's, but for the one that JavaScript keeps for itself. */
function shapeRecord(element: z.ZodMiniType, value: object, path: readonly string[], faults: KeyFault[]): object {
  if (Object.hasOwn(value, "__proto__")) faults.push({ path: [...path, "__proto__"], message: "is not a known key" });
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, shapeValue(unwrap(element), child, [...path, key], faults)]),
  );
}
