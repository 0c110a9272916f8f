// `observations import`: files that cannot be used, several files at once, and what a person sees meanwhile.
import { existsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { findDriver } from "../../src/storage/sqlite/open-database.ts";
import { call, newFolder } from "./command-line.ts";

const TIME = "2026-01-02 03:04:05";
const note = (content: string, more: object = {}) => ({ content, title: content, created_at: TIME, ...more });
const noteLines = (...contents: readonly string[]) =>
  contents.map((content) => `${JSON.stringify(note(content))}\n`).join("");

function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const cwd = newFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return cwd;
}

const importing = (cwd: string, ...words: readonly string[]) =>
  call(["observations", "import", ...words, "--db", "m.db"], { cwd });

async function storedTitles(cwd: string): Promise<readonly string[]> {
  const { stdout } = await call(["observations", "export", "--db", "m.db"], { cwd });
  const { observations } = JSON.parse(stdout) as { readonly observations: readonly { readonly title: string }[] };
  return observations.map(({ title }) => title);
}

const EXPORT = `{"version":"0.1.0",
"observations":[
${JSON.stringify(note("one", { id: 1 }))},
${JSON.stringify(note("tw\u00f6", { id: 2 }))}],
"prompts":[]}`;

describe("observations import refuses", () => {
  it.each([
    ["a row a line", EXPORT.slice(0, EXPORT.indexOf('"id":2'))],
    ["packed", gzipSync(EXPORT.slice(0, EXPORT.indexOf('"id":2')))],
    ["with a mark", Buffer.from(`\ufeff${EXPORT.slice(0, EXPORT.indexOf('"id":2'))}`)],
  ])("an export that is cut off, by line and byte: %s", async (kind, content) => {
    const cwd = folderWith({ "all.json": content });
    const { code, stdout, stderr } = await importing(cwd, "all.json");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const size = Buffer.byteLength(EXPORT.slice(0, EXPORT.indexOf('"id":2'))) + (kind === "with a mark" ? 3 : 0);
    expect(stderr).toContain(`all.json is cut off: it ends in line 4, at byte ${size}, in the middle of an object.`);
    expect(stderr).toContain("its end is missing");
    expect(existsSync(join(cwd, "m.db"))).toBe(false);
  });

  it.each([
    ["empty", "", "notes.json is empty."],
    ["empty after unpacking", gzipSync(""), "notes.json is empty after unpacking."],
    ["white space", " \n\t ", "notes.json holds only white space."],
    ["words", "just words", "notes.json holds no memories in a known format."],
  ])("what holds no memories, with what would: %s", async (_kind, content, message) => {
    const { code, stderr } = await importing(folderWith({ "notes.json": content }), "notes.json");
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain("Give an export of a memory store");
    expect(stderr).not.toContain("conversation");
  });

  it("a file that is too large, with a way to split it", async () => {
    const cwd = folderWith({ "large.json": "" });
    truncateSync(join(cwd, "large.json"), 600 * 1024 * 1024);
    expect(statSync(join(cwd, "large.json")).size).toBeGreaterThan(512 * 1024 * 1024);
    const { code, stderr } = await importing(cwd, "large.json");
    expect(code).toBe(2);
    expect(stderr).toContain("large.json is larger than");
    expect(stderr).toContain("one project a file");
    expect(stderr).not.toContain("session");
  });
});

describe("observations import of several files", () => {
  it("writes none of them when one cannot be read", async () => {
    const cwd = folderWith({ "a.jsonl": noteLines("a"), "b.json": EXPORT.slice(0, 90), "c.jsonl": noteLines("c") });
    const { code, stdout, stderr } = await importing(cwd, "a.jsonl", "b.json", "c.jsonl");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("b.json is cut off");
    expect(existsSync(join(cwd, "m.db"))).toBe(false);
  });

  it("names those that are imported when the writing of one fails", async () => {
    const cwd = folderWith({ "a.jsonl": noteLines("a"), "b.jsonl": noteLines("b", "full"), "c.jsonl": noteLines("c") });
    await importing(cwd, "a.jsonl");
    const database = (await findDriver()).open(join(cwd, "m.db"));
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON observations WHEN new.title = 'full' BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    database.close();
    const { code, stdout, stderr } = await importing(cwd, "a.jsonl", "c.jsonl", "b.jsonl");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("Importing b.jsonl failed:");
    expect(stderr).toContain("Imported before: a.jsonl (0 added, 0 updated), c.jsonl (1 added, 0 updated).");
    expect(stderr).toContain("run the same command again");
    expect(await storedTitles(cwd)).toEqual(["a", "c"]);
    const alone = await importing(cwd, "b.jsonl", "a.jsonl");
    expect(alone.stderr).not.toContain("Imported before");
  });
});

describe("observations import tells", () => {
  it("how far it is, on a terminal only", async () => {
    const cwd = folderWith({ "many.jsonl": noteLines(...Array.from({ length: 12_000 }, (_, index) => `n ${index}`)) });
    const words = ["observations", "import", "many.jsonl", "--db", "m.db"];
    const { code, stderr } = await call(words, { cwd, isTerminal: true });
    expect(code).toBe(0);
    const told = [...stderr.matchAll(/importing many\.jsonl: ([\d,]+) of 12,000 rows/g)].map(([, rows]) => rows);
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(told.length).toBeLessThan(6);
    expect((await call(words, { cwd })).stderr).toBe("");
    expect((await call([...words, "--quiet"], { cwd, isTerminal: true })).stderr).toBe("");
  });

  it("fields of a wrong type, and missing times only of what it adds", async () => {
    const cwd = folderWith({ "n.json": JSON.stringify([{ content: "undated", title: 5 }]) });
    const first = await importing(cwd, "n.json");
    expect(first.stdout).toContain("Note: field of a wrong type: title: 1 (item 1)");
    expect(first.stdout).toContain("the time of the import is taken: 1 (item 1)");
    const again = await importing(cwd, "n.json");
    expect(again.stdout).not.toContain("the time of the import");
  });
});

describe("observations import of what looks like a secret", () => {
  const key = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"}`;
  const stored = async (cwd: string) => (await call(["observations", "export", "--db", "m.db"], { cwd })).stdout;

  it("warns, and leaves it out with --redact, twice without adding anything", async () => {
    const cwd = folderWith({ "a.jsonl": noteLines("plain", `token ${key}`) });
    const plain = await importing(cwd, "a.jsonl", "--redact");
    expect(plain.stderr).not.toContain("secret");
    expect(await stored(cwd)).toContain("token <REDACTED>");
    const again = await importing(cwd, "a.jsonl", "--redact", "--json");
    expect(JSON.parse(again.stdout).files[0]).toMatchObject({ added: 0, unchanged: 2 });
    expect(await stored(cwd)).not.toContain(key);
    const warned = await importing(cwd, "a.jsonl");
    expect(warned.stderr).toContain("a.jsonl: 1 rows hold what looks like a secret; --redact leaves it out");
    expect(warned.stdout + warned.stderr).not.toContain(key);
  });
});
