// Says whether a JSON value is nested deeper than the program's recursions, and those of `JSON.stringify`, can go.
// `JSON.parse` reads any depth, so a file can hold what nothing after it could write.

/** Deeper than any message means to be, and far from where a stack ends. */
export const DEEPEST_NESTING = 1000;

/** True when there are objects and arrays in one another more than `limit` levels deep. Never throws. */
export function isNestedDeeper(value: unknown, limit = DEEPEST_NESTING): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = [...new Set(level.flatMap((container) => Object.values(container).filter(isContainer)))];
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
