// Which files are notes, of which day, and in which order; with and without a pattern.
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../../../src/memory-files/workspace/open-workspace.ts";
import { verifies } from "../../requirements/verifies.ts";
import { codeOf, codesOf, type Files, newWorkspace, readAllNotes, toGbk } from "./workspace-folder.ts";

async function notesOf(files: Files, notesGlob?: string): Promise<readonly string[]> {
  const { notes } = await openWorkspace({ root: newWorkspace(files), notesGlob });
  return notes.map(({ file, date }) => `${file} ${date ?? "-"}`);
}

const blank = (...names: readonly string[]): Files => Object.fromEntries(names.map((name) => [name, ""]));

describe("daily notes", () => {
  it("are named after a day that exists, with or without more words", async () => {
    const real = ["2024-02-29.md", "2031-02-03-a b.md", "2031-02-03-会议.md", "2031-02-03.md", "2031-12-31-x.y.md"];
    const others = [
      "2026-13-45.md",
      "2031-02-30.md",
      "2031-02-29-slug.md",
      "2031-00-10.md",
      "2031-02-03",
      "2031-02-03.txt",
      "2031-02-03_a.md",
      "2031-02-03-.txt",
      "2031-2-3.md",
      "12031-02-03.md",
      "a-2031-02-03.md",
      ".2031-02-03.md",
      "2031-02-03.md.bak",
      "context.md",
    ];
    const found = await notesOf(blank(...[...real, ...others].map((name) => `memory/${name}`), "2031-01-01.md"));
    expect(found).toEqual(
      ["2024-02-29.md", "2031-02-03-a b.md", "2031-02-03-会议.md", "2031-02-03.md", "2031-12-31-x.y.md"].map(
        (name) => `memory/${name} ${name.slice(0, 10)}`,
      ),
    );
  });

  it("of other names are told, and how they are taken in", async () => {
    const files = blank("memory/2031-02-03.md", "memory/context.md", "memory/20310204.md", "memory/data.csv");
    const root = newWorkspace({ ...files, "MEMORY.md": "" });
    const { unread } = await openWorkspace({ root });
    expect(unread).toEqual([
      {
        file: "memory/*.md",
        code: "NO_DAY_IN_NAME",
        message: '2 named after no day: --notes-glob "memory/*.md" takes all in.',
      },
    ]);
    expect((await openWorkspace({ root, notesGlob: "memory/*.md" })).unread).toEqual([]);
    expect(
      (await openWorkspace({ root: newWorkspace({ "MEMORY.md": "@memory/context.md", ...files }) })).unread,
    ).toHaveLength(1);
  });

  it("do not stand in folders below, nor in the archive", async () => {
    const files = blank("memory/2031-02-03.md", "memory/archive/2031-02-02.md", "memory/2030/2030-01-01.md");
    expect(await notesOf(files)).toEqual(["memory/2031-02-03.md 2031-02-03"]);
  });

  it("are named where a folder has their name, and read on", async () => {
    const root = newWorkspace(blank("memory/2031-02-03.md/", "memory/2031-02-04.md"));
    const { notes, unread } = await openWorkspace({ root });
    expect(notes.map(({ file }) => file)).toEqual(["memory/2031-02-04.md"]);
    expect(unread).toEqual([{ file: "memory/2031-02-03.md", code: "UNREADABLE", message: "It is a folder." }]);
  });

  it("are none where memory is a file", async () => {
    const { notes, unread } = await openWorkspace({ root: newWorkspace({ "MEMORY.md": "", memory: "x" }) });
    expect([notes, codesOf(unread)]).toEqual([[], ["memory: UNREADABLE"]]);
  });

  it("by rule: the two forms of name with a real date, and never below the archive", async () => {
    verifies("rulings/daily-note-names");
    const files = blank(
      "memory/2031-02-03.md",
      "memory/2031-02-03-slug.md",
      "memory/2031-02-31.md",
      "memory/archive/2031-02-03.md",
      "memory/archive/2031-02/2031-02-04.md",
    );
    const expected = ["memory/2031-02-03-slug.md 2031-02-03", "memory/2031-02-03.md 2031-02-03"];
    expect(await notesOf(files)).toEqual(expected);
    expect(await notesOf(files, "memory/**/*.md")).toEqual([...expected, "memory/2031-02-31.md -"]);
  });
});

