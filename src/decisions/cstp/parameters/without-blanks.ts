// Lists and objects without the nulls and empty texts by which some clients fill what they have no value for.

/** Deeper than any parameter with a form of its own; below it everything stays as it is. */
const DEEPEST = 3;

/** Scalars stay as they are. */
export function withoutBlanks(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth === DEEPEST) return value;
  if (Array.isArray(value)) return value.filter(isFilled).map((item) => withoutBlanks(item, depth + 1));
  const filled = Object.entries(value).filter(([, item]) => isFilled(item));
  return Object.fromEntries(filled.map(([key, item]) => [key, withoutBlanks(item, depth + 1)]));
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && !(typeof value === "string" && value.trim() === "");
}
