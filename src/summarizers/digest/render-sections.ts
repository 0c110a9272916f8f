// Lines under the titles of their strategy: how every summary looks, whoever wrote it.
import type { DigestLine } from "./digest-line.ts";
import type { StrategyShape } from "./strategies.ts";

/** Sections in the strategy's order, lines in their own; a section without lines has no title. */
export function renderSections(
  lines: readonly Pick<DigestLine, "section" | "order" | "text">[],
  { sections }: StrategyShape,
): readonly string[] {
  const rendered: string[] = [];
  for (const [section, title] of sections) {
    const own = lines.filter((line) => line.section === section).sort((a, b) => a.order - b.order);
    if (own.length > 0) rendered.push("", `## ${title}`, ...own.map((line) => line.text));
  }
  return rendered;
}
