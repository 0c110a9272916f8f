// Files that a memory takes in with `@path`: which words are one, where they lead, and that circles end.
import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "../../../src/memory-files/workspace/open-workspace.ts";
import { codesOf, type Files, newWorkspace } from "./workspace-folder.ts";

async function importsOf(memory: string, files: Files = {}) {
  const root = newWorkspace({ "CLAUDE.md": memory, ...files });
  const { imported, unread } = await openWorkspace({ root });
  return { imported: imported.map(({ file }) => file), unread: codesOf(unread) };
}

const DOCS = {
  "docs/a.md": "",
  "docs/b.txt": "",
  "docs/c d.md": "",
  README: "",
  "package.json": "{}",
  "docs/规范.md": "",
};

describe("what is taken in", () => {
  it("is named in prose, lists, quotes, tables and headings", async () => {
    for (const line of [
      "@docs/a.md",
      "See @docs/a.md, please.",
      "- see @./docs/a.md",
      "> @docs/a.md",
      "# About @docs/a.md",
      "| a | b |\n|---|---|\n| @docs/a.md | x |",
      "a **bold** @docs/a.md**",
      "@docs/a.md#section",
      "参见 @docs/a.md。然后",
      "line\n@docs/a.md\nline",
      "@docs/../docs/a.md",
    ]) {
      expect(await importsOf(`${line}\n`, DOCS), line).toEqual({ imported: ["docs/a.md"], unread: [] });
    }
  });

  it("may be other text, have blanks, or no ending", async () => {
    const { imported, unread } = await importsOf("@docs/b.txt @docs/c\\ d.md @README @docs/规范.md\n", DOCS);
    expect(imported).toEqual(["docs/b.txt", "docs/c d.md", "README", "docs/规范.md"]);
    expect(unread).toEqual([]);
  });

  it("is not in code, comments and front matter", async () => {
    for (const text of [
      "`@docs/a.md`",
      "`` a ` @docs/a.md ``",
      "`two\n@docs/a.md lines`",
      "```\n@docs/a.md\n```",
      "~~~md\n@docs/a.md",
      "text\n\n    @docs/a.md",
      "<!-- @docs/a.md -->",
      "---\nsee: @docs/a.md\n---",
    ]) {
      expect(await importsOf(`${text}\n`, DOCS), text).toEqual({ imported: [], unread: [] });
    }
  });

  it("stands behind backticks that close nothing", async () => {
    const { imported } = await importsOf("a ` b @docs/a.md `` c\n\n`x` @docs/b.txt `y`\n", DOCS);
    expect(imported).toEqual(["docs/a.md", "docs/b.txt"]);
  });

  it("is no address, person, package, code or folder", async () => {
    const text =
      "me@docs/a.md @mia @types/node @vue/core @package.json @src/main.ts @docs @@docs/a.md @(docs/a.md @/components @ x\n";
    expect(await importsOf(text, DOCS)).toEqual({ imported: [], unread: [] });
  });

  it("is named where it is missing and was meant as a file", async () => {
    const { imported, unread } = await importsOf("@docs/none.md and @none.txt, @nobody, @none.json\n", DOCS);
    expect([imported, unread]).toEqual([[], ["docs/none.md: UNREADABLE", "none.txt: UNREADABLE"]]);
  });

  it("is named where it is outside, and never looked at", async () => {
    const text = "@~/notes.md @~/.claude/all @/etc/notes.md @../up.md @docs/../../up.md @../up.md @../package.json\n";
    const { imported, unread } = await importsOf(text, DOCS);
    expect(imported).toEqual([]);
    expect(unread).toEqual(
      ["~/notes.md", "~/.claude/all", "/etc/notes.md", "../up.md", "docs/../../up.md"].map(
        (file) => `${file}: OUTSIDE_WORKSPACE`,
      ),
    );
    expect(JSON.stringify(unread)).not.toContain(homedir());
  });

  it("may be written as an absolute path that is inside", async () => {
    const root = newWorkspace(DOCS);
    writeFileSync(join(root, "CLAUDE.md"), `@${join(root, "docs", "a.md")}\n`);
    const { imported } = await openWorkspace({ root });
    expect(imported.map(({ file }) => file)).toEqual(["docs/a.md"]);
  });

  it("is named where it is no text", async () => {
    const { imported, unread } = await importsOf("@a.md\n", { "a.md": Uint8Array.of(0) });
    expect([imported, unread]).toEqual([[], ["a.md: NOT_TEXT"]]);
  });
});

describe("files that are taken in", () => {
  it("take in others, relative to themselves, each followed by its own", async () => {
    const { imported } = await importsOf("@docs/one.md @last.md\n", {
      "docs/one.md": "@two.md @../top.md\n",
      "docs/two.md": "@sub/three.md\n",
      "docs/sub/three.md": "",
      "top.md": "",
      "last.md": "",
    });
    expect(imported).toEqual(["docs/one.md", "docs/two.md", "docs/sub/three.md", "top.md", "last.md"]);
  });

  it("may go in circles, and are taken in once", async () => {
    const { imported, unread } = await importsOf("@CLAUDE.md @a.md @a.md\n", {
      "a.md": "@b.md @a.md\n",
      "b.md": "@a.md @CLAUDE.md @./b.md\n",
    });
    expect([imported, unread]).toEqual([["a.md", "b.md"], []]);
  });

  it("are followed five deep", async () => {
    const chain = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`f${at}.md`, `@f${at + 1}.md\n`]));
    expect((await importsOf("@f0.md\n", chain)).imported).toEqual(["f0.md", "f1.md", "f2.md", "f3.md", "f4.md"]);
  });

  it("belong to every file of a memory bank, and are no notes", async () => {
    const root = newWorkspace({
      "memory-bank/a.md": "@../common.md\n",
      "memory-bank/b.md": "@../common.md @a.md\n",
      "common.md": "",
      "memory/2031-02-03.md": "",
    });
    const workspace = await openWorkspace({ root });
    expect(workspace.memory.map(({ file }) => file)).toEqual(["memory-bank/a.md", "memory-bank/b.md"]);
    expect(workspace.imported.map(({ file }) => file)).toEqual(["common.md"]);
    const daily = await openWorkspace({
      root: newWorkspace({ "CLAUDE.md": "@memory/2031-02-03.md\n", "memory/2031-02-03.md": "" }),
    });
    expect([daily.imported.length, daily.notes]).toEqual([1, []]);
  });

  it("of a long hostile line are found in no time", async () => {
    const text = `${"@a ".repeat(20_000)}\n${"`".repeat(50_000)}\n${"` `` ".repeat(20_000)}\n@${"x".repeat(200_000)}\n`;
    expect(await importsOf(text)).toEqual({ imported: [], unread: [] });
  });
});
