// The cache of parsed files: another process need not parse them again, and no cache can make a log say what is not there.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, folderOf, idsIn, openLog, putFiles, yamlOf } from "./sample-folder.ts";

const COUNT = 40;

async function cachedFolder(): Promise<{ root: string; cache: string }> {
  const names = Array.from({ length: COUNT }, (_, index) => `d${index + 10}`);
  const root = folderOf(Object.fromEntries(names.map((id) => [`${id}.yaml`, yamlOf(id)])));
  // Files that were just written prove nothing by their times.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await openLog(root).write((writer) => writer.setState("cycle", 1));
  return { root, cache: join(root, ".agent-compact", "index.json") };
}

const textOf = async (root: string, id: string) =>
  (await openLog(root).read((reader) => reader.decisions([id])))[0]?.text;

/** With what it says of one record replaced: who reads that has used the cache. */
function forge(cache: string): void {
  writeFileSync(cache, readFileSync(cache, "utf8").replace("Choose d10", "Forged d10"));
}

describe("the cache of a folder", () => {
  it("is written by a write that parsed many files, and used where a file is proved to be the same", async () => {
    const { root, cache } = await cachedFolder();
    forge(cache);
    expect(await textOf(root, "d10")).toBe("Forged d10");
    putFiles(root, { "d10.yaml": yamlOf("d10", "x: 1\n") });
    expect(await textOf(root, "d10")).toBe("Choose d10");
    rmSync(join(root, "d11.yaml"));
    expect(await idsIn(openLog(root))).toHaveLength(COUNT - 1);
  });

  it.each([
    ["broken", "{"],
    ["of another version", '{"version":0,"files":{"d10.yaml":[0,0,0,0,{"raw":{"id":"d10"}}]}}'],
    ["of the version before", '{"version":1,"files":{"d10.yaml":[0,0,0,0,{"raw":{"id":"d10"}}]}}'],
    [
      "of other things",
      '{"version":2,"files":{"d10.yaml":[1],"d11.yaml":null,"none.yaml":[0,0,0,0,{"raw":{"id":"none"}}]}}',
    ],
  ])("is as if it were not there when it is %s", async (_, content) => {
    const { root, cache } = await cachedFolder();
    writeFileSync(cache, content);
    expect(await idsIn(openLog(root))).toHaveLength(COUNT);
    expect(await textOf(root, "d10")).toBe("Choose d10");
    await openLog(root).write((writer) => writer.setState("cycle", 2));
    expect(JSON.parse(readFileSync(cache, "utf8")).version).toBe(2);
  });

  it("is written neither by reads nor for a few files, and never touches a record", async () => {
    const { root, cache } = await cachedFolder();
    const before = filesOf(root);
    const { mtimeMs } = statSync(cache);
    putFiles(root, { "more.yaml": yamlOf("more") });
    const log = openLog(root);
    expect(await idsIn(log)).toHaveLength(COUNT + 1);
    await log.write((writer) => writer.setState("cycle", 2));
    expect(statSync(cache).mtimeMs).toBe(mtimeMs);
    expect(filesOf(root)).toEqual({ ...before, "more.yaml": yamlOf("more") });
    rmSync(cache);
    expect(await idsIn(openLog(root))).toHaveLength(COUNT + 1);
    expect(existsSync(cache)).toBe(false);
  });
});
