// Writes JSON as this repository's formatter does: short lists of plain values on one line, the rest spread out.

const LINE_WIDTH = 120;

/** Indented JSON with a newline at its end. */
export function writeJson(value: unknown): string {
  return `${write(value, "", 0)}\n`;
}

/** `before` is how much stands on the line already. */
function write(value: unknown, indent: string, before: number): string {
  if (Array.isArray(value)) return writeList(value, indent, before);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return "{}";
  const lines = fields.map(([key, field]) => {
    const start = `${inner}${JSON.stringify(key)}: `;
    return `${start}${write(field, inner, start.length)}`;
  });
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function writeList(list: readonly unknown[], indent: string, before: number): string {
  if (list.length === 0) return "[]";
  const isPlain = list.every((entry) => typeof entry !== "object" || entry === null);
  const line = isPlain ? `[${list.map((entry) => JSON.stringify(entry)).join(", ")}]` : "";
  // One more for the comma that may follow.
  if (isPlain && before + line.length + 1 <= LINE_WIDTH) return line;
  const inner = `${indent}  `;
  return `[\n${list.map((entry) => `${inner}${write(entry, inner, inner.length)}`).join(",\n")}\n${indent}]`;
}
