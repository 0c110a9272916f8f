// An outline in words: one line a block or container, in the order in which they begin.
import { type Block, isHeading, type Outline } from "../../../src/text/markdown/outline.ts";

/** With the lines, blank ones at the end of HTML are not counted. */
export function describeOutline({ blocks, containers }: Outline, lines?: readonly string[]): readonly string[] {
  const depths: number[] = [];
  for (const { parent } of containers) depths.push(parent === undefined ? 0 : (depths[parent] ?? 0) + 1);
  const entries = [
    ...containers.map((container, index) => ({ ...container, depth: depths[index] ?? 0, words: "" })),
    ...blocks.map((block) => ({
      ...block,
      to: block.kind === "html" && lines !== undefined ? endOfHtml(block, lines, containers) : block.to,
      depth: block.container === undefined ? 0 : (depths[block.container] ?? 0) + 1,
      words: isHeading(block) ? ` h${block.level} ${block.to - block.from > 2 ? "..." : block.text}` : "",
    })),
  ];
  return entries
    .sort((a, b) => a.from - b.from || a.depth - b.depth)
    .map(({ kind, from, to, depth, words }) => `${"  ".repeat(depth)}${kind} ${from}-${to}${words}`);
}

function endOfHtml(
  { from, to, container }: Block,
  lines: readonly string[],
  containers: Outline["containers"],
): number {
  let quotes = 0;
  for (let around = container; around !== undefined; around = containers[around]?.parent) {
    if (containers[around]?.kind === "quote") quotes += 1;
  }
  let end = to;
  while (end > from + 1 && isBlank(lines[end - 1] ?? "", quotes)) end -= 1;
  return end;
}

/** But for the marks of as many quotes. */
export function isBlank(line: string, quotes = 0): boolean {
  const signs = line.replaceAll(/[ \t]/g, "");
  return signs.length <= quotes && signs === ">".repeat(signs.length);
}
