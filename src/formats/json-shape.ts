// Small questions about parsed JSON that every format asks. Knows no provider, never throws.

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an array, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a string, else "". */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function isFilledText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** JSON of any value: what the provider is sent. A value that JSON cannot hold (cycles, bigint) gives a placeholder. */
export function toJson(value: unknown, replace?: (key: string, field: unknown) => unknown): string {
  try {
    return JSON.stringify(value, replace) ?? "";
  } catch {
    return '"[not JSON]"';
  }
}

/** The fields of `value` that are set to something and are not among `known`. */
export function otherFields(value: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  const others = Object.entries(value).filter(([key, field]) => !known.has(key) && !isUnset(field));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

function isUnset(field: unknown): boolean {
  return field === undefined || field === null || field === "" || (Array.isArray(field) && field.length === 0);
}
