// Configuration files and the environment say `trigger_pct`, code says `triggerPct`. The names below `models` and
// `decisions.policies` are the user's own and stay as they are.

/** Blocks whose keys are names of the user's own. */
export const NAMED_BLOCKS: readonly (readonly string[])[] = [["models"], ["decisions", "policies"]];

/** Whether the segment of a path at `index` is such a name. */
export function isOwnName(path: readonly PropertyKey[], index: number): boolean {
  return NAMED_BLOCKS.some((block) => index === block.length && block.every((name, at) => path[at] === name));
}

export function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function toSnakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A field's path as a file and the documentation write it: `policy.trigger_pct`, `redaction.patterns[0]`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((segment, index) => {
      if (typeof segment === "number") return `[${segment}]`;
      const name = isOwnName(path, index) ? String(segment) : toSnakeCase(String(segment));
      return index === 0 ? name : `.${name}`;
    })
    .join("");
}
