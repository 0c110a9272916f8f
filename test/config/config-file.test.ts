// Which file is found, and what a file may be: text of a sensible size, YAML or JSON, shallow.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findConfigFile } from "../../src/config/config-file.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { configFile, failureOf, newFolder } from "./config-folder.ts";

function folderBelow(root: string, ...names: readonly string[]): string {
  const folder = join(root, ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

describe("the search", () => {
  it("takes the nearest file from the working directory upward", async () => {
    const root = newFolder();
    const inner = folderBelow(root, "a", "b");
    const upper = configFile("model: gpt-4o\n", "compact.yml", root);
    expect((await findConfigFile(inner, undefined)).file).toBe(upper);
    const nearer = configFile("{}", "compact.json", join(root, "a"));
    expect((await findConfigFile(inner, undefined)).file).toBe(nearer);
    expect(await findConfigFile(inner, undefined)).toMatchObject({ searched: [inner, join(root, "a")] });
  });

  it.each(["compact.yaml", "compact.yml", "compact.json"])("knows %s", async (name) => {
    const file = configFile("{}", name);
    expect((await findConfigFile(dirname(file), undefined)).file).toBe(file);
  });

  it("stops at a repository's root and at the home folder, both included", async () => {
    const root = newFolder();
    const repository = folderBelow(root, "repository");
    const inner = folderBelow(repository, "src");
    configFile("model: gpt-4o\n", "compact.yaml", root);
    expect((await findConfigFile(inner, repository)).file).toBeUndefined();
    expect((await findConfigFile(inner, undefined)).file).toBe(join(root, "compact.yaml"));
    // A file, as in a work tree of git.
    writeFileSync(join(repository, ".git"), "gitdir: elsewhere\n");
    expect(await findConfigFile(inner, undefined)).toEqual({ file: undefined, searched: [inner, repository] });
    const own = configFile("{}", "compact.yaml", repository);
    expect((await findConfigFile(inner, undefined)).file).toBe(own);
  });

  it("passes over a folder that everybody may write to, unless one stands in it", async () => {
    const open = folderBelow(newFolder(), "open");
    const inner = folderBelow(open, "mine");
    const planted = configFile("summarizer: {}\n", "compact.yaml", open);
    chmodSync(open, 0o777);
    expect((await findConfigFile(inner, open)).file).toBeUndefined();
    expect((await findConfigFile(open, open)).file).toBe(planted);
  });

  it("refuses two in one folder by both names, but takes the one that is named", async () => {
    const folder = newFolder();
    const file = configFile("model: gpt-4o\n", "compact.yaml", folder);
    configFile("{}", "compact.json", folder);
    expect(await failureOf(findConfigFile(folder, undefined))).toMatch(/compact\.yaml and compact\.json/);
    expect((await loadConfig({ file, cwd: folder, env: {} })).config.model).toBe("gpt-4o");
  });

  it("does not take a folder of that name, and says that a link leads nowhere", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "compact.yaml"));
    expect((await findConfigFile(folder, folder)).file).toBeUndefined();
    symlinkSync(join(folder, "gone"), join(folder, "compact.yml"));
    expect(await failureOf(loadConfig({ cwd: folder, env: {} }))).toMatch(
      /compact\.yml cannot be read: it does not exist/,
    );
  });

  it("prefers the file that is named, and names a found one from the working directory", async () => {
    const root = newFolder();
    const inner = folderBelow(root, "inner");
    configFile("model: gpt-4o\n", "compact.yaml", root);
    configFile("model: gpt-4.1\n", "other.yaml", root);
    expect((await loadConfig({ cwd: inner, file: "../other.yaml", env: {} })).config.model).toBe("gpt-4.1");
    expect(await loadConfig({ cwd: inner, env: {} })).toMatchObject({
      file: join("..", "compact.yaml"),
      config: { model: "gpt-4o" },
    });
    expect((await loadConfig({ env: {} })).file).toBeUndefined();
  });
});

/** Nine aliases of nine aliases of ... */
function aliasBomb(): string {
  const names = "abcdefghi".split("");
  const lines = names.map((name, index) => {
    const before = names[index - 1];
    const item = before === undefined ? "x" : `*${before}`;
    return `${name}: &${name} [${Array(9).fill(item).join(", ")}]`;
  });
  return `${lines.join("\n")}\n`;
}

describe("a file", () => {
  const failure = (content: string | Uint8Array, name?: string) =>
    failureOf(loadConfig({ file: configFile(content, name), env: {} }));

  it.each([
    ["an unclosed list", "policy: [unclosed\n", /compact\.yaml:2:1: not valid YAML/],
    ["a duplicate key", "policy:\n  strategy: brief\n  strategy: brief\n", /:3:3: .*stands here a second time/],
    ["a duplicate key of JSON", '{"model": "a",\n "model": "b"}', /:2:2: .*stands here a second time/],
    ["tabs", "policy:\n\ttrigger_pct: 0.9\n", /:2:1: .*tabs cannot indent YAML/],
    ["two documents", "model: a\n---\nmodel: b\n", /:2:1: .*second document/],
    ["a tag", "model: !!python/object x\n", /:1:8: .*tags/],
    ["an alias of nothing", "model: *nowhere\n", /not valid YAML: Unresolved alias/],
    ["aliases of aliases", aliasBomb(), /not valid YAML: Excessive alias count/],
    ["deep brackets", "[".repeat(200_000), /nested too deeply/],
    ["deep braces", "{a: ".repeat(200_000), /nested too deeply/],
    ["deep dashes", "- ".repeat(200_000), /nested too deeply/],
    ["a list", "- a list\n", /must hold keys and values/],
    ["a text", "just words\n", /must hold keys and values/],
    ["NUL", "model: a\u0000b\n", /holds NUL bytes/],
    ["UTF-16", Buffer.from("\ufeffmodel: a\n", "utf16le"), /is UTF-16 text; it must be UTF-8/],
    ["broken UTF-8", Buffer.from([0x6d, 0x3a, 0x20, 0xc3, 0x28]), /is not valid UTF-8/],
    ["more than a megabyte", `# ${"x".repeat(1_000_000)}\n`, /is larger than 1 MB/],
  ])("is refused with its place: %s", async (_kind, content, expected) => {
    expect(await failure(content)).toMatch(expected);
  });

  it("may begin with a byte order mark, end lines as Windows does, and use an anchor", async () => {
    const content = "\ufeffmodel: gpt-4o\r\npolicy: &p\r\n  trigger_pct: 0.5\r\nmodels: {gpt-4o: {policy: *p}}\r\n";
    const { config } = await loadConfig({ file: configFile(content), env: {} });
    expect(config).toEqual({
      model: "gpt-4o",
      policy: { triggerPct: 0.5 },
      models: { "gpt-4o": { policy: { triggerPct: 0.5 } } },
    });
  });

  it("must be there, be a file and be readable", async () => {
    expect(await failureOf(loadConfig({ file: "/no/such/file.yaml", env: {} }))).toMatch(
      /file\.yaml cannot be read: it does not exist/,
    );
    expect(await failureOf(loadConfig({ file: newFolder(), env: {} }))).toMatch(/is a directory; name the file in it/);
    expect(await failureOf(loadConfig({ file: join(configFile("{}"), "x.yaml"), env: {} }))).toMatch(/cannot be read/);
  });

  it.skipIf(process.platform === "win32")("ends even when it has no end", async () => {
    expect(await failureOf(loadConfig({ file: "/dev/zero", env: {} }))).toMatch(/larger than 1 MB/);
    expect((await loadConfig({ file: "/dev/null", env: {} })).config).toEqual({});
  });
});
