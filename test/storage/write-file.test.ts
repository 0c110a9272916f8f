import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { writeFileAtomic, writeFileExclusive } from "../../src/storage/files.ts";

const onPosix = it.skipIf(process.platform === "win32");
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "write-"));
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe("writeFileAtomic", () => {
  onPosix("creates for the owner only, replaces and keeps the mode", async () => {
    const path = join(folder, "a.json");
    await writeFileAtomic(path, "one");
    expect(await modeOf(path)).toBe(0o600);
    await chmod(path, 0o666);
    await writeFileAtomic(path, new TextEncoder().encode("two"));
    expect([await readFile(path, "utf8"), await modeOf(path)]).toEqual(["two", 0o666]);
    expect(await readdir(folder)).toEqual(["a.json"]);
  });

  onPosix("writes through links to the real file, beside it, and leaves the links", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "real-"));
    await writeFile(join(elsewhere, "real.md"), "old", { mode: 0o640 });
    await symlink(join(elsewhere, "real.md"), join(folder, "middle.md"));
    await symlink("middle.md", join(folder, "link.md"));
    await writeFileAtomic(join(folder, "link.md"), "new");
    expect((await lstat(join(folder, "link.md"))).isSymbolicLink()).toBe(true);
    expect(await readlink(join(folder, "link.md"))).toBe("middle.md");
    expect(await readFile(join(elsewhere, "real.md"), "utf8")).toBe("new");
    expect(await modeOf(join(elsewhere, "real.md"))).toBe(0o640);
    expect(await readdir(elsewhere)).toEqual(["real.md"]);
  });

  onPosix("follows a link to a file that does not exist yet, refuses a circle", async () => {
    await symlink("later.txt", join(folder, "link"));
    await writeFileAtomic(join(folder, "link"), "x");
    expect(await readFile(join(folder, "later.txt"), "utf8")).toBe("x");
    await symlink("b", join(folder, "a"));
    await symlink("a", join(folder, "b"));
    await expect(writeFileAtomic(join(folder, "a"), "x")).rejects.toMatchObject({ code: "ELOOP" });
  });

  it("leaves no temporary file when the rename or the content fails", async () => {
    await mkdir(join(folder, "taken"));
    await expect(writeFileAtomic(join(folder, "taken"), "x")).rejects.toThrow();
    const broken = (function* () {
      yield "x".repeat(3_000_000);
      throw new Error("broken source");
    })();
    await writeFile(join(folder, "kept"), "old");
    await expect(writeFileAtomic(join(folder, "kept"), broken)).rejects.toThrow("broken source");
    expect((await readdir(folder)).sort()).toEqual(["kept", "taken"]);
    expect(await readFile(join(folder, "kept"), "utf8")).toBe("old");
  });

  it("asks right before it replaces, and leaves all as it was where the answer is an error", async () => {
    const path = join(folder, "kept");
    await writeFile(path, "old");
    const confirm = async () => {
      expect([await readFile(path, "utf8"), (await readdir(folder)).length]).toEqual(["old", 2]);
      throw new Error("changed meanwhile");
    };
    await expect(writeFileAtomic(path, "new", { confirm })).rejects.toThrow("changed meanwhile");
    expect([await readFile(path, "utf8"), await readdir(folder)]).toEqual(["old", ["kept"]]);
    await writeFileAtomic(path, "new", { confirm: () => undefined });
    expect(await readFile(path, "utf8")).toBe("new");
  });

  it("is whole at any instant under parallel writers", async () => {
    const path = join(folder, "state");
    const texts = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(5_000));
    await Promise.all(texts.map((text) => writeFileAtomic(path, text)));
    expect(texts).toContain(await readFile(path, "utf8"));
    expect(await readdir(folder)).toEqual(["state"]);
  });
});

describe("writeFileExclusive", () => {
  it("lets one of many writers win, whole", async () => {
    const path = join(folder, "once");
    const writes = Array.from({ length: 20 }, (_, n) => writeFileExclusive(path, [`${n},`, "x".repeat(2_000_000)]));
    const settled = await Promise.allSettled(writes);
    const winners = settled.flatMap((result, n) => (result.status === "fulfilled" ? [n] : []));
    expect(winners).toHaveLength(1);
    expect(await readFile(path, "utf8")).toBe(`${winners[0]},${"x".repeat(2_000_000)}`);
    expect(settled.find((result) => result.status === "rejected")).toMatchObject({ reason: { code: "EEXIST" } });
    expect(await readdir(folder)).toEqual(["once"]);
  });

  onPosix("keeps to its mode and never writes through a link", async () => {
    await symlink(join(folder, "victim"), join(folder, "link"));
    await expect(writeFileExclusive(join(folder, "link"), "x")).rejects.toMatchObject({ code: "EEXIST" });
    await writeFileExclusive(join(folder, "shared"), "x", { mode: 0o644 });
    expect(await modeOf(join(folder, "shared"))).toBe(0o644);
    expect((await readdir(folder)).sort()).toEqual(["link", "shared"]);
  });
});
