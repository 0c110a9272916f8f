// What SECURITY.md says is proved points at tests that are there, and at pages that are.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("SECURITY.md", root), "utf8");

/** Rows of its tables that promise something, without heads and rules. */
const rows = page.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:reader|it tries to) \|/.test(line));

describe("the page about security", () => {
  it("names tests that are there", () => {
    const named = [...page.matchAll(/`((?:test|e2e)\/[^`]+)`/g)].map(([, path = ""]) => path);
    expect(new Set(named).size).toBeGreaterThan(30);
    expect(named.filter((path) => !path.endsWith(".test.ts") || !existsSync(new URL(path, root)))).toEqual([]);
  });

  it("has a test for each promise", () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !/`(?:test|e2e)\//.test(row))).toEqual([
      "| who runs as you | everything that you can | |",
    ]);
  });

  it("links to nothing that is not there", () => {
    const targets = [...page.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !existsSync(new URL(target, root)))).toEqual([]);
  });

  it("says what is not promised, which versions get fixes, and how to report", () => {
    for (const heading of ["## What is not promised", "## Versions, and how to report"])
      expect(page).toContain(heading);
  });
});
