// What left comes back: to the byte where nothing was written since, beside what was written otherwise.
import { appendFileSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listArchivedChanges, restoreMemoryFiles } from "../../../src/memory-files/restore-memory-files.ts";
import {
  apply,
  digest,
  filesOf,
  liveFiles,
  MOVED,
  moving,
  read,
  removal,
  rotation,
  tidy,
} from "../applying/sample-plan.ts";
import { newWorkspace, toGbk } from "../workspace/workspace-folder.ts";

const NOTE = "memory/2031-02-03.md";
const OTHER = "memory/2031-02-04.md";
const LARGE = "memory/2031-02-05.md";
const TEXT = "# Day\n\n## A\none\n\n## B\ntwo\n\n## C\nthree\n";
const MEMORY = "# Memory\n\n- a fact\n- a fact\n\n\n\n## Old\nold\n\n## New\nnew\n";
const REMOVED = "memory/archive/removed/0001/1-2031-02-03.md";

const restore = (root: string, ...ids: readonly string[]) => restoreMemoryFiles(root, { ids }, {});
const restoreAll = (root: string) => restoreMemoryFiles(root, { all: true }, {});

const sample = () =>
  newWorkspace({
    "MEMORY.md": MEMORY,
    [NOTE]: TEXT.replaceAll("\n", "\r\n"),
    [OTHER]: toGbk("## 记录\n数据库的端口\n\n## 今天\n部署到服务器"),
    [LARGE]: `\uFEFF${"a line of the day\r\n".repeat(2_000)}`,
    "memory/2031-01-01.md": "# One\n",
    "memory/2031-01-02.md": "# Two",
  });

async function applyAll(root: string): Promise<void> {
  const first = await apply(
    root,
    removal(root, 1, NOTE, [6, 8, "B"]),
    removal(root, 2, OTHER, [4, 5, "今天"]),
    rotation(root, 3, LARGE),
    digest(root, 4, "2031-01", "memory/2031-01-01.md", "memory/2031-01-02.md"),
    tidy(root, 5, "MEMORY.md", [4, 4], [6, 7]),
    moving(root, 6, "MEMORY.md", [8, 10, "Old", `See ${MOVED}.\n`]),
  );
  expect(first.refused).toEqual([]);
  const second = await apply(root, removal(root, 1, NOTE, [3, 5, "A"]));
  expect(second.refused).toEqual([]);
}

describe("restore of files that nobody has changed", () => {
  it("gives each its exact bytes and mode back, newest change first, and nothing twice", async () => {
    const root = sample();
    const before = liveFiles(root);
    await applyAll(root);
    expect(liveFiles(root)).not.toEqual(before);
    const archived = Object.entries(filesOf(root)).filter(([name]) => /archive\/(?!journal)/.test(name));
    const report = await restoreAll(root);
    expect(report.restored.map(({ id, how }) => `${id} ${how}`)).toEqual(
      ["2.1", "1.6", "1.5", "1.4", "1.3", "1.2", "1.1"].map((id) => `${id} exact`),
    );
    expect([report.refused, report.already]).toEqual([[], []]);
    expect(liveFiles(root)).toEqual(before);
    expect(Object.entries(filesOf(root)).filter(([name]) => /archive\/(?!journal)/.test(name))).toEqual(archived);
    const again = await restoreAll(root);
    expect([again.restored, again.refused, again.already.length]).toEqual([[], [], 7]);
    expect(liveFiles(root)).toEqual(before);
  });

  it("takes one change, or a run, and lists what there is", async () => {
    const root = sample();
    await applyAll(root);
    const listed = await listArchivedChanges(root);
    expect(listed.map(({ id, kind, state }) => `${id} ${kind} ${state}`)).toEqual([
      "2.1 remove_sections applied",
      "1.6 move_sections applied",
      "1.5 tidy applied",
      "1.4 digest applied",
      "1.3 rotate applied",
      "1.2 remove_sections applied",
      "1.1 remove_sections applied",
    ]);
    expect(listed[0]).toEqual({
      id: "2.1",
      at: "2031-06-15T12:00:00.000Z",
      kind: "remove_sections",
      file: NOTE,
      what: ["A"],
      archived: ["memory/archive/removed/0002/1-2031-02-03.md"],
      state: "applied",
    });
    expect((await restore(root, "1.3")).restored.map(({ file }) => file)).toEqual([LARGE]);
    expect((await restore(root, "2")).restored.map(({ id }) => id)).toEqual(["2.1"]);
    expect((await restore(root, "1")).restored).toHaveLength(5);
    expect((await listArchivedChanges(root)).every(({ state }) => state === "restored")).toBe(true);
  });

  it("makes a change again, and takes it back again", async () => {
    const root = sample();
    const before = liveFiles(root);
    for (const run of ["1", "2", "3"]) {
      await apply(root, removal(root, 1, NOTE, [6, 8, "B"]));
      expect((await restore(root, run)).restored).toMatchObject([{ id: `${run}.1`, how: "exact" }]);
      expect(liveFiles(root)).toEqual(before);
    }
  });

  it("says which ids there are when one is unknown, and makes nothing", async () => {
    const empty = newWorkspace({ "MEMORY.md": "x\n" });
    await expect(restore(empty, "1")).rejects.toMatchObject({ kind: "NotFound", code: "UNKNOWN_CHANGE" });
    expect(await restoreAll(empty)).toEqual({ restored: [], already: [], refused: [], settled: [] });
    expect(filesOf(empty)).toEqual({ "MEMORY.md": "x\n" });
    const root = sample();
    await applyAll(root);
    const before = filesOf(root);
    for (const id of ["3", "1.9", "x", "", "1.1.1", "__proto__"]) {
      await expect(restore(root, "1.1", id)).rejects.toMatchObject({
        kind: "NotFound",
        hint: expect.stringMatching(/1\.|2\.1/),
      });
    }
    expect(filesOf(root)).toEqual(before);
  });
});

