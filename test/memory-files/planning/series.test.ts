import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { compactMemoryFiles } from "../../../src/memory-files/compact-memory-files.ts";
import { removableLines } from "../../../src/memory-files/plan/dedupe-lines.ts";
import { plannedRange, rangesOfLines } from "../../../src/memory-files/plan/drafts.ts";
import { collapseSeries } from "../../../src/memory-files/plan/series.ts";
import { restoreMemoryFiles } from "../../../src/memory-files/restore-memory-files.ts";
import { verifies } from "../../requirements/verifies.ts";
import { appliedText, count, fileOf, NOW } from "./planned.ts";

function collapsed(text: string): string {
  const file = fileOf(text);
  const gone = removableLines(file);
  const { lines, written } = collapseSeries(file, gone, () => false, NOW);
  const ranges = rangesOfLines(
    [...gone, ...lines].sort((a, b) => a - b),
    written,
  );
  return appliedText(
    text,
    ranges.map((range) => plannedRange(file, range)),
  );
}

describe("a series", () => {
  it("collapses to its last line, with how many there were and from what to what", () => {
    const text =
      "## Log\n- 41 days without a failure\n- other\n- 42 days without a failure\n- 45 days without a failure\n";
    const once = collapsed(text);
    expect(once).toBe("## Log\n- other\n- 45 days without a failure (×3, 41 → 45)\n");
    expect(collapsed(once)).toBe(once);
  });

  it("goes on with what was collapsed before", () => {
    const text = "## Log\n- 45 days without a failure (×3, 41 → 45)\n- 46 days without a failure\n";
    expect(collapsed(text)).toBe("## Log\n- 46 days without a failure (×4, 41 → 46)\n");
  });

  it("reaches over the days of a log, in the order of the days, wherever they stand", () => {
    const text =
      "## Log\n### 2031-01-03\n- fixed the parser\n- streak: 9 days\n### 2031-01-01\n- wrote the parser\n- streak: 7 days\n### 2031-01-02\n- streak: 8 days\n";
    const once = collapsed(text);
    // A day with nothing else in it leaves as a whole: a bare heading is no content.
    expect(once).toBe(
      "## Log\n### 2031-01-03\n- fixed the parser\n- streak: 9 days (×3, 7 → 9)\n### 2031-01-01\n- wrote the parser\n",
    );
    expect(collapsed(once)).toBe(once);
  });

  it("may begin anew, as a streak does; measures, which go up and down, are none", () => {
    const days = (...all: readonly (number | string)[]) =>
      `## Log\n${all.map((day, at) => `### 2031-01-${10 + at}\n- part ${"abcdefghijk"[at]}\n- ${day} days up\n`).join("")}`;
    const left = (text: string) => collapsed(text).match(/(?<=^- )\d.*$/gm);
    expect(left(days(1, 2, 3, 4, 1, 2, 3))).toEqual(["4 days up (×4, 1 → 4)", "3 days up (×3, 1 → 3)"]);
    expect(left(days(1, 2, 3, 1))).toEqual(["3 days up (×3, 1 → 3)", "1 days up"]);
    const once = collapsed(days(1, 2, 3, 4, 1, 2, 3));
    expect(collapsed(once)).toBe(once);
    expect(left(`${once}### 2031-01-20\n- part z\n- 4 days up\n`)).toEqual([
      "4 days up (×4, 1 → 4)",
      "4 days up (×4, 1 → 4)",
    ]);
    for (const text of [days(1, 2, 1, 2, 3), days(4, 5, 6, 2, 3, 1, 2, 3), days(3, 2, 1)])
      expect(collapsed(text)).toBe(text);
  });

  it("may be of dates, and of several counters that rise together", () => {
    expect(
      collapsed("## B\n- 2031-01-03: backup done\n- 2031-01-02: backup done\n- 2031-01-05: backup done\n- next\n"),
    ).toBe("## B\n- 2031-01-05: backup done (×3, 2031-01-02 → 2031-01-05)\n- next\n");
    expect(collapsed("## B\n- 271→278 tests (+7)\n- 278→285 tests (+7)\n- 285→292 tests (+7)\n")).toBe(
      "## B\n- 285→292 tests (+7) (×3, 271 → 285)\n",
    );
  });

  it("is none where the lines say different things, or nothing rises", () => {
    for (const text of [
      // Two are none.
      "## A\n- 41 days\n- 42 days\n",
      // Not in order; of other words; another name.
      "## A\n- took 41 seconds\n- took 39 seconds\n- took 43 seconds\n",
      "## A\n- 41 days up\n- 42 days down\n- 43 days up\n",
      "## A\n- node-1 is slow\n- node-2 is slow\n- node-3 is slow\n",
      // Names, versions, amounts and times are no counters.
      "## A\n- v1 is out\n- v2 is out\n- v3 is out\n",
      "## A\n- release 1.2.3\n- release 1.2.4\n- release 1.2.5\n",
      "## A\n- costs $10\n- costs $20\n- costs $30\n",
      "## A\n- see #10\n- see #11\n- see #12\n",
      "## A\n- meet at 10:00\n- meet at 11:00\n- meet at 12:00\n",
      "## A\n- fixed in commit 1a2b3c\n- fixed in commit 2a2b3c\n- fixed in commit 3a2b3c\n",
      // What each counts its own.
      "## A\n- parser\n  - 5 tests\n- lexer\n  - 6 tests\n- linter\n  - 7 tests\n",
      // Steps, sections of their own, fences, tables.
      "## A\n1. wait 10 s\n2. wait 20 s\n3. wait 30 s\n",
      "## A\n- 41 days\n## B\n- 42 days\n## C\n- 43 days\n",
      "```\n- 41 days\n- 42 days\n- 43 days\n```\n",
      // Still to come, still to do, to be kept, a rule.
      "## A\n- holiday on 2031-05-01\n- holiday on 2031-05-02\n- holiday on 2031-05-03\n",
      "## A\n- [ ] review 1\n- [ ] review 2\n- [ ] review 3\n",
      "## A 📌\n- 41 days\n- 42 days\n- 43 days\n",
      "## A\n- Never deploy before 10 h\n- Never deploy before 11 h\n- Never deploy before 12 h\n",
      // Sentences that follow each other.
      "The port is 80.\n\nThe port is 81.\n\nThe port is 82.\n",
    ])
      expect(collapsed(text), text).toBe(text);
  });

  it("leaves every other line of any file, and a second call finds none", () => {
    const piece = fc.constantFrom(
      ...[
        "- 1 day up",
        "- 2 days up",
        "- 3 days up",
        "- 4 days up",
        "  - 3 days up",
        "- 5 days up (×3, 1 → 5)",
        "- other",
      ],
      ...[
        "## 2031-01-01",
        "### 2031-01-02",
        "## Log",
        "",
        "```",
        "text of 3 days up",
        "- 3 days up\n  - 4 days up",
        "> - 3 days up",
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, isEnded) => {
        const text = pieces.join("\n") + (isEnded ? "\n" : "");
        const once = collapsed(text);
        expect(collapsed(once)).toBe(once);
        // Sorted: of two copies the first leaves where the last has no line end, which never leaves.
        const others = (whole: string) =>
          [...new Set(whole.split("\n").filter((line) => /other|text|```|Log/.test(line)))].sort();
        expect(others(once)).toEqual(others(text));
      }),
      { numRuns: 400 },
    );
  });

  it("is archived, and comes back byte for byte", async () => {
    verifies("rulings/series-collapse");
    const root = mkdtempSync(join(tmpdir(), "agent-compact-series-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const text =
      "## Log\r\n- 41 days\r\n- 42 days\r\n- 43 days\r\n- something else that stays here, of some length\r\n";
    writeFileSync(join(root, "MEMORY.md"), text);
    const options = { now: NOW, count, summarizer: {} as never };
    const untouched = await compactMemoryFiles({ root, dryRun: false }, options);
    expect(untouched.report?.applied).toEqual([]);
    const { report } = await compactMemoryFiles({ root, dryRun: false, aggressive: true, moreThanHalf: true }, options);
    expect(report?.applied.map(({ kind }) => kind)).toEqual(["tidy"]);
    expect(readFileSync(join(root, "MEMORY.md"), "utf8")).toBe(
      "## Log\r\n- 43 days (×3, 41 → 43)\r\n- something else that stays here, of some length\r\n",
    );
    await restoreMemoryFiles(root, { all: true }, {});
    expect(readFileSync(join(root, "MEMORY.md"), "utf8")).toBe(text);
  });
});
