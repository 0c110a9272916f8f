// Numbers and booleans that clients send as text, and a single value in a list of its own. What is not plainly meant stays
// as it came, and the schema refuses it.
import type * as z from "zod";

const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,20})?|\.\d{1,20})$/;
const WRAPPERS = ["optional", "nullable", "default", "readonly"];

/** "30" is 30, "false" is false. */
export function coerceScalar(value: unknown, schema: z.core.$ZodType): unknown {
  const type = bareType(schema);
  if (type === "number") return typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : value;
  if (type === "boolean") return coerceBoolean(value);
  if (type === "enum") return typeof value === "string" ? value.trim().toLowerCase() : value;
  if (type === "string" && Array.isArray(value) && value.length === 1) return value[0];
  return type === "string" && typeof value === "number" ? String(value) : value;
}

function coerceBoolean(value: unknown): unknown {
  if (value === 0 || value === 1) return value === 1;
  if (typeof value !== "string") return value;
  return { true: true, false: false, "1": true, "0": false }[value.trim().toLowerCase()] ?? value;
}

/** Values of any kind, kept as they came: what stands for nothing elsewhere may be meant here. */
export function takesAnything(schema: z.core.$ZodType): boolean {
  const { def } = bare(schema)._zod;
  if (def.type === "array") return takesAnything((def as z.core.$ZodArrayDef).element);
  if (def.type === "record") return takesAnything((def as z.core.$ZodRecordDef).valueType);
  return def.type === "unknown";
}

function bareType(schema: z.core.$ZodType): string {
  return bare(schema)._zod.def.type;
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod;
  return WRAPPERS.includes(def.type) ? bare((def as z.core.$ZodOptionalDef).innerType) : schema;
}
