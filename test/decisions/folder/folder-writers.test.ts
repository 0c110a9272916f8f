// Several processes on one folder: what each was told to be done is there, and one that dies leaves nothing behind.
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/storage/sha256.ts";
import { finish, start } from "../../observations/children/start.ts";
import type { Told } from "./children/write-for-a-while.ts";
import { filesOf, folderOf, idsIn, openLog, yamlOf } from "./sample-folder.ts";

const WRITERS = 3;
const WRITE = new URL("children/write-for-a-while.ts", import.meta.url);
const DIE = new URL("children/die-while-writing.ts", import.meta.url);
const shared = () => folderOf({ "shared.yaml": yamlOf("shared", "count: 0 # of all\n") });

describe("several processes on one folder", () => {
  it("write one after another, and nothing is lost", { timeout: 120_000 }, async () => {
    const root = shared();
    const names = Array.from({ length: WRITERS }, (_, index) => `writer${index}`);
    const ended = await Promise.all(names.map((name) => finish(start(WRITE, root, name, "2500"))));
    const told = ended.map(({ stdout, stderr }): Told => {
      expect(stderr).toBe("");
      return JSON.parse(stdout);
    });
    expect(told.flatMap(({ errors }) => errors)).toEqual([]);
    const counted = told.reduce((sum, each) => sum + each.counted, 0);
    expect(counted).toBeGreaterThan(WRITERS);
    const log = openLog(root);
    expect(await idsIn(log)).toEqual([...told.flatMap(({ added }) => added), "shared"].sort());
    expect(readFileSync(join(root, "shared.yaml"), "utf8")).toBe(yamlOf("shared", `count: ${counted} # of all\n`));
    expect(await log.read((reader) => reader.state("count"))).toBe(counted);
    expect(readdirSync(root).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("take over the lock of one that died", { timeout: 60_000 }, async () => {
    const root = shared();
    const child = start(DIE, root);
    await once(child, "exit");
    expect(child.signalCode).toBe("SIGKILL");
    const lock = join(root, ".agent-compact", "lock");
    expect(statSync(lock).isDirectory()).toBe(true);
    const long = new Date(Date.now() - 60_000);
    utimesSync(lock, long, long);
    const log = openLog(root);
    await log.write((writer) => writer.change("shared", { count: 1 }));
    expect(readFileSync(join(root, "shared.yaml"), "utf8")).toBe(yamlOf("shared", "count: 1 # of all\n"));
    expect(existsSync(lock)).toBe(false);
  });

  it("write nothing once another has taken over their lock", async () => {
    const root = shared();
    const before = filesOf(root);
    const late = openLog(root).write(async (writer) => {
      await writer.change("shared", { count: 1 });
      writeFileSync(join(root, ".agent-compact", "writer"), "another");
    });
    await expect(late).rejects.toMatchObject({ kind: "StoreFailed", code: "LOCK_LOST" });
    expect(filesOf(root)).toEqual(before);
  });

  it("take back what one that died had half done, and nothing else", async () => {
    const [old, half] = [yamlOf("shared", "count: 0 # of all\n"), yamlOf("shared", "count: 1 # of all\n")];
    const root = folderOf({ "shared.yaml": half, "new.yaml": yamlOf("new"), "mine.yaml": yamlOf("mine") });
    const outside = join(folderOf({ "out.yaml": "x" }), "out.yaml");
    const files = [
      { name: "shared.yaml", before: old, after: sha256(half) },
      { name: "new.yaml", before: null, after: sha256(yamlOf("new")) },
      { name: "later.yaml", before: null, after: sha256("later") },
      { name: "mine.yaml", before: null, after: sha256("what it wrote before I changed it") },
      { name: `../${outside.split("/").slice(-2).join("/")}`, before: null, after: sha256("x") },
    ];
    const log = openLog(root);
    await log.write(async () => undefined);
    writeFileSync(join(root, ".agent-compact", "pending.json"), JSON.stringify({ files }));
    await log.write(async () => undefined);
    expect(filesOf(root)).toEqual({ "mine.yaml": yamlOf("mine"), "shared.yaml": old });
    expect(existsSync(outside)).toBe(true);
    expect(await idsIn(log)).toEqual(["mine", "shared"]);
  });
});
