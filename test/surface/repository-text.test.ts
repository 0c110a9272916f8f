// What no tracked file may name (`npm run check:rules` reads them all): one machine's places, a package host, ids of
// outside lists. Each rule is shown failing.
import { describe, expect, it } from "vitest";
import { checkRepositoryText } from "../../scripts/repository-text.ts";

function textOf(path: string, text: string): string[] {
  return checkRepositoryText(new Map([[path, text]]));
}

// Put together at run time, so that this file does not hold what the rules forbid.
const machinePlace = ["", "work", "main"].join("/");
const neighbour = ["..", "shared", "x"].join("/");
const host = ["https:", "", "registry.example.org", "x"].join("/");
const reportId = `${"C"}05`;

describe("the text checker", () => {
  it.each([
    ["a folder of one machine", "docs/a.md", `see ${machinePlace}`],
    ["a folder beside the checkout", "docs/a.md", `see ${neighbour}`],
    ["a package host", "package-lock.json", `{"resolved": "${host}"}`],
    ["an outside id in a page", "docs/a.md", `as in ${reportId}.`],
    ["an outside id in a line comment", "src/a.ts", `// see ${reportId}\nexport {};\n`],
    ["an outside id in a block comment", "src/a.ts", `export const x = [\n  1, /* ${reportId} */\n];\n`],
    ["an outside id before a closing bracket", "src/a.ts", `export function x() {\n  // ${reportId}\n}\n`],
    ["a numbered requirement", "src/a.ts", `// ${"FR"}-001\nexport {};\n`],
    ["an outside id in a test name", "test/a.test.ts", `it("${reportId}: cuts", () => {});\n`],
    ["an outside id in a skipped test's name", "test/a.test.ts", `it.skipIf(true)("${reportId}", () => {});\n`],
  ])("refuses %s", (_what, path, text) => {
    expect(textOf(path, text)).toHaveLength(1);
  });

  it.each([
    ["a longer path", "docs/a.md", `/home/me/${"work"}/project`],
    ["the corpus in the build script", ".ci/run", `export X=${neighbour}`],
    ["an ordinary host", "package-lock.json", `{"url": "https://opencollective.com/vitest"}`],
    ["the same letters as data", "src/a.ts", `export const x = "${reportId}";\n`],
    ["the same letters as data in a test", "test/a.test.ts", `expect(x).toBe("${reportId}");\n`],
    ["a time of day", "docs/a.md", "2031-04-17T06:30:00Z"],
    ["a colour", "docs/a.md", "#A01B02"],
  ])("accepts %s", (_what, path, text) => {
    expect(textOf(path, text)).toEqual([]);
  });

  it("names the line", () => {
    expect(textOf("src/a.ts", `export const x = 1;\n\n/*\n * ${reportId}\n */\n`)[0]).toMatch(/^src\/a\.ts:4 /);
  });
});
