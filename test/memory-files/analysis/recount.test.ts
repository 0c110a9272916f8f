// The same figures, counted a second time by a plain reading that shares no code with the first.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryAnalysis } from "../../../src/memory-files/analysis.ts";
import { verifies } from "../../requirements/verifies.ts";
import { analyze, NOTE } from "./sample-workspace.ts";

const WORDS =
  "redis keeps sessions for users while billing worker retries each call 記憶 系統 設計 完成 不 Berlin 16 42".split(
    " ",
  );
const line = fc
  .tuple(
    fc.constantFrom("", "- ", "1. ", "> ", "  - "),
    fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }),
  )
  .map(([mark, words]) => mark + words.join(" "));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("Redis", "Notes", "Berlin 16", "設計完成"))
  .map(([level, text]) => `${"#".repeat(level)} ${text}`);
const text = fc
  .array(fc.oneof({ weight: 5, arbitrary: line }, { weight: 2, arbitrary: heading }, fc.constant("")), {
    maxLength: 30,
  })
  .map((lines) => lines.map((one) => `${one}\n`).join(""));

function plainTokens(source: string): Set<string> {
  const tokens = new Set<string>();
  for (const run of source.toLowerCase().match(/[a-z0-9]+|[一-鿿]+/g) ?? []) {
    if (/[a-z0-9]/.test(run)) run.length > 1 && tokens.add(run);
    else if (run.length === 1) tokens.add(run);
    else for (let at = 0; at + 1 < run.length; at += 1) tokens.add(run.slice(at, at + 2));
  }
  return tokens;
}

/** Chunks from a heading of level 1 to 3 to the next. */
function plainSections(source: string): { line: number; text: string; body: string[] }[] {
  const sections: { line: number; text: string; body: string[] }[] = [];
  for (const [at, one] of source.split("\n").slice(0, -1).entries()) {
    const isHeading = /^#{1,3} /.test(one);
    if (isHeading || sections.length === 0) sections.push({ line: at + 1, text: "", body: [] });
    const last = sections.at(-1);
    if (last === undefined) continue;
    last.text += `${one}\n`;
    if (!isHeading) last.body.push(one);
  }
  return sections;
}

function plainIssues(memory: string, note: string): string[] {
  const known = plainTokens(memory);
  return plainSections(note).flatMap(({ line: at, text: section }) => {
    const own = plainTokens(section);
    const shared = [...own].filter((token) => known.has(token)).length;
    const similarity = shared / new Set([...own, ...known]).size;
    if (shared <= 5) return [];
    const kind =
      similarity > 0.5 ? (similarity > 0.7 ? "high" : "medium") : shared / own.size >= 0.9 ? "contained" : "";
    const rounded = (value: number) => (Math.floor(value * 1000 + 0.5 + 1e-9) / 1000).toFixed(3);
    return kind === ""
      ? []
      : [`${at} ${kind} ${shared}/${own.size} ${rounded(similarity)} ${rounded(shared / own.size)}`];
  });
}

function issuesOf(analysis: MemoryAnalysis): string[] {
  return [...analysis.cross_file_issues, ...analysis.contained_sections]
    .sort((a, b) => a.line_from - b.line_from)
    .map((one) => {
      const kind = "severity" in one ? one.severity : "contained";
      const share = `${one.shared_tokens}/${one.section_tokens}`;
      return `${one.line_from} ${kind} ${share} ${one.similarity.toFixed(3)} ${one.containment.toFixed(3)}`;
    });
}

function plainDuplicates(memory: string): string[] {
  const lines = memory
    .split("\n")
    .slice(0, -1)
    .map((one) => one.trim().toLowerCase());
  return [...new Set(lines)]
    .filter((one) => [...one].length > 10 && lines.filter((other) => other === one).length > 1)
    .map((one) => `${lines.filter((other) => other === one).length} ${one}`);
}

describe("over random workspaces", () => {
  it("a plain recount finds the same redundancy, sections and repeats", async () => {
    verifies("rulings/redundancy-over-token-sets", "memory-files/cross-file-redundancy");
    await fc.assert(
      fc.asyncProperty(text, text, async (memory, note) => {
        const analysis = await analyze({ "MEMORY.md": memory, [NOTE]: note });
        expect(issuesOf(analysis)).toEqual(plainIssues(memory, note));
        expect(analysis.sections.map(({ line_from, lines }) => [line_from, lines])).toEqual(
          plainSections(memory)
            .filter(({ body }) => body.some((one) => one.trim() !== ""))
            .map((section) => [section.line, section.body.length]),
        );
        expect(analysis.duplicate_lines.map((one) => `${one.occurrences} ${one.text.toLowerCase()}`)).toEqual(
          plainDuplicates(memory),
        );
        expect(analysis.high_severity_count).toBe(
          analysis.cross_file_issues.filter(({ severity }) => severity === "high").length,
        );
      }),
      { numRuns: 150 },
    );
  });

  it("what is removable stands in the memory letter by letter but for its marks, and has no novel token", async () => {
    let removable = 0;
    await fc.assert(
      fc.asyncProperty(text, text, fc.nat(), async (random, note, seed) => {
        // Side by side and below nothing, or hardly anything would ever be removable.
        const memory = seed % 4 === 0 ? random : `## Notes\n${random.replace(/^#+ /gm, "## ")}`;
        const sections = plainSections(memory);
        const piece = seed % 2 === 0 ? memory : (sections[seed % Math.max(1, sections.length)]?.text ?? "");
        const analysis = await analyze({ "MEMORY.md": memory, [NOTE]: `${piece}\n${note}` });
        const bare = (one: string) => one.replace(/^(?:[\s>#]|- |\d\. )+/, "");
        const known = bare(memory.split("\n").map(bare).join(" ").replace(/\s+/g, " "));
        for (const one of [...analysis.cross_file_issues, ...analysis.contained_sections]) {
          if (!one.removable) continue;
          removable += 1;
          expect(one.novel_tokens.filter((token) => token !== "notes")).toEqual([]);
          const body = `${piece}\n${note}`.split("\n").slice(one.line_from, one.line_to);
          for (const sentence of body.map(bare)) expect(known).toContain(sentence.trim());
        }
      }),
      { numRuns: 300 },
    );
    expect(removable).toBeGreaterThan(5);
  });
});
