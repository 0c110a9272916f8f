// Which folder is a workspace, and which of its files are memory.
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isWorkspace } from "../../../src/memory-files/workspace/find-files.ts";
import { openWorkspace } from "../../../src/memory-files/workspace/open-workspace.ts";
import { codeOf, codesOf, type Files, newWorkspace } from "./workspace-folder.ts";

async function memoryOf(files: Files, memoryFile?: string): Promise<readonly string[]> {
  const { memory } = await openWorkspace({ root: newWorkspace(files), memoryFile });
  return memory.map(({ file }) => file);
}

describe("a workspace", () => {
  it("must be a folder that is there; nothing is made", async () => {
    const root = newWorkspace({ "MEMORY.md": "x" });
    const missing = join(root, "missing");
    expect(await codeOf(openWorkspace({ root: missing }))).toBe("NotFound WORKSPACE_NOT_FOUND");
    expect(await codeOf(openWorkspace({ root: join(root, "MEMORY.md", "below") }))).toBe(
      "NotFound WORKSPACE_NOT_FOUND",
    );
    expect(await codeOf(openWorkspace({ root: join(root, "MEMORY.md") }))).toBe("InvalidInput NOT_A_FOLDER");
    expect(readdirSync(root)).toEqual(["MEMORY.md"]);
  });

  it("must be named: nothing stands for the current folder", async () => {
    for (const root of ["", undefined, null, 7, { root: "x" }]) {
      const opening = openWorkspace({ root: root as string });
      expect(await codeOf(opening)).toBe("InvalidInput INVALID_ROOT");
      await expect(opening).rejects.toMatchObject({ hint: expect.stringContaining("MEMORY.md") });
    }
    await expect(openWorkspace({} as { root: string })).rejects.toThrow("root is undefined, not the path");
  });

  it("may be reached by a link, and has its real path", async () => {
    const root = newWorkspace({ "real/MEMORY.md": "x" });
    symlinkSync(join(root, "real"), join(root, "link"));
    const workspace = await openWorkspace({ root: join(root, "link") });
    expect(workspace.real).toBe(join(root, "real"));
    expect(workspace.absolute("MEMORY.md")).toBe(join(root, "real", "MEMORY.md"));
    expect(workspace.absolute("memory/2031-02-03.md")).toBe(join(root, "real", "memory", "2031-02-03.md"));
  });

  it("may be empty", async () => {
    expect(await openWorkspace({ root: newWorkspace() })).toMatchObject({
      memory: [],
      imported: [],
      notes: [],
      unread: [],
    });
  });

  it("is told from other folders by what it holds", async () => {
    expect(await isWorkspace(newWorkspace({ "CLAUDE.md": "" }))).toBe(true);
    expect(await isWorkspace(newWorkspace({ "memory/2031-02-03.md": "" }))).toBe(true);
    expect(await isWorkspace(newWorkspace({ "memory-bank/context.md": "" }))).toBe(true);
    expect(await isWorkspace(newWorkspace({ "README.md": "", "memory/notes.md": "", "memory-bank/": "" }))).toBe(false);
    expect(await isWorkspace(join(newWorkspace(), "missing"))).toBe(false);
  });
});

