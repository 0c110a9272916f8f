// Reads arguments whose names and types differ from tool to tool; whatever has another type counts as absent.

type Arguments = Readonly<Record<string, unknown>>;

/** The first of these arguments that is a string. */
export function firstString(input: Arguments | undefined, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input?.[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The objects of a list argument. */
export function objectsOf(value: unknown): readonly Arguments[] {
  return Array.isArray(value) ? value.filter(isArguments) : [];
}

export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}

export function isArguments(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text that is an object or a list; undefined for anything else. */
export function parseStructure(text: string): unknown {
  const start = text.trimStart().charAt(0);
  if (start !== "{" && start !== "[") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
