import { describe, expect, it } from "vitest";
import { shownPath } from "../../src/cli/files/output.ts";

describe("shownPath", () => {
  it.each([
    ["/home/me/x/out.json", "x/out.json"],
    ["/home/me", "."],
    ["/srv/out.json", "/srv/out.json"],
    ["s3://bucket/agent-compact/s/summary-001.json", "s3://bucket/agent-compact/s/summary-001.json"],
  ])("%s, from a home folder", (path, shown) => {
    expect(shownPath(path, "/home/me")).toBe(shown);
  });
});
