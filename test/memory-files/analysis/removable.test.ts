import { describe, expect, it } from "vitest";
import type { RedundantSection } from "../../../src/memory-files/analysis.ts";
import { verifies } from "../../requirements/verifies.ts";
import { DIFFERENT, type Lookalike, SAME } from "./lookalikes.ts";
import { compare } from "./sample-workspace.ts";

const SHARED = "The nightly job copies each table into cold storage before anybody reads mail.";

/** With a sentence in both, so that they are alike at all: the last sections of both take it. */
async function judge({ memory, note }: Lookalike): Promise<RedundantSection | undefined> {
  const more = (text: string) => text.replace(/(^(?:#+ .*|[A-Z]\w+\n[-=]+)\n)(?=\n?[^#\n])/gm, `$1\n${SHARED}\n`);
  const both = memory.startsWith("-") ? `${SHARED}\n\n${memory}` : more(memory);
  const analysis = await compare(both, `# 2031-02-03\n\n${more(note)}`);
  return [...analysis.cross_file_issues, ...analysis.contained_sections]
    .sort((a, b) => a.line_from - b.line_from)
    .findLast(({ section }) => section !== "2031-02-03");
}

describe("a section that says something else", () => {
  for (const [kind, pairs] of Object.entries(DIFFERENT)) {
    it.each(pairs)(`differs in ${kind}: $note`, async (pair) => {
      verifies("rulings/false-duplicate-guard", "field/different-facts-merged");
      const judged = await judge(pair);
      // Alike enough to be named, or not even that; never removable.
      expect(judged?.removable ?? false).toBe(false);
      if (judged !== undefined) expect(judged.held_because).toMatch(/says_more|said_differently/);
    });
  }

  it.each(
    Object.values(DIFFERENT)
      .flat()
      .filter(({ memory }) => !memory.includes("[1]:")),
  )("and would be removable if it said this: $memory", async ({ memory }) => {
    expect(await judge({ memory, note: memory })).toMatchObject({ removable: true });
  });

  it("is alike in most of these, so that the guard is what holds it", async () => {
    const judged = await Promise.all(Object.values(DIFFERENT).flat().map(judge));
    expect(judged.filter((one) => one !== undefined).length).toBeGreaterThan(judged.length * 0.8);
  });
});

describe("a section that says the same", () => {
  for (const [kind, pairs] of Object.entries(SAME)) {
    it.each(pairs)(`${kind}: $note`, async (pair) => {
      expect(await judge(pair)).toMatchObject({ removable: true });
    });
  }
});
