// `archive erase`, `repair` and `repack`, on a folder that real compactions filled.
import { existsSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFsArchive } from "../../src/archive/archives.ts";
import { CompactManager } from "../../src/index.ts";
import { turns, user } from "../conversation/support.ts";
import { call } from "./command-line.ts";

async function compacted() {
  const cwd = mkdtempSync(join(tmpdir(), "upkeep-"));
  const path = join(cwd, ".compact", "archive");
  const manager = new CompactManager({ archive: { path } });
  for (const id of ["one", "two"]) await manager.manualCompact(id, [...turns(12), user("go on")]);
  await manager.close();
  return { cwd, path };
}

describe("archive erase", () => {
  it("shows first, erases all of the session when told to, and notes it", async () => {
    const { cwd, path } = await compacted();
    const shown = await call(["archive", "erase", "one"], { cwd });
    expect(shown.stdout).toMatch(
      /^Session one would be erased: 1 step, .*\. Nothing has been erased\.\n.*one --apply\n$/,
    );
    expect(existsSync(join(path, "one"))).toBe(true);
    const { code, stdout } = await call(["archive", "erase", "one", "--apply"], { cwd });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Session one is erased: 1 step/),
    });
    expect(existsSync(join(path, "one"))).toBe(false);
    expect(readFileSync(join(path, "catalog.jsonl"), "utf8")).not.toContain('"one"');
    const line = JSON.parse(readFileSync(join(path, "erased.jsonl"), "utf8")) as object;
    expect(line).toMatchObject({ session_id: "one", steps: 1, at: expect.any(String) });
    expect((await call(["archive", "erase", "one"], { cwd })).code).toBe(2);
    expect((await call(["archive", "verify"], { cwd })).stdout).toMatch(/^All is well: 1 session/);
  });
});

describe("archive repair and repack", () => {
  it("makes a state that was cut anew, which verify names", async () => {
    const { cwd, path } = await compacted();
    const before = await createFsArchive({ path }).readState("two");
    writeFileSync(join(path, "two", "state.json"), '{"version": 1, "st');
    const verified = await call(["archive", "verify"], { cwd });
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain("What the session goes on from cannot be read");
    const { code, stdout } = await call(["archive", "repair"], { cwd });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^two: its state was /) });
    expect(before).toMatchObject((await createFsArchive({ path }).readState("two")) as object);
    expect((await call(["archive", "verify"], { cwd })).code).toBe(0);
    expect((await call(["archive", "repack"], { cwd })).stdout).toMatch(/^2 sessions repacked, /);
  });
});

describe("temporary files of killed runs", () => {
  it("leave with the first write of another process, but for young ones", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "upkeep-"));
    const archive = createFsArchive({ path: cwd });
    await archive.writeState("other", { step: 1 } as never);
    const temporary = () => `.agent-compact-${crypto.randomUUID()}.tmp`;
    const [old, young] = [temporary(), temporary()];
    await archive.eraseSession("other");
    const folder = mkdtempSync(join(cwd, "s-"));
    for (const name of [old, young]) writeFileSync(join(folder, name), "half");
    utimesSync(join(folder, old), new Date(0), new Date(0));
    const { writeFileAtomic } = await import("../../src/storage/files.ts");
    await writeFileAtomic(join(folder, "new"), "whole");
    expect(readdirSync(folder).sort()).toEqual([young, "new"]);
  });
});
