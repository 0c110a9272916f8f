// A journal is a file like any other: whoever writes it gets nothing outside the workspace, and nothing removed that is not a
// copy or a digest.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  journalFaults,
  listArchivedChanges,
  restoreMemoryFiles,
} from "../../../src/memory-files/restore-memory-files.ts";
import { sha256 } from "../../../src/storage/sha256.ts";
import { apply, filesOf, liveFiles, removal } from "../applying/sample-plan.ts";
import { newWorkspace } from "../workspace/workspace-folder.ts";

const NOTE = "memory/2031-02-03.md";
const COPY = "memory/archive/copy.md";
const mark = (text: string) => ({ sha256: sha256(text), bytes: Buffer.byteLength(text) });

/** A change that would be made if it were taken at its word. */
function rotationOf(root: string, more: object) {
  const victim = readFileSync(join(root, NOTE), "utf8");
  return {
    change: 1,
    kind: "rotate",
    file: NOTE,
    what: [],
    state: "applied",
    encoding: "utf-8",
    before: mark("planted"),
    after: mark(victim),
    archive: { file: COPY, ...mark("planted") },
    ...more,
  };
}

const edited = (more: object) => ({
  kind: "tidy",
  ranges: [{ byte_from: 0, byte_to: 7, before: [], after: [] }],
  ...more,
});

function sample(change: (root: string) => object, state = "applied", run = 1): string {
  const root = newWorkspace({ "MEMORY.md": "# Memory\n", [NOTE]: "a note\n", [COPY]: "planted" });
  mkdirSync(join(root, "memory/archive/journal"), { recursive: true });
  const entry = { version: 1, run, at: "2031-06-15T12:00:00.000Z", state, changes: [change(root)] };
  writeFileSync(join(root, "memory/archive/journal/0001.json"), JSON.stringify(entry));
  return root;
}

const restoreAll = (root: string) => restoreMemoryFiles(root, { all: true }, {});

