// The notes of a month leave for the archive as they are, and a digest stands in their place: all of it, or nothing.
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newWorkspace, toGbk } from "../workspace/workspace-folder.ts";
import { apply, digest, filesOf, liveFiles, read } from "./sample-plan.ts";

const NOTES = ["memory/2031-02-03.md", "memory/2031-02-04-slug.md"] as const;
const sample = (more = {}) =>
  newWorkspace({ "MEMORY.md": "x\n", [NOTES[0]]: "# One\r\n\r\nno end", [NOTES[1]]: toGbk("# 今天的记录\n"), ...more });

describe("a digest", () => {
  it("takes the place of its notes, which are archived byte for byte", async () => {
    const root = sample({ "memory/archive/2031-02/2031-02-03.md": "taken" });
    const before = filesOf(root);
    const report = await apply(root, digest(root, 1, "2031-02", ...NOTES));
    expect(report.applied[0]).toMatchObject({
      id: "1.1",
      file: "memory/2031-02.md",
      what: NOTES,
      archived: ["memory/archive/2031-02/2031-02-03-2.md", "memory/archive/2031-02/2031-02-04-slug.md"],
    });
    expect(liveFiles(root)).toEqual({ "MEMORY.md": "x\n", "memory/2031-02.md": "# 2031-02\n\nA digest.\n" });
    const after = filesOf(root);
    expect(after["memory/archive/2031-02/2031-02-03-2.md"]).toBe(before[NOTES[0]]);
    expect(after["memory/archive/2031-02/2031-02-04-slug.md"]).toBe(before[NOTES[1]]);
    expect(after["memory/archive/2031-02/2031-02-03.md"]).toBe("taken");
  });

  it("is refused where its name is taken, a note has changed, or one is a link", async () => {
    const taken = sample();
    const change = digest(taken, 1, "2031-02", ...NOTES);
    writeFileSync(join(taken, "memory/2031-02.md"), "mine");
    expect((await apply(taken, change)).refused).toMatchObject([{ code: "STALE_PLAN" }]);
    expect(read(taken, "memory/2031-02.md")).toBe("mine");

    const changed = sample();
    const old = digest(changed, 1, "2031-02", ...NOTES);
    writeFileSync(join(changed, NOTES[0]), "changed");
    expect((await apply(changed, old)).refused).toMatchObject([{ code: "STALE_PLAN" }]);
    expect(existsSync(join(changed, "memory/2031-02.md"))).toBe(false);

    const linked = sample({ "elsewhere.md": "text\n" });
    symlinkSync("../elsewhere.md", join(linked, "memory/2031-02-05.md"));
    const withLink = digest(linked, 1, "2031-02", ...NOTES, "memory/2031-02-05.md");
    expect((await apply(linked, withLink)).refused).toMatchObject([{ code: "INVALID_CHANGE" }]);
  });

  it("is refused under any name that is none of a month among its notes", async () => {
    const root = sample();
    const before = filesOf(root);
    for (const file of ["MEMORY-2031-02.md", "memory/digest.md", "memory/2031-02.txt", "2031-02/digest.md"]) {
      const report = await apply(root, { ...digest(root, 1, "2031-02", ...NOTES), file });
      expect([file, report.refused[0]?.code]).toEqual([file, "INVALID_CHANGE"]);
    }
    expect(filesOf(root)).toEqual(before);
  });
});
