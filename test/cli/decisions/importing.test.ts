// `decisions import`: files and folders of records, ADRs and issues into a log; what is left out is listed.
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { newFolder, snapshot } from "../command-line.ts";
import { decisions, json, reviewed, writeRecords } from "./decision-folder.ts";

function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const cwd = newFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  return cwd;
}

const ADR = `---
status: accepted
date: 2025-03-04
---
# Use queues between the parts

## Context and Problem Statement

Parts wait for each other.

## Decision Outcome

Chosen option: "queues", because they even out the load.
`;

const issue = (id: string, more: object = {}) =>
  `${JSON.stringify({ id, title: `Issue ${id}`, status: "closed", issue_type: "task", created_at: "2025-05-01T00:00:00Z", close_reason: "Done", ...more })}\n`;

const FILES = {
  "adr/0001-use-queues.md": ADR,
  "adr/README.md": "# Decisions\n\nHow we write them.\n",
  "adr/notes.txt": "no decision",
  "adr/.hidden/0002-secret.md": ADR,
  "issues.jsonl.gz": gzipSync(`${issue("bd-1")}${issue("bd-2")}{"id": "bd-3", "titl`),
};

describe("decisions import", () => {
  it("takes over what it is given, tells each thing it left out, and adds nothing the second time", async () => {
    const cwd = folderOf(FILES);
    writeRecords(join(cwd, "records"), [reviewed("aaaa0001", 50), reviewed("bbbb0001", 5, { date: "soon" })]);
    const words = ["import", "adr", "issues.jsonl.gz", "records", "--db", "log.db"];
    const before = snapshot(cwd);
    const first = await decisions(cwd, words);
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/Imported 5 files into log\.db\n.*left out\n\s+5\s+0\s+0\s+2\n/);
    expect(first.stdout).toContain("adr/README.md");
    expect(first.stdout).toMatch(/issues\.jsonl\.gz.*(ends|cut)/);
    expect(first.stdout).toContain("Taken, and shown in full whatever their age:\n  bbbb0001: ");
    expect(first.stdout).toContain("Files of other kinds, not looked into: 1 .txt");
    expect(first.stdout).toContain("log.db holds 5 decisions now:");
    expect(first.stdout).toContain("agent-compact decisions list --db log.db");
    const again = await json(cwd, words);
    expect(again).toMatchObject({
      log: "log.db",
      files: 5,
      added: 0,
      updated: 0,
      unchanged: 5,
      other_files: { ".txt": 1 },
    });
    expect(again.faults).toHaveLength(3);
    const { "log.db": _, ...after } = snapshot(cwd);
    expect(after).toEqual(before);
    expect((await decisions(cwd, [...words, "--quiet"])).stdout).toBe("");
  });

  it("fills a folder of records, that is read as a log then", async () => {
    const cwd = folderOf(FILES);
    await decisions(cwd, ["import", "adr", "--decisions", "log"]);
    const { decisions: served } = await json(cwd, ["list", "--decisions", "log"]);
    expect(served).toMatchObject([
      { decision: expect.stringContaining("Use queues between the parts"), status: "accepted" },
    ]);
  });

  it("reads what it is told to, whatever the name", async () => {
    const cwd = folderOf({ "export.txt": issue("bd-1"), "adr.txt": ADR });
    expect(await json(cwd, ["import", "export.txt", "--format", "issues", "--db", "a.db"])).toMatchObject({ added: 1 });
    expect(await json(cwd, ["import", "adr.txt", "--format", "madr", "--db", "b.db"])).toMatchObject({ added: 1 });
  });

  it("tells how far it is, on a terminal only", async () => {
    const cwd = folderOf({ "many.jsonl": Array.from({ length: 700 }, (_, index) => issue(`bd-${index}`)).join("") });
    const words = ["import", "many.jsonl", "--db", "log.db"];
    const { stderr } = await decisions(cwd, words, { isTerminal: true });
    expect(stderr).toContain("reading many.jsonl");
    expect(stderr).toContain("300 of 700 records written");
    expect((await decisions(cwd, words)).stderr).toBe("");
  });

  it("goes on past files of a folder that cannot be read, and follows no link", async () => {
    const cwd = folderOf({
      "adr/0001-use-queues.md": ADR,
      "adr/0002.md": Buffer.from([0x23, 0x20, 0, 1, 2]),
      "adr/0003.md": "",
    });
    symlinkSync(join(cwd, "adr"), join(cwd, "adr", "round"));
    const { added, faults } = await json(cwd, ["import", "adr", "--db", "log.db"]);
    expect(added).toBe(1);
    expect(faults.map(({ id, code }: { id: string; code: string }) => [id, code])).toEqual([
      [join("adr", "0002.md"), "UNREADABLE_FILE"],
      [join("adr", "0003.md"), "UNREADABLE_FILE"],
    ]);
  });

  it.each([
    [["import", "none.md"], "none.md does not exist."],
    [["import", "empty"], "empty holds no file of decisions."],
    [["import", "image.yaml"], "image.yaml is not text"],
    [["import", "words.md"], "words.md holds no decisions"],
    [["import", "adr", "--format", "xml"], "--format must be one of auto, cstp, madr, issues"],
    [["import"], "missing required argument 'files'"],
  ])("refuses %j before a log is made", async (words, message) => {
    const cwd = folderOf({ ...FILES, "image.yaml": Buffer.from([1, 0, 2]), "words.md": "Just words.\n" });
    mkdirSync(join(cwd, "empty"));
    const { code, stdout, stderr } = await decisions(cwd, [...words, "--db", "log.db"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3);
    expect(existsSync(join(cwd, "log.db"))).toBe(false);
  });

  it("says of an archive that it is to be unpacked, and what is read then", async () => {
    const tar = Buffer.alloc(1024);
    tar.write("decisions/0001.md", 0);
    tar.write("ustar", 257);
    const cwd = folderOf({
      "log.tar": tar,
      "log.tar.gz": gzipSync(tar),
      "log.zip": Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(60)]),
    });
    for (const [name, kind] of [
      ["log.tar", "tar"],
      ["log.tar.gz", "tar"],
      ["log.zip", "zip"],
    ]) {
      const { code, stderr } = await decisions(cwd, ["import", name ?? "", "--db", "log.db"]);
      expect(code).toBe(2);
      expect(stderr).toBe(
        `agent-compact: ${name} is an archive (${kind}).\n  Unpack it first, then give YAML records, Markdown ADRs or JSON Lines, plain or packed with gzip.\n`,
      );
    }
  });

  it("names a file that holds nothing once", async () => {
    const cwd = folderOf({
      "README.md": "# Decisions\n\nHow we write them.\n",
      "adr/README.md": "# Decisions\n\nHow.\n",
    });
    const { stderr } = await decisions(cwd, ["import", "README.md", "--db", "log.db"]);
    expect(stderr).toContain("README.md holds no decisions: it is a page about the records, not one of them.");
    expect(stderr.split("README.md")).toHaveLength(2);
    const folder = await decisions(cwd, ["import", "adr", "--db", "log.db"]);
    expect(folder.stderr).toContain("No decisions were found: adr/README.md is left out: it is a page");
  });

  it("of ADRs where the log would be asks for a place", async () => {
    const cwd = folderOf({ "decisions/0001-use-queues.md": ADR });
    const { code, stderr } = await decisions(cwd, ["import", "decisions"]);
    expect(code).toBe(2);
    const [, words = ""] = /agent-compact (decisions import decisions --db decisions\.db)/.exec(stderr) ?? [];
    expect((await decisions(cwd, words.split(" ").slice(1))).code).toBe(0);
    expect((await json(cwd, ["list", "--db", "decisions.db"])).levels.full).toBe(1);
  });
});

const corpus = process.env.AGENT_CORPUS;

describe.skipIf(corpus === undefined)("decisions import of the corpus", () => {
  it("takes over thousands of issues, twice", async () => {
    const cwd = newFolder();
    const folder = join(corpus ?? "", "decisions");
    const file = join(folder, readdirSync(folder).find((name) => name.endsWith(".jsonl.gz")) ?? "");
    const { added, unchanged, levels } = await json(cwd, ["import", file, "--db", "log.db"]);
    expect({ added, unchanged }).toEqual({ added: 2325, unchanged: 0 });
    expect(Object.values(levels as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(2325);
    expect(await json(cwd, ["import", file, "--db", "log.db"])).toMatchObject({ added: 0, unchanged: 2325 });
  });
});
