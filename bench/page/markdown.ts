// Figures as Markdown: tables, and how numbers are written in them.

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

export function whole(value: number): string {
  return value.toLocaleString("en-US");
}

export function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

/** The upper one of two. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}