describe("a journal that was written by somebody else", () => {
  it("is followed where it stays inside", async () => {
    const root = sample((at) => rotationOf(at, {}));
    expect((await restoreAll(root)).restored).toHaveLength(1);
    expect(readFileSync(join(root, NOTE), "utf8")).toBe("planted");
  });

  const names = ["../out.md", "/etc/out.md", "a/../../out.md", "..\\out.md", "C:out.md", "", ".", "a//b.md", "x\0.md"];
  const inside = [".git/hooks/pre-commit", "a/.GIT/config", "memory/archive/journal/0002.json", "memory/Archive/x.md"];
  it.each([...names, ...inside])("is not read where it names the file %j", async (file) => {
    const root = sample((at) => rotationOf(at, { file }));
    const before = filesOf(root);
    expect((await restoreAll(root)).refused).toMatchObject([{ id: "1", code: "INVALID_JOURNAL" }]);
    expect(filesOf(root)).toEqual(before);
    expect(await listArchivedChanges(root)).toEqual([]);
  });

  it.each([...names, NOTE, "MEMORY.md", "memory/archive/../../MEMORY.md"])(
    "is not read where it names the archive file %j",
    async (file) => {
      for (const state of ["applied", "applying"]) {
        const root = sample((at) => rotationOf(at, { archive: { file, ...mark("planted") } }), state);
        const before = filesOf(root);
        expect((await restoreAll(root)).refused).toMatchObject([{ code: "INVALID_JOURNAL" }]);
        expect(filesOf(root)).toEqual(before);
      }
    },
  );

  it("is not read with another shape, another run, or ranges that are none", async () => {
    const cases: readonly ((root: string) => object)[] = [
      () => ({}),
      (root) => rotationOf(root, { change: 0 }),
      (root) => rotationOf(root, { kind: "other" }),
      (root) => rotationOf(root, { before: { sha256: "x", bytes: 1 } }),
      (root) => rotationOf(root, edited({ ranges: [] })),
      (root) => rotationOf(root, edited({ ranges: [{ byte_from: 0, byte_to: 1e9, before: [], after: [] }] })),
      (root) => rotationOf(root, edited({ ranges: [{ byte_from: 5, byte_to: 1, before: [], after: [] }] })),
      (root) => rotationOf(root, edited({ ranges: [{ byte_from: 0, byte_to: 2, before: [], after: [] }] })),
    ];
    for (const change of cases) {
      const root = sample(change);
      expect((await restoreAll(root)).refused).toMatchObject([{ code: "INVALID_JOURNAL" }]);
    }
    expect((await restoreAll(sample((root) => rotationOf(root, {}), "applied", 2))).refused).toHaveLength(1);
    const broken = sample((root) => rotationOf(root, {}));
    writeFileSync(join(broken, "memory/archive/journal/0001.json"), '{"version": 1, "ru');
    expect((await restoreAll(broken)).refused).toMatchObject([{ code: "INVALID_JOURNAL" }]);
  });

  it("is told as a fault of its run, since the list of changes cannot name them", async () => {
    const root = sample((at) => rotationOf(at, {}));
    expect(await journalFaults(root)).toEqual([]);
    const file = "memory/archive/journal/0003.json";
    writeFileSync(join(root, file), '{"version": 1, "ru');
    expect(await listArchivedChanges(root)).toHaveLength(1);
    const message = `${file} cannot be read, so nothing of that run is known.`;
    expect(await journalFaults(root)).toEqual([{ run: 3, file, code: "INVALID_JOURNAL", message }]);
  });

  it("keeps no other run from being restored, nor a new one from being made", async () => {
    const root = sample(() => ({}));
    const report = await apply(root, removal(root, 1, NOTE, [1, 1]));
    expect(report.run).toBe(2);
    const restored = await restoreAll(root);
    expect([restored.restored.length, restored.refused.length]).toEqual([1, 1]);
    await expect(restoreMemoryFiles(root, { ids: ["2.1"] }, {})).resolves.toMatchObject({ refused: [] });
  });

  it("writes to no file that a link leads out to, and reads none", async () => {
    const outside = newWorkspace({ "victim.md": "a note\n", "secret.md": "planted" });
    const files = sample((root) => rotationOf(root, { file: "link.md" }));
    symlinkSync(join(outside, "victim.md"), join(files, "link.md"));
    const folders = sample((root) => rotationOf(root, { file: "away/victim.md" }));
    symlinkSync(outside, join(folders, "away"));
    const gone = sample((root) => rotationOf(root, { file: "away/new.md" }));
    symlinkSync(outside, join(gone, "away"));
    const archive = sample((root) =>
      rotationOf(root, { archive: { file: "memory/archive/away/secret.md", ...mark("planted") } }),
    );
    symlinkSync(outside, join(archive, "memory/archive/away"));
    for (const root of [files, folders, gone, archive]) {
      const before = liveFiles(root);
      expect((await restoreAll(root)).refused).toMatchObject([{ code: "OUTSIDE_WORKSPACE" }]);
      expect(liveFiles(root)).toEqual(before);
    }
    expect(filesOf(outside)).toEqual({ "victim.md": "a note\n", "secret.md": "planted" });
  });

  it("gets nothing removed by what it says was under way", async () => {
    const outside = newWorkspace({ [`.agent-compact-${crypto.randomUUID()}.tmp`]: "of another program" });
    const digestOf = (file: string, note: string, text: string) => ({
      change: 1,
      kind: "digest",
      file,
      what: [],
      state: "intended",
      after: mark(text),
      notes: [{ file: note, archive: COPY, ...mark("planted") }],
    });
    const cases: readonly ((root: string) => object)[] = [
      // As if its archive were a leftover: it is one, and the only thing that goes.
      (root) => rotationOf(root, { state: "intended", file: "MEMORY.md", before: mark("# Memory\n") }),
      () => digestOf("MEMORY.md", NOTE, "# Memory\n"),
      () => digestOf("memory/2031-02.md", NOTE, "# Memory\n"),
      () => digestOf("away/2031-02.md", "away/2031-02-03.md", "x"),
    ];
    for (const change of cases) {
      const root = sample(change, "applying");
      symlinkSync(outside, join(root, "away"));
      const before = liveFiles(root);
      await restoreAll(root);
      await apply(root);
      expect(liveFiles(root)).toEqual(before);
    }
    expect(readdirSync(outside)).toHaveLength(1);
  });

  it("is no reason to leave the workspace when the journal's folder is a link", async () => {
    const outside = newWorkspace({ "0001.json": "{}" });
    const root = newWorkspace({ "MEMORY.md": "x\n", "memory/archive/x.md": "x" });
    symlinkSync(outside, join(root, "memory/archive/journal"));
    await expect(restoreAll(root)).rejects.toMatchObject({ code: "OUTSIDE_WORKSPACE" });
    await expect(listArchivedChanges(root)).rejects.toMatchObject({ code: "OUTSIDE_WORKSPACE" });
    expect(existsSync(join(outside, "lock"))).toBe(false);
  });
});
