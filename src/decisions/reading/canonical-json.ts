// JSON that is the same for values that are the same, whatever the order of their keys.

/** Values that JSON has no form for are written as it writes them: dates as text, undefined as nothing. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, item: unknown) => {
      if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
      return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? "null"
  );
}
