// A file that nobody may write stays as it is, though replacing it would be possible.
import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { restoreMemoryFiles } from "../../../src/memory-files/restore-memory-files.ts";
import { apply, digest, liveFiles, removal, rotation, tidy } from "../applying/sample-plan.ts";
import { newWorkspace } from "../workspace/workspace-folder.ts";

const NOTE = "memory/2031-02-03.md";
const LARGE = "memory/2031-02-05.md";
const FIRST = "memory/2031-01-01.md";
const ALL = ["MEMORY.md", NOTE, LARGE, FIRST];

const sample = () =>
  newWorkspace({
    "MEMORY.md": "# Memory\n\n- a\n- a\n",
    [NOTE]: "# Day\n\n## A\none\n\n## B\ntwo\n",
    [LARGE]: "a line\n".repeat(5_000),
    [FIRST]: "# One\n",
    "memory/2031-01-02.md": "# Two\n",
  });

const changesOf = (root: string) => [
  tidy(root, 1, "MEMORY.md", [4, 4]),
  removal(root, 2, NOTE, [6, 7, "B"]),
  rotation(root, 3, LARGE),
  digest(root, 4, "2031-01", FIRST, "memory/2031-01-02.md"),
];

const restoreAll = (root: string) => restoreMemoryFiles(root, { all: true }, {});

describe("a read-only file", () => {
  it("is changed by no kind of change, and the refusal says how to allow it", async () => {
    const root = sample();
    for (const file of ALL) chmodSync(join(root, file), 0o444);
    const before = liveFiles(root);
    const report = await apply(root, ...changesOf(root));
    expect(report.applied).toEqual([]);
    expect(report.refused.map(({ change, code }) => `${change} ${code}`).toSorted()).toEqual(
      [1, 2, 3, 4].map((id) => `${id} READ_ONLY`),
    );
    expect(report.refused.every(({ message }) => message.includes("chmod u+w"))).toBe(true);
    expect(liveFiles(root)).toEqual(before);
    expect(existsSync(join(root, "memory/archive"))).toBe(false);
    for (const file of ALL) chmodSync(join(root, file), 0o644);
    expect((await apply(root, ...changesOf(root))).refused).toEqual([]);
  });

  it("takes no others with it, and one that its group may write is not read-only", async () => {
    const root = sample();
    chmodSync(join(root, NOTE), 0o444);
    chmodSync(join(root, LARGE), 0o464);
    const report = await apply(root, ...changesOf(root));
    expect(report.refused.map(({ file, code }) => `${file} ${code}`)).toEqual([`${NOTE} READ_ONLY`]);
    expect(report.applied).toHaveLength(3);
  });

  it("gets nothing put back, until it may be written", async () => {
    const root = sample();
    const before = liveFiles(root);
    await apply(root, ...changesOf(root));
    const after = liveFiles(root);
    const live = Object.keys(after);
    for (const file of live) chmodSync(join(root, file), 0o444);
    const report = await restoreAll(root);
    expect(report.refused.map(({ code }) => code)).toEqual(Array(4).fill("READ_ONLY"));
    expect(report.restored).toEqual([]);
    expect(liveFiles(root)).toEqual(after);
    for (const file of live) chmodSync(join(root, file), 0o644);
    expect((await restoreAll(root)).restored).toHaveLength(4);
    expect(liveFiles(root)).toEqual(before);
    expect(statSync(join(root, NOTE)).mode & 0o200).toBe(0o200);
  });
});
