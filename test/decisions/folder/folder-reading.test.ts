// A folder of decision files: what is read of it, and what is told of the rest.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { faultsIn, folderOf, idsIn, openLog, putFiles, yamlOf } from "./sample-folder.ts";

describe("reading a folder", () => {
  it("takes every .yaml and .yml below it, and nothing else", async () => {
    const outside = folderOf({ "out.yaml": yamlOf("out") });
    const root = folderOf({
      "2031/01/2031-01-02-decision-a.yaml": yamlOf("a"),
      "b.yml": yamlOf("b"),
      "deep/er/C.YAML": yamlOf("c"),
      "README.md": "# no: record",
      "x.yaml.bak": yamlOf("x"),
      ".git/d.yaml": yamlOf("d"),
      ".hidden.yaml": yamlOf("e"),
      ".agent-compact/f.yaml": yamlOf("f"),
    });
    symlinkSync(outside, join(root, "linked"));
    symlinkSync(join(outside, "out.yaml"), join(root, "out.yaml"));
    symlinkSync(root, join(root, "deep", "loop"));
    execFileSync("mkfifo", [join(root, "pipe.yaml")]);
    const log = openLog(root);
    expect(await idsIn(log)).toEqual(["a", "b", "c"]);
    expect(await faultsIn(log)).toEqual([]);
  });

  it("tells what is no record, and serves the rest", async () => {
    const root = folderOf({
      "good.yaml": yamlOf("good"),
      "empty.yaml": "",
      "blank.yaml": "\n# nothing\n",
      "list.yaml": "- a\n- b\n",
      "half.yaml": 'id: h\ndecision: "never end',
      "latin.yaml": Buffer.from("id: l\ndecision: caf\xe9\n", "latin1"),
      "utf16.yaml": Buffer.from("\ufeffid: u\ndecision: x\n", "utf16le"),
      "large.yaml": yamlOf("large", `context: ${"x".repeat(4_000_000)}\n`),
      "bomb.yaml": `${yamlOf("bomb")}a: &a [x, x, x, x, x, x, x, x, x]\n${"abcdefgh"
        .split("")
        .map((_, index, all) =>
          index === 0 ? "" : `${all[index]}: &${all[index]} [${Array(9).fill(`*${all[index - 1]}`)}]\n`,
        )
        .join("")}`,
      "deep.yaml": `${yamlOf("deep")}context: ${"[".repeat(100_000)}\n`,
      "two.yaml": `${yamlOf("two")}---\n${yamlOf("three")}`,
      "noid.yaml": "decision: Choose\n",
      "notext.yaml": "id: notext\n",
      "sub/copy.yaml": yamlOf("good"),
      "soon.yaml": "id: soon\ndecision: Choose\ndate: soon\n",
    });
    const log = openLog(root);
    expect(await idsIn(log)).toEqual(["good", "soon"]);
    expect(await faultsIn(log)).toEqual([
      "UNREADABLE_RECORD blank.yaml",
      "UNREADABLE_RECORD bomb.yaml",
      "UNREADABLE_RECORD deep.yaml",
      "UNREADABLE_RECORD empty.yaml",
      "DUPLICATE_ID good",
      "UNREADABLE_RECORD half.yaml",
      "UNREADABLE_RECORD large.yaml",
      "UNREADABLE_RECORD latin.yaml",
      "UNREADABLE_RECORD list.yaml",
      "UNREADABLE_RECORD noid.yaml",
      "UNREADABLE_RECORD notext",
      "UNREADABLE_DATE soon",
      "UNREADABLE_RECORD two.yaml",
      "UNREADABLE_RECORD utf16.yaml",
    ]);
    const { faults } = await log.read((reader) => reader.faults(100));
    expect(faults.find(({ code }) => code === "DUPLICATE_ID")?.message).toContain("sub/copy.yaml");
    expect(JSON.stringify(faults)).not.toMatch(/never end|Choose/);
    rmSync(join(root, "good.yaml"));
    expect(await idsIn(log)).toEqual(["good", "soon"]);
  });

  it("reads a file with thousands of keys, or with the same key often, in little time", {
    timeout: 60_000,
  }, async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join("");
    const log = openLog(folderOf({ "a.yaml": yamlOf("a", keys), "b.yaml": yamlOf("b", "x: 1\n".repeat(20_000)) }));
    expect(await idsIn(log)).toEqual(["a", "b"]);
  });

  it("dates a record by the name of its file where it has no date itself", async () => {
    const root = folderOf({
      "2031/02/2031-02-03-decision-a.yaml": "id: a\ndecision: A\n",
      "2031-02-30-b.yaml": "id: b\ndecision: B\n",
      "2031/02/c.yaml": "id: c\ndecision: C\n",
      "2031-02-03-d.yaml": "id: d\ndecision: D\ncreated_at: 2031-03-04\n",
    });
    const found = await openLog(root).read((reader) => reader.decisions(["a", "b", "c", "d"]));
    expect(found.map(({ date }) => date)).toEqual(["2031-02-03", "2031-02-30", "", "2031-03-04"]);
    expect(found[0]?.decidedAt).toBe(Date.UTC(2031, 1, 3));
    expect(found[1]?.decidedAt).toBeUndefined();
  });

  it("keeps ids that look like numbers, and dates as texts", async () => {
    const root = folderOf({
      "a.yaml": "id: 1234e567\ndecision: A\ndate: 2031-02-03\nsupersedes: [01234568]\n",
      "b.yaml": "id: 01234568\ndecision: B\ndate: 2031-02-03 04:05:06\n",
      "c.yaml": "id: 12345678\ndecision: C\nrelated_to:\n- id: 1e5\n  type: supersedes\n",
    });
    const log = openLog(root);
    expect(await idsIn(log)).toEqual(["01234568", "12345678", "1234e567"]);
    const [a, b, c] = await log.read((reader) => reader.decisions(["1234e567", "01234568", "12345678"]));
    expect(a?.raw.date).toBe("2031-02-03");
    expect(b).toMatchObject({ supersededBy: "1234e567", decidedAt: Date.UTC(2031, 1, 3, 4, 5, 6) });
    expect(c?.supersedes).toEqual(["1e5"]);
  });

  it("says that there is no folder, and that it is a file", async () => {
    const root = folderOf({ "a.yaml": yamlOf("a") });
    const missing = openLog(join(root, "none"));
    await expect(missing.read(async () => 1)).rejects.toMatchObject({ kind: "NotFound", code: "NO_FOLDER" });
    await expect(missing.write(async () => 1)).rejects.toMatchObject({ kind: "NotFound", code: "NO_FOLDER" });
    expect(existsSync(join(root, "none"))).toBe(false);
    const file = openLog(join(root, "a.yaml"));
    await expect(file.read(async () => 1)).rejects.toMatchObject({ kind: "InvalidInput", code: "NOT_A_FOLDER" });
    await expect(file.write(async () => 1)).rejects.toMatchObject({ kind: "InvalidInput", code: "NOT_A_FOLDER" });
  });

  it("writes nothing", async () => {
    const root = folderOf({ "a.yaml": yamlOf("a") });
    chmodSync(root, 0o555);
    expect(await idsIn(openLog(root))).toEqual(["a"]);
    expect(existsSync(join(root, ".agent-compact"))).toBe(false);
    chmodSync(root, 0o755);
  });

  it("sees at the next read what others changed, even where size and time are as before", async () => {
    const root = folderOf({ "a.yaml": yamlOf("a", "tags: [one]\n"), "b.yaml": yamlOf("b") });
    const log = openLog(root);
    const tags = () => log.read(async (reader) => (await reader.decisions(["a"]))[0]?.tags[0]);
    expect(await tags()).toBe("one");
    for (const tag of ["two", "six", "ten"]) {
      writeFileSync(join(root, "a.yaml"), yamlOf("a", `tags: [${tag}]\n`));
      expect(await tags()).toBe(tag);
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await tags()).toBe("ten");
    const { atime, mtime } = statSync(join(root, "a.yaml"));
    writeFileSync(join(root, "a.yaml"), yamlOf("a", "tags: [old]\n"));
    utimesSync(join(root, "a.yaml"), atime, mtime);
    expect(await tags()).toBe("old");
    rmSync(join(root, "b.yaml"));
    putFiles(root, { "new/c.yaml": yamlOf("c") });
    expect(await idsIn(log)).toEqual(["a", "c"]);
  });
});
