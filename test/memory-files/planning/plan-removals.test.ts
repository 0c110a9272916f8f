import { describe, expect, it } from "vitest";
import { planRemovals } from "../../../src/memory-files/plan/plan-notes.ts";
import { verifies } from "../../requirements/verifies.ts";
import { toGbk } from "../workspace/workspace-folder.ts";
import { appliedText, context, fileOf, redundant, without } from "./planned.ts";

describe("a section that leaves a note", () => {
  it("is the one at the planned place, not the first of its name", () => {
    verifies("values/second-of-two-equal-headings");
    expect(without("# D\n## Notes\nunique A\n## X\nfoo\n## Notes\ndup B\n", [6])).toBe(
      "# D\n## Notes\nunique A\n## X\nfoo\n",
    );
  });

  it("ends at a heading of a higher level", () => {
    verifies("values/removal-stops-at-higher-heading");
    expect(without("## A\ndup\n# Part 2\nkeep\n## B\nz\n", [1])).toBe("# Part 2\nkeep\n## B\nz\n");
  });

  it("takes a fence whole, whatever stands in it", () => {
    verifies("values/fenced-heading-is-no-heading");
    expect(without("## A\ndup\n```sh\n## comment\nrun\n```\ntail\n## B\nz\n", [1])).toBe("## B\nz\n");
  });

  it("stays where a section below it does", () => {
    verifies("values/subsection-keeps-its-parent");
    const text = "# D\n## A\nintro\n### S\nown\n## B\nz\n";
    expect(without(text, [2])).toBe(text);
    expect(without(text, [2, 4])).toBe("# D\n## B\nz\n");
  });

  it("is of the planned level, not a deeper one of the same name", () => {
    verifies("values/deeper-equal-heading-stays");
    expect(without("## X\n#### A\nown\n## A\ndup\n## B\nz\n", [4])).toBe("## X\n#### A\nown\n## B\nz\n");
  });

  it("may have blanks behind its heading, or no line end at all", () => {
    verifies("values/heading-with-trailing-blanks");
    expect(without("# D\n## A  \ndup\n## B\nz\n", [2])).toBe("# D\n## B\nz\n");
    expect(without("# D\n## B\nz\n\n## A\ndup", [5])).toBe("# D\n## B\nz\n");
  });

  it("is never the text before the first heading, nor a section that is called as that is", () => {
    verifies("values/preamble-is-not-a-heading");
    const text = "dup preamble\n\n## unknown\nown\n";
    expect(without(text, [1])).toBe(text);
  });

  it("leaves the lines before and behind as they were, blank ones too", () => {
    expect(without("# D\n\none\n\n## A\n\ndup\n\n\n## B\n\nz\n", [5])).toBe("# D\n\none\n\n## B\n\nz\n");
    expect(without("# D\n\none\n\n## A\n\ndup\n", [5])).toBe("# D\n\none\n");
  });

  it("leaves no line end of another kind behind", () => {
    const text = "# D\r\n\r\n## A\r\ndup\r\n\r\n## B\r\nz";
    expect(without(text, [3])).toBe("# D\r\n\r\n## B\r\nz");
  });
});

