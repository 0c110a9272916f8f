// Which slips are told from other words: a refusal must not rest on a mere likeness.
import { describe, expect, it } from "vitest";
import { misspelt } from "../../src/text/nearest-name.ts";

const KNOWN = ["id", "pr", "tags", "line", "stakes", "dryRun", "includePreserved"];

describe("a misspelt name", () => {
  it.each([
    ["DryRun", "dryRun"],
    ["dry.run", "dryRun"],
    ["dyrRun", "dryRun"],
    ["dryRunx", "dryRun"],
    ["stake", "stakes"],
    ["tgas", "tags"],
    ["ID", "id"],
    ["include_prserve", "includePreserved"],
  ])("%s is %s", (name, meant) => {
    expect(misspelt(name, KNOWN)).toBe(meant);
  });

  it.each(["status", "file", "ip", "p", "tag_list", "run", "dry", "", "x".repeat(100_000)])("%s is none", (name) => {
    expect(misspelt(name.slice(0, 1000), KNOWN)).toBeUndefined();
  });
});
