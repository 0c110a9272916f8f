// JSON of a value that nobody checked, for counting: never throws.

/** `JSON.stringify` without blanks; the empty string for what has no JSON (functions, cycles, `undefined`). */
export function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value, bigintAsText) ?? "";
  } catch {
    return "";
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
