// The scanner sees what micromark sees, on random documents and on real ones. More than the usual:
// PROPERTY_RUNS=20000 npx vitest run e2e/markdown.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanMarkdown } from "../../src/text/markdown/scan-markdown.ts";
import { corpusFiles } from "../../test/corpus/corpus.ts";
import { describeOutline } from "../../test/text/markdown/describe-outline.ts";
import { isDisputed, undisputed } from "./fragments.ts";
import { referenceOutline } from "./reference-outline.ts";

/** Cheap ones: five times as many as of the others. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 100) * 5;

describe("scanMarkdown", () => {
  it("reads random documents as micromark does", { timeout: 600_000 }, () => {
    let disputed = 0;
    fc.assert(
      fc.property(undisputed, (lines) => {
        const outline = scanMarkdown(lines);
        const reference = referenceOutline(`${lines.join("\n")}\n`);
        if (isDisputed(reference, outline)) disputed += 1;
        else expect(describeOutline(outline, lines)).toEqual(reference);
      }),
      { numRuns: RUNS },
    );
    expect(disputed).toBeLessThan(RUNS / 20);
  });

  it("reads any lines without failing, each in one block at most", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (lines) => {
        const { blocks, containers } = scanMarkdown(lines);
        blocks.reduce((end, { from, to, container }) => {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          if (container !== undefined) expect(containers[container]?.to).toBeGreaterThanOrEqual(to);
          return to;
        }, 0);
      }),
    );
  });

  it.skipIf(!process.env.AGENT_CORPUS)(
    "reads real memory files and notes as micromark does",
    { timeout: 120_000 },
    () => {
      const texts = corpusFiles("memory-md", /\.tar\.gz$/).flatMap(markdownIn);
      expect(texts.length).toBeGreaterThan(20);
      for (const text of texts) {
        const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
        expect(describeOutline(scanMarkdown(lines), lines)).toEqual(referenceOutline(`${lines.join("\n")}\n`));
      }
    },
  );
});

/** Of an archive: every Markdown file, told apart by what tar says of it. */
function markdownIn(archive: string): readonly string[] {
  const names = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).split("\n");
  return names
    .filter((name) => name.endsWith(".md"))
    .map((name) => execFileSync("tar", ["-xOzf", archive, name], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }));
}
