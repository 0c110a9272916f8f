// Links, second names and what is no file: followed inside, refused outside, and nothing waits.
import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../../../src/memory-files/workspace/open-workspace.ts";
import { codesOf, type Files, newWorkspace, readAllNotes } from "./workspace-folder.ts";

interface Outcome {
  readonly memory: readonly string[];
  readonly notes: readonly string[];
  readonly unread: readonly string[];
}

async function outcomeOf(root: string, notesGlob?: string): Promise<Outcome> {
  const workspace = await openWorkspace({ root, notesGlob });
  const { notes, unread } = await readAllNotes(workspace);
  return {
    memory: workspace.memory.map(({ file }) => file),
    notes: notes.map(({ file }) => file),
    unread: codesOf([...workspace.unread, ...unread]),
  };
}

/** A workspace `ws` beside a folder `out`. */
function newPair(files: Files = {}): string {
  return join(
    newWorkspace({ "ws/MEMORY.md": "memory\n", "ws/memory/2031-02-03.md": "note\n", "out/x.md": "secret\n", ...files }),
    "ws",
  );
}

function canMakeFifo(): boolean {
  try {
    execFileSync("mkfifo", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const isRoot = process.getuid?.() === 0;

describe("links", () => {
  it("are followed inside the workspace", async () => {
    const root = newWorkspace({ "store/memory.md": "m\n", "store/notes/2031-02-03.md": "n\n" });
    symlinkSync(join("store", "memory.md"), join(root, "MEMORY.md"));
    symlinkSync(join(root, "store", "notes"), join(root, "memory"));
    expect(await outcomeOf(root)).toEqual({ memory: ["MEMORY.md"], notes: ["memory/2031-02-03.md"], unread: [] });
  });

  it("that leave it are refused: notes, memory, imports, folders", async () => {
    const root = newPair({ "ws/MEMORY.md": "@import.md\n" });
    symlinkSync(join(root, "..", "out", "x.md"), join(root, "memory", "2031-02-04.md"));
    symlinkSync(join("..", "out", "x.md"), join(root, "import.md"));
    symlinkSync(join("..", "out"), join(root, "folder"));
    expect(await outcomeOf(root)).toEqual({
      memory: ["MEMORY.md"],
      notes: ["memory/2031-02-03.md"],
      unread: ["import.md: OUTSIDE_WORKSPACE", "memory/2031-02-04.md: OUTSIDE_WORKSPACE"],
    });
    expect((await outcomeOf(root, "folder/*.md")).unread).toContain("folder: OUTSIDE_WORKSPACE");
    expect((await outcomeOf(root, "**/*.md")).unread).toContain("folder: OUTSIDE_WORKSPACE");
  });

  it("of the memory that leave it are refused, and no other file takes its place", async () => {
    const root = newWorkspace({ "ws/CLAUDE.md": "c\n", "out.md": "secret\n" });
    symlinkSync(join(root, "out.md"), join(root, "ws", "MEMORY.md"));
    expect(await outcomeOf(join(root, "ws"))).toEqual({
      memory: [],
      notes: [],
      unread: ["MEMORY.md: OUTSIDE_WORKSPACE"],
    });
  });

  it("of the folder of notes or the bank that leave it are one entry", async () => {
    const root = newWorkspace({
      "ws/MEMORY.md": "",
      "out/2031-02-03.md": "",
      "out/2031-02-04.md": "",
      "bank/a.md": "",
    });
    symlinkSync(join(root, "out"), join(root, "bank", "memory-bank"));
    symlinkSync(join(root, "out"), join(root, "ws", "memory"));
    expect((await outcomeOf(join(root, "ws"))).unread).toEqual(["memory: OUTSIDE_WORKSPACE"]);
    expect(await outcomeOf(join(root, "bank"))).toEqual({
      memory: [],
      notes: [],
      unread: ["memory-bank: OUTSIDE_WORKSPACE"],
    });
  });

  it("to nothing, to themselves and to each other cannot be read", async () => {
    const root = newPair();
    symlinkSync("nowhere.md", join(root, "memory", "2031-02-04.md"));
    symlinkSync("2031-02-05.md", join(root, "memory", "2031-02-05.md"));
    symlinkSync("b", join(root, "memory", "2031-02-06.md"));
    symlinkSync("2031-02-06.md", join(root, "memory", "b"));
    expect(await outcomeOf(root)).toEqual({
      memory: ["MEMORY.md"],
      notes: ["memory/2031-02-03.md"],
      unread: ["2031-02-04", "2031-02-05", "2031-02-06"].map((date) => `memory/${date}.md: UNREADABLE`),
    });
  });

  it("of folders in circles are entered once", async () => {
    const root = newPair();
    symlinkSync(root, join(root, "memory", "again"));
    symlinkSync(join(root, "memory"), join(root, "twice"));
    const { notes, unread } = await outcomeOf(root, "**/*.md");
    expect(notes).toHaveLength(1);
    expect(unread).toEqual([]);
  });

  it("to the archive lead to nothing that is read", async () => {
    const root = newPair({ "ws/memory/archive/2031-02-01.full.md": "old\n" });
    symlinkSync(join("archive", "2031-02-01.full.md"), join(root, "memory", "2031-02-01.md"));
    symlinkSync(join("memory", "archive"), join(root, "old"));
    const expected = { memory: ["MEMORY.md"], notes: ["memory/2031-02-03.md"] };
    expect(await outcomeOf(root)).toEqual({ ...expected, unread: ["memory/2031-02-01.md: UNREADABLE"] });
    expect(await outcomeOf(root, "**/2*.md")).toEqual({ ...expected, unread: ["memory/2031-02-01.md: UNREADABLE"] });
  });

  it("that the archive is make no note of what they lead to", async () => {
    const root = newPair({ "ws/attic/2031-02-01.full.md": "old\n" });
    symlinkSync(join("..", "attic"), join(root, "memory", "archive"));
    expect((await outcomeOf(root, "**/2*.md")).notes).toEqual(["memory/2031-02-03.md"]);
  });
});

describe("a second name of one file", () => {
  it("is named and not read again, by link or hard link", async () => {
    const root = newPair();
    linkSync(join(root, "memory", "2031-02-03.md"), join(root, "memory", "2031-02-04.md"));
    symlinkSync(join("..", "MEMORY.md"), join(root, "memory", "2031-02-05.md"));
    const workspace = await openWorkspace({ root });
    expect(workspace.notes.map(({ file }) => file)).toEqual(["memory/2031-02-03.md"]);
    expect(workspace.unread).toEqual([
      { file: "memory/2031-02-04.md", code: "SAME_FILE", message: "It is the same file as memory/2031-02-03.md." },
      { file: "memory/2031-02-05.md", code: "SAME_FILE", message: "It is the same file as MEMORY.md." },
    ]);
  });

  it("never is the file itself where the other is a link, whatever their order", async () => {
    const root = newPair();
    symlinkSync("2031-02-03.md", join(root, "memory", "2030-01-01.md"));
    const outcome = await outcomeOf(root);
    expect(outcome.notes).toEqual(["memory/2031-02-03.md"]);
    expect(outcome.unread).toEqual(["memory/2030-01-01.md: SAME_FILE"]);
  });

  it("is told of files that are taken in, too", async () => {
    const root = newPair({ "ws/MEMORY.md": "@a.md @b.md\n", "ws/a.md": "x" });
    linkSync(join(root, "a.md"), join(root, "b.md"));
    expect((await openWorkspace({ root })).imported.map(({ file }) => file)).toEqual(["a.md"]);
    expect((await outcomeOf(root)).unread).toEqual(["b.md: SAME_FILE"]);
  });
});

describe("what is no file to read", () => {
  it.skipIf(!canMakeFifo())("is never opened: a pipe would wait for ever", async () => {
    const root = newPair();
    execFileSync("mkfifo", [join(root, "memory", "2031-02-04.md"), join(root, "pipe.md")]);
    symlinkSync(join("..", "pipe.md"), join(root, "memory", "2031-02-05.md"));
    expect(await outcomeOf(root)).toEqual({
      memory: ["MEMORY.md"],
      notes: ["memory/2031-02-03.md"],
      unread: ["memory/2031-02-04.md: UNREADABLE", "memory/2031-02-05.md: UNREADABLE"],
    });
  });

  it("is named by its size, unread", async () => {
    const root = newPair({ "ws/memory/2031-02-04.md": "", "ws/memory/2031-02-05.md": "" });
    truncateSync(join(root, "memory", "2031-02-04.md"), 64 * 1024 * 1024 + 1);
    const workspace = await openWorkspace({ root });
    expect(codesOf(workspace.unread)).toEqual(["memory/2031-02-04.md: TOO_LARGE"]);
    truncateSync(join(root, "memory", "2031-02-05.md"), 64 * 1024 * 1024 + 1);
    expect(codesOf((await readAllNotes(workspace)).unread)).toEqual(["memory/2031-02-05.md: TOO_LARGE"]);
  });

  it.skipIf(isRoot)("is named where reading it is not allowed, with the reason", async () => {
    const root = newPair({ "ws/memory/2031-02-04.md": "x" });
    chmodSync(join(root, "memory", "2031-02-04.md"), 0);
    const { unread } = await readAllNotes(await openWorkspace({ root }));
    expect(unread).toEqual([
      { file: "memory/2031-02-04.md", code: "UNREADABLE", message: "Reading it is not allowed (EACCES)." },
    ]);
    mkdirSync(join(root, "closed"));
    chmodSync(join(root, "closed"), 0);
    expect((await outcomeOf(root, "closed/*.md")).unread).toEqual(["closed: UNREADABLE"]);
    chmodSync(join(root, "closed"), 0o700);
  });
});
