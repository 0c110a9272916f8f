// Configuration files and the environment say `trigger_pct`, code says `triggerPct`.

export function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function toSnakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A copy with every key of plain objects in camelCase; arrays and other values stay. */
export function keysToCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysToCamelCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [toCamelCase(key), keysToCamelCase(child)]));
}
