// Arguments that clients send as text although the schema says otherwise: "30", "false", "[1,2]". What is not plainly
// meant stays as it came, and the schema refuses it. Unions are left alone: which member is meant is the tool's to say.
import type * as z from "zod";
import { coerceText } from "../../config/variables/coerce.ts";

/** The type below `optional`, `default` and the like, and whether null has a meaning of its own. */
export interface BareSchema {
  readonly schema: z.core.$ZodType;
  readonly takesNull: boolean;
}

const WRAPPERS = ["optional", "nullable", "default", "prefault", "nonoptional", "readonly", "catch"];

export function bareSchema(schema: z.core.$ZodType): BareSchema {
  let takesNull = false;
  let current = schema;
  while (WRAPPERS.includes(current._zod.def.type)) {
    takesNull ||= current._zod.def.type === "nullable";
    current = (current._zod.def as z.core.$ZodOptionalDef).innerType;
  }
  if (current._zod.def.type === "union") {
    takesNull ||= (current._zod.def as z.core.$ZodUnionDef).options.some((option) => option._zod.def.type === "null");
  }
  return { schema: current, takesNull };
}

export function coerceArgument(value: unknown, schema: z.core.$ZodType): unknown {
  const { type } = bareSchema(schema).schema._zod.def;
  if (type === "number") return typeof value === "string" ? coerceNumber(value) : value;
  if (type === "boolean") return coerceBoolean(value);
  if (type === "array") return typeof value === "string" ? coerceList(value, schema) : value;
  if (type === "object" || type === "record") return typeof value === "string" ? coerceJson(value, "{") : value;
  return value;
}

/** Digits that a number cannot hold stay text: rounded, an id would be another row's. */
function coerceNumber(text: string): unknown {
  const number = coerceText(text, "number");
  return typeof number === "number" && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : text;
}

/** "false" is false: taken for true, as any text is elsewhere, a trial run would delete. */
function coerceBoolean(value: unknown): unknown {
  if (value === 0 || value === 1) return value === 1;
  if (typeof value !== "string") return value;
  return { true: true, false: false, "1": true, "0": false }[value.trim().toLowerCase()] ?? value;
}

/** A choice by its name is a list of one: no other text of such a list is meant by it. */
function coerceList(text: string, schema: z.core.$ZodType): unknown {
  const { element } = bareSchema(schema).schema._zod.def as z.core.$ZodArrayDef;
  const values = bareSchema(element).schema._zod.values;
  return values?.has(text.trim()) === true ? [text.trim()] : coerceJson(text, "[");
}

function coerceJson(text: string, opening: "[" | "{"): unknown {
  if (!text.trimStart().startsWith(opening)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