describe("notes of a pattern", () => {
  it("take the first real date of their name, else of the nearest folder, and stand last without one", async () => {
    const files = blank(
      "log/b 2031-13-01 2031-02-03.md",
      "log/2030-05-06--2030-05-09.md",
      "log/20300506.md",
      "log/alpha.md",
      "log/2031-02-04/standup.md",
      "log/2031-02-05/2031-02-03/x.md",
    );
    expect(await notesOf(files, "log/**/*.md")).toEqual([
      "log/2030-05-06--2030-05-09.md 2030-05-06",
      "log/2031-02-05/2031-02-03/x.md 2031-02-03",
      "log/b 2031-13-01 2031-02-03.md 2031-02-03",
      "log/2031-02-04/standup.md 2031-02-04",
      "log/20300506.md -",
      "log/alpha.md -",
    ]);
  });

  it("are looked for in dot folders, packages and the archive no more than elsewhere", async () => {
    const files = blank(
      "a.md",
      ".git/a.md",
      ".a.md",
      "node_modules/p/a.md",
      "memory/archive/a.md",
      "x/node_modules/a.md",
      "x/y/a.md",
    );
    expect(await notesOf(files, "**/*.md")).toEqual(["a.md -", "x/y/a.md -"]);
    expect(await notesOf(files, "memory/archive/*.md")).toEqual([]);
    expect(await notesOf(files, "memory/**")).toEqual([]);
  });

  it("are no memory and nothing that it takes in", async () => {
    const files = { "CLAUDE.md": "See @docs/style.md and @docs/none.md", "docs/style.md": "", "docs/other.md": "" };
    expect(await notesOf(files, "**/*.md")).toEqual(["docs/other.md -"]);
    const root = newWorkspace({ "MEMORY.md": Uint8Array.of(0), "a.md": "" });
    const { notes } = await openWorkspace({ root, notesGlob: "*.md" });
    expect(notes.map(({ file }) => file)).toEqual(["a.md"]);
  });

  it("may have several endings, letters to choose from, and any folder", async () => {
    const files = blank("n/a.md", "n/b.txt", "n/c.png", "deep/er/n/d.md");
    expect(await notesOf(files, "n/*.{md,txt}")).toEqual(["n/a.md -", "n/b.txt -"]);
    expect(await notesOf(files, "./n/[ab].*")).toEqual(["n/a.md -", "n/b.txt -"]);
    expect(await notesOf(files, "**/n/?.md")).toEqual(["deep/er/n/d.md -", "n/a.md -"]);
    expect(await notesOf(files, "n/a.md")).toEqual(["n/a.md -"]);
    expect(await notesOf(files, "none/*.md")).toEqual([]);
  });

  it("hold brackets and signs as names do", async () => {
    const files = blank("notes (old)/a+b.md", "notes (old)/!c.md", "notes/a.md");
    expect(await notesOf(files, "notes (old)/a+b.md")).toEqual(["notes (old)/a+b.md -"]);
    expect(await notesOf(files, "notes (old)/*.md")).toEqual(["notes (old)/!c.md -", "notes (old)/a+b.md -"]);
    expect(await notesOf(files, "!notes/a.md")).toEqual([]);
  });

  it("cannot be asked for outside, nor by what would take forever", async () => {
    const root = newWorkspace(blank(`${"a".repeat(60)}.md`));
    const open = (notesGlob: string) => codeOf(openWorkspace({ root, notesGlob }));
    for (const glob of ["../*.md", "/etc/*", "a/../../b"])
      expect(await open(glob)).toBe("InvalidInput OUTSIDE_WORKSPACE");
    for (const glob of ["", "  ", "a".repeat(501), "**/**/**/**/x", "*a*a*a*a*b"]) {
      expect(await open(glob)).toBe("InvalidInput INVALID_GLOB");
    }
    for (const glob of ["(a+)+b.md", "+(a|aa)b", "(a|a)(a|a)*", "{a,b", "[", "\\"])
      expect(await open(glob)).toBe("no error");
  });
});

describe("reading notes", () => {
  it("goes by day and name, one at a time, past what is no text", async () => {
    const root = newWorkspace({
      "memory/2031-02-04.md": "four\n",
      "memory/2031-02-03.md": "three\n",
      "memory/2031-02-05.md": Uint8Array.of(0, 1),
      "memory/2031-02-06.md": toGbk("记忆系统\n"),
      "memory/2031-02-07.md": "",
    });
    const workspace = await openWorkspace({ root });
    expect(workspace.unread).toEqual([]);
    const { notes, unread } = await readAllNotes(workspace);
    expect(notes.map(({ date, encoding, lines }) => [date, encoding, lines[0]?.text])).toEqual([
      ["2031-02-03", "utf-8", "three"],
      ["2031-02-04", "utf-8", "four"],
      ["2031-02-06", "gbk", "记忆系统"],
      ["2031-02-07", "utf-8", undefined],
    ]);
    expect(codesOf(unread)).toEqual(["memory/2031-02-05.md: NOT_TEXT"]);
    expect(workspace.notes.map(({ size }) => size)).toEqual([6, 5, 2, 9, 0]);
  });

  it("fetches a few of them in advance, not all", async () => {
    const days = Array.from({ length: 28 }, (_, day) => `memory/2031-02-${String(day + 1).padStart(2, "0")}.md`);
    const root = newWorkspace(Object.fromEntries(days.map((day) => [day, "old\n"])));
    const read: (string | undefined)[] = [];
    for await (const note of (await openWorkspace({ root })).readNotes(() => undefined)) {
      if (read.length === 0) writeFileSync(join(root, days.at(-1) ?? ""), "new\n");
      read.push(note.lines[0]?.text);
    }
    expect(read).toEqual([...Array.from({ length: 27 }, () => "old"), "new"]);
  });

  it("reads the file that has the name by then, and none outside", async () => {
    const days = Array.from({ length: 28 }, (_, day) => `memory/2031-02-${String(day + 1).padStart(2, "0")}.md`);
    const root = newWorkspace(Object.fromEntries(days.map((day) => [day, "old\n"])));
    const outside = newWorkspace({ "secret.md": "secret\n" });
    const [replaced = "", linked = "", gone = ""] = days.slice(-3).map((day) => join(root, day));
    const read: (string | undefined)[] = [];
    const unread: string[] = [];
    for await (const note of (await openWorkspace({ root })).readNotes(({ code }) => unread.push(code))) {
      if (read.length === 0) {
        writeFileSync(`${replaced}.new`, "new\n");
        renameSync(`${replaced}.new`, replaced);
        rmSync(linked);
        symlinkSync(join(outside, "secret.md"), linked);
        rmSync(gone);
      }
      read.push(note.lines[0]?.text);
    }
    expect(read).toEqual([...Array.from({ length: 25 }, () => "old"), "new"]);
    expect(unread).toEqual(["OUTSIDE_WORKSPACE", "UNREADABLE"]);
  });
});
