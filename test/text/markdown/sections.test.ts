// Sections are the lines between headings, whole ones with all that stands below them.
import { describe, expect, it } from "vitest";
import { splitSections } from "../../../src/text/markdown/outline.ts";
import { scanMarkdown } from "../../../src/text/markdown/scan-markdown.ts";

function sectionsOf(text: string, deepest?: number): readonly string[] {
  const lines = text.split("\n");
  return splitSections(scanMarkdown(lines), lines.length, deepest).map(
    ({ heading, from, body, to, whole }) => `${heading?.text ?? "-"} ${from} ${body} ${to} ${whole}`,
  );
}

describe("splitSections", () => {
  it("begins with what stands before the first heading, where there is something", () => {
    expect(sectionsOf("pre\n\n# A\na\n## B")).toEqual(["- 0 0 2 2", "A 2 3 4 5", "B 4 5 5 5"]);
    expect(sectionsOf("# A\na")).toEqual(["A 0 1 2 2"]);
    expect(sectionsOf("\n# A")).toEqual(["- 0 0 1 1", "A 1 2 2 2"]);
    expect(sectionsOf("a\nb")).toEqual(["- 0 0 2 2"]);
    expect(splitSections(scanMarkdown([]), 0)).toEqual([]);
  });

  it("ends a whole section where the next of its level or a higher one begins", () => {
    expect(sectionsOf("# A\n### B\n## C\n#### D\n## E\n# F\n")).toEqual([
      "A 0 1 1 5",
      "B 1 2 2 2",
      "C 2 3 3 4",
      "D 3 4 4 4",
      "E 4 5 5 5",
      "F 5 6 7 7",
    ]);
  });

  it("leaves deeper headings in the section they stand in", () => {
    expect(sectionsOf("# A\n#### B\n## C\n### D\n#### E", 3)).toEqual(["A 0 1 2 5", "C 2 3 3 5", "D 3 4 5 5"]);
  });

  it("knows headings of two lines, and none in items, quotes, fences and comments", () => {
    expect(sectionsOf("A\nb\n===\n- # item\n> # quote\n\n```\n# fence\n```\n<!--\n# comment\n-->\nC\n---\nd")).toEqual([
      "A b 0 3 12 15",
      "C 12 14 15 15",
    ]);
  });

  it("splits at every one of many headings", () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `${"#".repeat(1 + ((index * 7) % 6))} ${index}`);
    const sections = splitSections(scanMarkdown(lines), lines.length);
    expect(sections).toHaveLength(200_000);
    for (const index of [0, 1, 2, 77_777, 199_999]) {
      const level = (sections[index]?.heading?.level ?? 0) as number;
      const next = sections.findIndex(({ heading }, later) => later > index && (heading?.level ?? 7) <= level);
      expect(sections[index]?.whole).toBe(next === -1 ? lines.length : next);
    }
  });
});