describe("the memory", () => {
  it("is the first known layout that is there", async () => {
    const all = { "MEMORY.md": "", "CLAUDE.md": "", "AGENTS.md": "", "memory-bank/a.md": "" };
    const { "MEMORY.md": _memory, ...claude } = all;
    const { "CLAUDE.md": _claude, ...agents } = claude;
    const { "AGENTS.md": _agents, ...bank } = agents;
    expect(await memoryOf(all)).toEqual(["MEMORY.md"]);
    expect(await memoryOf(claude)).toEqual(["CLAUDE.md"]);
    expect(await memoryOf(agents)).toEqual(["AGENTS.md"]);
    expect(await memoryOf(bank)).toEqual(["memory-bank/a.md"]);
    expect(await memoryOf({ "README.md": "" })).toEqual([]);
  });

  it("is found under another spelling, once", async () => {
    expect(await memoryOf({ "memory.md": "", "CLAUDE.md": "" })).toEqual(["memory.md"]);
    const root = newWorkspace({ "Memory.md": "x" });
    // Where the file system folds case this is the same file.
    writeFileSync(join(root, "MEMORY.md"), "y");
    const { memory, unread } = await openWorkspace({ root });
    expect(memory).toHaveLength(1);
    expect(unread).toEqual([]);
  });

  it("of a memory bank is all Markdown below it, the brief first", async () => {
    const files = {
      "memory-bank/activeContext.md": "",
      "memory-bank/projectbrief.md": "",
      "memory-bank/features/search.md": "",
      "memory-bank/.obsidian/x.md": "",
      "memory-bank/node_modules/x.md": "",
      "memory-bank/picture.png": "",
    };
    const expected = ["projectbrief.md", "activeContext.md", "features/search.md"].map((name) => `memory-bank/${name}`);
    expect(await memoryOf(files)).toEqual(expected);
    expect(await memoryOf({ ...files, "MEMORY.md": "" }, "memory-bank/")).toEqual(expected);
  });

  it("is a file or folder that is named from the workspace", async () => {
    const files = { "MEMORY.md": "", "docs/agent.md": "", "docs/b/c.md": "", "notes.txt": "" };
    expect(await memoryOf(files, "docs/agent.md")).toEqual(["docs/agent.md"]);
    expect(await memoryOf(files, "./docs/b/../agent.md")).toEqual(["docs/agent.md"]);
    expect(await memoryOf(files, "docs")).toEqual(["docs/agent.md", "docs/b/c.md"]);
    expect(await memoryOf(files, "notes.txt")).toEqual(["notes.txt"]);
    const root = newWorkspace(files);
    const { memory } = await openWorkspace({ root, memoryFile: join(root, "docs", "agent.md") });
    expect(memory.map(({ file }) => file)).toEqual(["docs/agent.md"]);
  });

  it("must be there when it is named, inside and no archive", async () => {
    const root = newWorkspace({ "ws/MEMORY.md": "", "ws/empty/": "", "ws/memory/archive/old.md": "", "other.md": "" });
    symlinkSync(join(root, "other.md"), join(root, "ws", "out.md"));
    symlinkSync(root, join(root, "ws", "out"));
    symlinkSync("nowhere.md", join(root, "ws", "dangling.md"));
    const open = (memoryFile: string) => codeOf(openWorkspace({ root: join(root, "ws"), memoryFile }));
    for (const name of [
      "none.md",
      "empty",
      "MEMORY.md/below",
      "dangling.md",
      "memory/archive",
      "memory/archive/old.md",
      "a\0b",
    ]) {
      expect(await open(name), name).toBe("NotFound MEMORY_FILE_NOT_FOUND");
    }
    for (const name of ["../other.md", join(root, "other.md"), "out.md", "out", "out/other.md", ".."]) {
      expect(await open(name), name).toBe("InvalidInput OUTSIDE_WORKSPACE");
    }
  });

  it("that cannot be read as text is named, and no other takes its place", async () => {
    const root = newWorkspace({ "MEMORY.md": Uint8Array.of(0xff, 0xfe, 0x41, 0), "CLAUDE.md": "# A\n" });
    const workspace = await openWorkspace({ root });
    expect(workspace.memory).toEqual([]);
    expect(codesOf(workspace.unread)).toEqual(["MEMORY.md: NOT_TEXT"]);
    expect(await workspace.read("MEMORY.md")).toBeUndefined();
  });

  it("that is a folder is named too", async () => {
    const root = newWorkspace({ "MEMORY.md/x.md": "" });
    const { memory, unread } = await openWorkspace({ root });
    expect([memory, codesOf(unread)]).toEqual([[], ["MEMORY.md: UNREADABLE"]]);
  });
});

describe("reading anew", () => {
  it("gives the file as it is now, and only files of the workspace", async () => {
    const root = newWorkspace({ "MEMORY.md": "one\n", "memory/2031-02-03.md": "note\n", "secret.md": "x" });
    const { read } = await openWorkspace({ root });
    writeFileSync(join(root, "MEMORY.md"), "two\n");
    expect((await read("MEMORY.md"))?.lines[0]?.text).toBe("two");
    expect((await read("memory/2031-02-03.md"))?.file).toBe("memory/2031-02-03.md");
    for (const name of ["secret.md", "../x.md", "memory/../secret.md", "", "memory", "/etc/hostname"]) {
      expect(await read(name), name).toBeUndefined();
    }
  });

  it("gives nothing where it is gone, no text, a folder, or leads out by now", async () => {
    const root = newWorkspace({ "ws/MEMORY.md": "one\n", "other.md": "x" });
    const memory = join(root, "ws", "MEMORY.md");
    const { read } = await openWorkspace({ root: join(root, "ws") });
    writeFileSync(memory, Uint8Array.of(0));
    expect(await read("MEMORY.md")).toBeUndefined();
    renameSync(memory, join(root, "ws", "gone.md"));
    expect(await read("MEMORY.md")).toBeUndefined();
    symlinkSync(join(root, "other.md"), memory);
    expect(await read("MEMORY.md")).toBeUndefined();
    renameSync(memory, join(root, "ws", "link.md"));
    mkdirSync(memory);
    expect(await read("MEMORY.md")).toBeUndefined();
  });
});