describe("headings of any kind", () => {
  const own = [
    "# Own\nmine\n",
    "#### Deep\nmine\n",
    "Title\n---\nmine\n",
    "Top\n===\nmine\n",
    "   ## indented\nmine\n",
    "##\ttab\nmine\n",
    "```\n## not a heading\n```\n",
    "<!--\n## x\n-->\n",
    "## C++ (v2)\nmine\n",
    "## a.b*\nmine\n",
    "## $&\nmine\n",
    "## Dup\nanother body\n",
  ];

  it("stay whole behind a section that leaves, if they do not belong to it", () => {
    verifies("field/own-sections-deleted");
    for (const section of own) {
      const isBelow = /^(?:####|```|<!--)/.test(section);
      const text = `# Note\n\n## Dup\ncopied words\n\n${section}\n## End\nlast\n`;
      expect(without(text, [3]), section).toBe(`# Note\n\n${isBelow ? "" : `${section}\n`}## End\nlast\n`);
    }
  });

  it("are found by their place when it is they that leave", () => {
    for (const section of own.filter((each) => !/^(?:# |####|```|<!--|Top)/.test(each))) {
      const text = `# Note\n\nfirst\n\n${section}\n## Next\nkept\n\n${section}`;
      expect(without(text, [5]), section).toBe(`# Note\n\nfirst\n\n## Next\nkept\n\n${section}`);
    }
  });

  it("do not join the text above them", () => {
    const text = "one\n## Dup\n```\ncopied\n```\nOwn\n===\nmine\n";
    expect(without(text, [2])).toBe("one\n\nOwn\n===\nmine\n");
  });
});

describe("what is held", () => {
  const long = "words that stand in the memory as well, and so on and so forth, again and again. ";

  it("is a section whose link another one needs", () => {
    const text = "# D\n## A\nsee [docs]\n\n[docs]: https://example.com/a\n## B\nalso [docs]\n";
    const { changes, held } = planRemovals(fileOf(text), { chosen: [redundant(2)], proposed: [] }, context);
    expect(changes).toEqual([]);
    expect(held).toMatchObject([{ section: "A", code: "link_target" }]);
  });

  it("is what would join the text above it, where no blank line can be put in", () => {
    const text = "一行文字\n## 重复\n```\n抄来的\n```\n自己的\n===\n我的\n";
    const chosen = [redundant(2)];
    const { changes, held } = planRemovals(fileOf(toGbk(text)), { chosen, proposed: [] }, context);
    expect(changes).toEqual([]);
    expect(held).toMatchObject([{ section: "重复", code: "joins_the_rest" }]);
    expect(without(text, [2])).toBe("一行文字\n\n自己的\n===\n我的\n");
  });

  it("is what would be more than half of a note that is not small", () => {
    const section = (name: string) => `## ${name}\n${long.repeat(10)}\n\n`;
    const text = `# D\n\n${["A", "B", "C", "E"].map(section).join("")}`;
    const chosen = [3, 6, 9].map(redundant);
    const { changes, held } = planRemovals(fileOf(text), { chosen, proposed: [] }, context);
    expect(
      changes.flatMap((change) => ("ranges" in change ? change.ranges : [])).map(({ heading }) => heading),
    ).toEqual(["A", "B"]);
    expect(held.map(({ section: name, code }) => `${name} ${code}`)).toEqual(["C more_than_half"]);
    expect(without(text, [3, 6, 9])).toBe(`# D\n\n${section("E")}`);
  });

  it("is not a small note", () => {
    expect(without("## A\ndup\n", [1], false)).toBe("");
  });
});

describe("sections that are only proposed", () => {
  const text = "# D\n## A\nwhole\n### S\npart\n## B\nwhole\n## C\nown\n";

  it("are a change of their own that is not applied", () => {
    const removable = { chosen: [redundant(4)], proposed: [redundant(6)] };
    const { changes } = planRemovals(fileOf(text), removable, context);
    expect(changes.map(({ apply }) => apply)).toEqual([true, false]);
    const [first, second] = changes.map((change) => ("ranges" in change ? change.ranges : []));
    expect(appliedText(text, first ?? [])).toBe("# D\n## A\nwhole\n## B\nwhole\n## C\nown\n");
    expect(appliedText(text, second ?? [])).toBe("# D\n## A\nwhole\n### S\npart\n## C\nown\n");
  });

  it("keep a section above them from leaving, and take it along when they leave", () => {
    const removable = { chosen: [redundant(2)], proposed: [redundant(4)] };
    const { changes } = planRemovals(fileOf(text), removable, context);
    expect(changes).toMatchObject([{ apply: false, ranges: [{ heading: "A", line_from: 2, line_to: 5 }] }]);
  });

  it("begin, in their figures, where those that are applied end", () => {
    const removable = { chosen: [redundant(4)], proposed: [redundant(6)] };
    const [first, second] = planRemovals(fileOf(text), removable, context).changes;
    expect(first).toMatchObject({ bytes_before: text.length, bytes_after: second?.bytes_before });
    expect(second?.bytes_after).toBe("# D\n## A\nwhole\n## C\nown\n".length);
  });
});