describe("restore of files that were edited since", () => {
  it("puts a section back where its surroundings stand", async () => {
    const root = newWorkspace({ "MEMORY.md": "x\n", [NOTE]: TEXT });
    await apply(root, removal(root, 1, NOTE, [6, 8, "B"]));
    writeFileSync(join(root, NOTE), `Written above.\n\n${read(root, NOTE)}\nWritten below.\n`);
    expect((await restore(root, "1.1")).restored).toMatchObject([{ how: "merged" }]);
    expect(read(root, NOTE)).toBe(`Written above.\n\n${TEXT}\nWritten below.\n`);
    expect((await restore(root, "1.1")).already).toEqual(["1.1"]);
    expect(read(root, NOTE)).toBe(`Written above.\n\n${TEXT}\nWritten below.\n`);
  });

  it("never lets what was written at its place slip into the section", async () => {
    const root = newWorkspace({ "MEMORY.md": "x\n", [NOTE]: TEXT });
    await apply(root, removal(root, 1, NOTE, [6, 8, "B"]), removal(root, 2, NOTE, [9, 10, "C"]));
    appendFileSync(join(root, NOTE), "more of A\n\n## D\nfour\n");
    await restore(root, "1");
    expect(read(root, NOTE)).toBe("# Day\n\n## A\none\n\nmore of A\n\n## B\ntwo\n\n## C\nthree\n## D\nfour\n");
  });

  it("puts a section whose place is gone at the end", async () => {
    const root = newWorkspace({ "MEMORY.md": "x\n", [NOTE]: TEXT });
    await apply(root, removal(root, 1, NOTE, [6, 8, "B"]));
    writeFileSync(join(root, NOTE), "# All new\r\n\r\ntext");
    expect((await restore(root, "1.1")).restored).toMatchObject([{ how: "at_end" }]);
    expect(read(root, NOTE)).toBe("# All new\r\n\r\ntext\r\n\r\n## B\ntwo\n\n");
  });

  it("adds no blank line to one that begins with a blank line of its own", async () => {
    const root = newWorkspace({ "MEMORY.md": "x\n", [NOTE]: TEXT });
    await apply(root, removal(root, 1, NOTE, [5, 7, "B"]));
    writeFileSync(join(root, NOTE), "# All new\n");
    await restore(root, "1.1");
    expect(read(root, NOTE)).toBe("# All new\n\n## B\ntwo\n");
  });

  it("takes a pointer away when what it points to comes back", async () => {
    const root = newWorkspace({ "MEMORY.md": MEMORY });
    await apply(root, moving(root, 1, "MEMORY.md", [8, 10, "Old", `See ${MOVED}.\n`]));
    writeFileSync(join(root, "MEMORY.md"), `# Anew\n\nSee ${MOVED}.\n\nLast.\n`);
    expect((await restore(root, "1.1")).restored).toMatchObject([{ how: "merged" }]);
    expect(read(root, "MEMORY.md")).toBe("# Anew\n\n## Old\nold\n\n\nLast.\n");
  });

  it("puts back the lines of a tidying whose place is there, and says which archive keeps the others", async () => {
    const root = newWorkspace({ "MEMORY.md": "# M\n\n- a\n- a\n\n# N\n\n- b\n- b\n- c\n" });
    await apply(root, tidy(root, 1, "MEMORY.md", [4, 4], [9, 9]));
    writeFileSync(join(root, "MEMORY.md"), "# N\n\n- b\n- c\n- new\n");
    const archive = "memory/archive/removed/0001/1-MEMORY.md";
    const report = await restore(root, "1.1");
    expect(report.restored).toMatchObject([{ how: "merged" }]);
    expect(report.refused).toMatchObject([
      { id: "1.1", code: "CHANGED_SINCE", message: expect.stringContaining(archive) },
    ]);
    expect(read(root, "MEMORY.md")).toBe("# N\n\n- b\n- b\n- c\n- new\n");
    const again = await restore(root, "1.1");
    expect([again.restored, again.refused.length]).toEqual([[], 1]);
    expect(read(root, "MEMORY.md")).toBe("# N\n\n- b\n- b\n- c\n- new\n");
    expect((await listArchivedChanges(root))[0]?.state).toBe("applied");
  });

  it("writes what came below a preview below the note", async () => {
    const root = sample();
    const before = read(root, LARGE);
    await apply(root, rotation(root, 1, LARGE));
    appendFileSync(join(root, LARGE), "\r\nmore of the day\r\n");
    expect((await restore(root, "1.1")).restored).toMatchObject([{ how: "merged" }]);
    expect(read(root, LARGE)).toBe(`${before}\r\nmore of the day\r\n`);
  });

  it("keeps a preview that was rewritten, and makes a note anew whose preview is gone", async () => {
    const root = sample();
    const before = read(root, LARGE);
    await apply(root, rotation(root, 1, LARGE));
    const stub = read(root, LARGE);
    writeFileSync(join(root, LARGE), stub.replace("Rotated", "My"));
    expect((await restore(root, "1.1")).refused).toMatchObject([{ code: "CHANGED_SINCE" }]);
    expect(read(root, LARGE)).toBe(stub.replace("Rotated", "My"));
    rmSync(join(root, LARGE));
    expect((await restore(root, "1.1")).restored).toMatchObject([{ how: "exact" }]);
    expect(read(root, LARGE)).toBe(before);
  });

  it("never puts two encodings into one file", async () => {
    const root = sample();
    await apply(root, removal(root, 1, OTHER, [4, 5, "今天"]));
    writeFileSync(join(root, OTHER), "## 记录\n数据库的端口\n");
    expect((await restore(root, "1.1")).refused).toMatchObject([{ code: "CHANGED_SINCE" }]);
    expect(read(root, OTHER)).toBe("## 记录\n数据库的端口\n");
  });

  it("keeps a digest that was edited, and never writes over a note", async () => {
    const root = sample();
    const notes = ["memory/2031-01-01.md", "memory/2031-01-02.md"] as const;
    await apply(root, digest(root, 1, "2031-01", ...notes));
    writeFileSync(join(root, notes[1]), "new");
    const before = liveFiles(root);
    expect((await restore(root, "1.1")).refused).toMatchObject([{ code: "CHANGED_SINCE" }]);
    expect(liveFiles(root)).toEqual(before);
    rmSync(join(root, notes[1]));
    appendFileSync(join(root, "memory/2031-01.md"), "mine");
    expect((await restore(root, "1.1")).restored).toMatchObject([{ how: "merged" }]);
    expect([read(root, notes[0]), read(root, notes[1])]).toEqual(["# One\n", "# Two"]);
    expect(read(root, "memory/2031-01.md")).toMatch(/mine$/);
  });

  it("says so where the file is gone", async () => {
    const root = sample();
    await apply(root, removal(root, 1, NOTE, [6, 8, "B"]));
    rmSync(join(root, NOTE));
    expect((await restoreAll(root)).refused).toMatchObject([
      { id: "1.1", code: "CHANGED_SINCE", message: expect.stringContaining(REMOVED) },
    ]);
    expect(existsSync(join(root, NOTE))).toBe(false);
  });
});

describe("an archive that is damaged", () => {
  it("is no reason to write anything", async () => {
    const root = sample();
    await applyAll(root);
    writeFileSync(join(root, REMOVED), "other bytes");
    rmSync(join(root, "memory/archive/2031-02-05.full.md"));
    symlinkSync(join(root, "MEMORY.md"), join(root, "memory/archive/2031-02-05.full.md"));
    rmSync(join(root, "memory/archive/2031-01/2031-01-02.md"));
    const before = liveFiles(root);
    const report = await restore(root, "1.1", "1.3", "1.4");
    expect(report.refused.map(({ id, code }) => `${id} ${code}`)).toEqual([
      "1.4 ARCHIVE_MISSING",
      "1.3 ARCHIVE_MISSING",
      "1.1 ARCHIVE_MISSING",
    ]);
    expect(liveFiles(root)).toEqual(before);
  });
});
