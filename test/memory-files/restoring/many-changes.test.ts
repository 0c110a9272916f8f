// Many changes come back in batches: the journal is told of each batch, not of each change, and a death in the middle of one
// is settled file by file.
import { readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listArchivedChanges, restoreMemoryFiles } from "../../../src/memory-files/restore-memory-files.ts";
import { apply, filesOf, liveFiles, read, removal } from "../applying/sample-plan.ts";
import { countSteps } from "../journal/count-steps.mjs";
import { dyingAt, letTimePass } from "../journal/dying.ts";
import { codeOf, newWorkspace } from "../workspace/workspace-folder.ts";

const restoreAll = (root: string, signal?: AbortSignal) => restoreMemoryFiles(root, { all: true }, { signal });
const JOURNAL = "memory/archive/journal/0001.json";

const nameOf = (day: number) => `memory/${new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10)}.md`;

async function withChanges(count: number): Promise<{ readonly root: string; readonly before: object }> {
  const names = Array.from({ length: count }, (_, day) => nameOf(day));
  const notes = names.map((name, day) => [name, `# Day\n\n## A\nline ${day}\n\n## B\nstays\n`] as const);
  const root = newWorkspace({ "MEMORY.md": "# Memory\n", ...Object.fromEntries(notes) });
  const before = liveFiles(root);
  const report = await apply(root, ...names.map((name, index) => removal(root, index + 1, name, [3, 5, "A"])));
  expect(report.applied).toHaveLength(count);
  return { root, before };
}

/** Calls out when a file gets its name by a rename. */
function onRename(root: string, call: (file: string) => void): () => void {
  return countSteps(root, (step, given) => {
    if (step === "rename") call(String(given?.[1]).slice(root.length + 1));
  });
}

function statesOf(root: string): readonly string[] {
  const { changes } = JSON.parse(readFileSync(join(root, JOURNAL), "utf8")) as { changes: readonly object[] };
  return changes.map((change) => ("restoring" in change ? "restoring" : (change as { state: string }).state));
}

describe("restore of many changes", () => {
  it("writes the journal twice a hundred changes, and gives all of them back, newest first", async () => {
    const { root, before } = await withChanges(230);
    let written = 0;
    const stop = onRename(root, (file) => {
      if (file === JOURNAL) written += 1;
    });
    const report = await restoreAll(root).finally(stop);
    expect(report.restored.map(({ id }) => id)).toEqual(Array.from({ length: 230 }, (_, index) => `1.${230 - index}`));
    expect([report.already, report.refused, report.settled]).toEqual([[], [], []]);
    expect(liveFiles(root)).toEqual(before);
    expect(written).toBe(6);
    expect(new Set(statesOf(root))).toEqual(new Set(["restored"]));
    expect((await restoreAll(root)).already).toHaveLength(230);
  });

  it("that dies in the middle of a batch is settled by what each file holds", async () => {
    const { root, before } = await withChanges(12);
    const steps = await dyingAt(root, Number.MAX_SAFE_INTEGER, () => restoreAll(root));
    for (const share of [0.3, 0.5, 0.8]) {
      const { root: dying } = await withChanges(12);
      await dyingAt(dying, Math.floor(steps * share), () => restoreAll(dying));
      expect(new Set(statesOf(dying))).toEqual(new Set(["restoring"]));
      const live = Object.entries(liveFiles(dying)).filter(([name]) => !name.includes(".tmp"));
      const back = live.filter(([, text]) => text.includes("## A")).length;
      expect(back).toBeGreaterThan(0);
      expect(back).toBeLessThan(12);
      letTimePass(dying);
      const report = await restoreAll(dying);
      expect(report.settled.filter(({ state }) => state === "done")).toHaveLength(back);
      expect(report.settled.filter(({ state }) => state === "undone")).toHaveLength(12 - back);
      expect([report.restored.length, report.refused]).toEqual([12 - back, []]);
      expect(liveFiles(dying)).toEqual(before);
      expect(Object.keys(filesOf(dying)).filter((name) => name.includes(".tmp"))).toEqual([]);
    }
  });

  it("notes what was done when it is aborted, and leaves nothing under way", async () => {
    const { root, before } = await withChanges(12);
    const abort = new AbortController();
    let notes = 0;
    const stop = onRename(root, (file) => {
      if (file !== JOURNAL) notes += 1;
      if (notes === 5) abort.abort();
    });
    await expect(restoreAll(root, abort.signal).finally(stop)).rejects.toThrow(/abort/i);
    expect(statesOf(root).toSorted()).toEqual([...Array(7).fill("applied"), ...Array(5).fill("restored")]);
    const rest = await restoreAll(root);
    expect([rest.restored.length, rest.settled]).toEqual([7, []]);
    expect(liveFiles(root)).toEqual(before);
  });

  it("goes on beside one that cannot be restored", async () => {
    const { root } = await withChanges(5);
    rmSync(join(root, `memory/archive/removed/0001/3-${nameOf(2).slice("memory/".length)}`));
    const report = await restoreAll(root);
    expect(report.restored.map(({ id }) => id)).toEqual(["1.5", "1.4", "1.2", "1.1"]);
    expect(report.refused).toMatchObject([{ id: "1.3", code: "ARCHIVE_MISSING" }]);
    expect((await listArchivedChanges(root)).map(({ state }) => state).toSorted()).toEqual([
      "applied",
      ...Array(4).fill("restored"),
    ]);
  });

  it("restores nothing where the journal takes no intention", async () => {
    const { root } = await withChanges(3);
    const after = liveFiles(root);
    const stop = onRename(root, (file) => {
      if (file === JOURNAL) throw Object.assign(new Error("full"), { code: "ENOSPC", syscall: "rename" });
    });
    const report = await restoreAll(root).finally(stop);
    expect(report.refused.map(({ code }) => code)).toEqual(["ENOSPC", "ENOSPC", "ENOSPC"]);
    expect(liveFiles(root)).toEqual(after);
    expect((await restoreAll(root)).restored).toHaveLength(3);
  });

  it("takes changes of one file one after the other, whatever its name was", async () => {
    const [first, second] = [nameOf(1), nameOf(2)];
    const text = "# Day\n\n## A\none\n\n## B\ntwo\n\n## C\nthree\n";
    const root = newWorkspace({ "MEMORY.md": "# Memory\n", [second]: text });
    await apply(root, removal(root, 1, second, [3, 5, "A"]));
    renameSync(join(root, second), join(root, first));
    symlinkSync(join(root, first), join(root, second));
    expect((await apply(root, removal(root, 1, first, [3, 5, "B"]))).refused).toEqual([]);
    const report = await restoreAll(root);
    expect(report.restored.map(({ id, how }) => `${id} ${how}`)).toEqual(["2.1 exact", "1.1 exact"]);
    expect(read(root, first)).toBe(text);
  });
});

describe("a workspace that is no path", () => {
  it("is refused before anything is looked at", async () => {
    for (const root of ["", undefined, null, 7]) {
      expect(await codeOf(restoreAll(root as string))).toBe("InvalidInput INVALID_ROOT");
      expect(await codeOf(listArchivedChanges(root as string))).toBe("InvalidInput INVALID_ROOT");
    }
  });
});
