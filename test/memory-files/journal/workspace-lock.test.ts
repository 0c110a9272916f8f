// A workspace at which another living process is at work: waited for, for half a minute, and not for ever.
import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apply, liveFiles, removal } from "../applying/sample-plan.ts";
import { codeOf, newWorkspace } from "../workspace/workspace-folder.ts";

const NOTE = "memory/2031-02-03.md";

/** As another process holds it: its time is set again and again. */
function hold(root: string): () => void {
  const lock = join(root, "memory/archive/journal/lock");
  mkdirSync(lock, { recursive: true });
  const timer = setInterval(() => {
    if (existsSync(lock)) utimesSync(lock, new Date(), new Date());
  }, 1_000);
  return () => clearInterval(timer);
}

describe("a workspace that another holds", () => {
  it("is given up after half a minute, and nothing is changed", { timeout: 90_000 }, async () => {
    const root = newWorkspace({ "MEMORY.md": "x\n", [NOTE]: "# Day\n\n## A\none\n" });
    const before = liveFiles(root);
    const stop = hold(root);
    try {
      expect(await codeOf(apply(root, removal(root, 1, NOTE, [3, 4, "A"])))).toBe("Conflict WORKSPACE_BUSY");
    } finally {
      stop();
    }
    expect(liveFiles(root)).toEqual(before);
  });
});
