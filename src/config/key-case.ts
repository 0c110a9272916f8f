// Configuration files and the environment say `trigger_pct`, code says `triggerPct`. The names below `models` are the
// user's own and stay as they are.

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
      const name = path[0] === "models" && index === 1 ? String(segment) : toSnakeCase(String(segment));
      return index === 0 ? name : `.${name}`;
    })
    .join("");
}
