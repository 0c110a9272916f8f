// The requirement lists and the tests fit together; and each rule of the gate is shown failing on made-up lists.
import { describe, expect, it } from "vitest";
import { judgeRequirements, markProved, scanCitations } from "../../scripts/requirement-gate.ts";
import { renderRequirementPage } from "../../scripts/requirement-page.ts";
import { readRepository, testSources } from "../../scripts/source-files.ts";
import { requirementParts } from "./parts.ts";
import type { Requirement } from "./requirement.ts";
import { verifies } from "./verifies.ts";

const everything = requirementParts.flatMap((part) => part.requirements);

function requirement(id: string, status: Requirement["status"]): Requirement {
  return { id, status, source: "a spec, a section", behaviour: "It holds." };
}

/** Under another name, because the gate reads calls of `verifies` with string literals only. */
const verifiesEach = (ids: readonly string[]): void => verifies.apply(undefined, [...ids]);

function citing(...ids: string[]) {
  return { citations: ids.map((id) => ({ id, place: "a.test.ts:1" })), unreadable: [] };
}

describe("the requirement lists", () => {
  it("fit the tests", () => {
    const scan = scanCitations(testSources(readRepository()));
    expect(judgeRequirements(everything, scan).violations).toEqual([]);
  });

  it("have slugs in words, sources and behaviours", () => {
    for (const { id, source, behaviour } of everything) {
      expect(id).toMatch(/^[a-z-]+\/[a-z0-9]+(?:-[a-z0-9]+)+$/);
      expect(source).toMatch(/^[a-z].+, ./i);
      expect(behaviour).toMatch(/^\S.*\.$/);
    }
  });
});

describe("verifies", () => {
  it("accepts ids of the lists and throws on any other", () => {
    expect(() => verifiesEach(everything.map(({ id }) => id))).not.toThrow();
    const invented = ["conversation", "nobody-asked-for-this"].join("/");
    expect(() => verifiesEach([invented])).toThrow(invented);
  });
});

describe("the requirement gate", () => {
  it("refuses an unknown id, naming its place", () => {
    expect(judgeRequirements([], citing("x/y")).violations).toEqual(['a.test.ts:1 unknown requirement "x/y"']);
  });

  it("refuses a proved requirement without a test, and one that stands twice", () => {
    expect(judgeRequirements([requirement("x/y", "proved")], citing()).violations).toHaveLength(1);
    const twice = [requirement("x/y", "planned"), requirement("x/y", "planned")];
    expect(judgeRequirements(twice, citing()).violations).toHaveLength(1);
  });

  it("lists a planned requirement that has a test", () => {
    const report = judgeRequirements([requirement("x/y", "planned"), requirement("x/z", "planned")], citing("x/y"));
    expect(report).toEqual({ violations: [], unmarked: ["x/y"] });
  });

  it("reads calls over several lines, and no mention in a text or comment", () => {
    const call = ["veri", "fies"].join("");
    const text = `it("a", () => {\n  ${call}(\n    "x/y",\n    "x/z",\n  );\n});\n// ${call}("x/no")\nconst t = '${call}("x/no")';\n`;
    expect(scanCitations(new Map([["a.test.ts", text]]))).toEqual({
      citations: [
        { id: "x/y", place: "a.test.ts:2" },
        { id: "x/z", place: "a.test.ts:2" },
      ],
      unreadable: [],
    });
  });

  it("refuses ids that are not written out", () => {
    const scan = scanCitations(new Map([["a.test.ts", `${["veri", "fies"].join("")}(name);\n`]]));
    expect(judgeRequirements([], scan).violations).toEqual(["a.test.ts:1 verifies() takes string literals only"]);
  });

  it("marks exactly the given ids as proved", () => {
    const entry = (id: string, status: string) => `  {\n    id: "${id}",\n    status: "${status}",\n  },\n`;
    const list = entry("x/y", "planned") + entry("x/yz", "planned");
    expect(markProved(list, ["x/yz", "other/id"])).toBe(entry("x/y", "planned") + entry("x/yz", "proved"));
  });
});

describe("the requirement page", () => {
  it("counts per part and in all, and escapes what would break a table", () => {
    const odd = { ...requirement("x/y", "proved"), behaviour: "a|b <c>." };
    const page = renderRequirementPage([
      { title: "One", file: "one.ts", requirements: [odd, requirement("x/z", "planned")] },
      { title: "Two", file: "two.ts", requirements: [] },
    ]);
    expect(page).toContain("| One | 1 | 1 | 2 |");
    expect(page).toContain("| **all** | 1 | 1 | 2 |");
    expect(page).toContain("| `x/y` | a\\|b &lt;c>. | a spec, a section | proved |");
  });
});
