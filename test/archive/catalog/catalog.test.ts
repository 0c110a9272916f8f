// The catalog tells what stands in the folders, whatever happened to it or to them.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../src/archive/catalog.ts";
import { newRoot, placesOf, STEP_1, STEP_2, writeNoted, writeStored } from "./written-files.ts";

const onPosix = it.skipIf(process.platform === "win32");
const catalogOf = (root: string) => join(root, "catalog.jsonl");
const linesOf = (root: string) => readFileSync(catalogOf(root), "utf8").trimEnd().split("\n");

describe("createCatalog", () => {
  it("tells what was noted, one line each, without what was removed", async () => {
    const root = newRoot();
    const catalog = createCatalog(root);
    const first = await writeNoted(catalog, root, "talk", STEP_1);
    await writeNoted(catalog, root, "talk", STEP_2);
    const other = await writeNoted(catalog, root, "Über/../talk", STEP_1);
    rmSync(join(root, "talk", STEP_2));
    await catalog.forget("talk", STEP_2);
    expect(linesOf(root)).toHaveLength(4);
    for (const reader of [catalog, createCatalog(root)]) {
      const entries = await reader.entries();
      expect(entries).toHaveLength(2);
      expect(entries).toEqual(expect.arrayContaining([first, other]));
      expect(await reader.ofSession("talk")).toEqual([first]);
      expect(await reader.ofSession("nobody")).toEqual([]);
      expect(await reader.lost()).toEqual([]);
    }
    expect(linesOf(root)).toHaveLength(4);
  });

  it("writes nothing where there is nothing", async () => {
    const root = newRoot();
    expect(await createCatalog(root).entries()).toEqual([]);
    expect(await createCatalog(join(root, "nowhere")).entries()).toEqual([]);
    expect(readdirSync(root)).toEqual([]);
  });

  it("reads the folders of an archive that has none, and is there afterwards", async () => {
    const root = newRoot();
    for (let n = 0; n < 30; n++) writeStored(root, `Session ${n}`, STEP_1);
    const entries = await createCatalog(root).entries();
    expect(entries).toHaveLength(30);
    expect(entries[0]).toEqual({
      session_id: expect.stringContaining("Session "),
      name: STEP_1,
      bytes: STEP_1.length,
      at: expect.stringMatching(/^20.*Z$/),
    });
    expect(linesOf(root)).toHaveLength(30);
    expect(placesOf(await createCatalog(root).entries())).toEqual(placesOf(entries));
    expect(linesOf(root)).toHaveLength(30);
  });

  it("finds what nobody noted: before the first line of a session, between two, after the last", async () => {
    const root = newRoot();
    const catalog = createCatalog(root);
    writeStored(root, "before", STEP_1);
    await writeNoted(catalog, root, "before", STEP_2);
    await writeNoted(catalog, root, "between", "a");
    writeStored(root, "between", "b");
    await writeNoted(catalog, root, "between", "c");
    await writeNoted(catalog, root, "after", STEP_1);
    writeStored(root, "after", STEP_2);
    const all = [`after/${STEP_1}`, `after/${STEP_2}`, `before/${STEP_1}`, `before/${STEP_2}`];
    for (const reader of [catalog, createCatalog(root)]) {
      expect(placesOf(await reader.entries())).toEqual([...all, "between/a", "between/b", "between/c"]);
    }
  });

  it("keeps the hash that was told while another listed the folder, and wrote down what it saw before", async () => {
    const root = newRoot();
    const first = await writeNoted(createCatalog(root), root, "talk", STEP_1);
    const second = writeStored(root, "talk", STEP_2);
    // Lists a file of which nobody has told yet.
    await createCatalog(root).entries();
    const seenBefore = linesOf(root).at(-1);
    await createCatalog(root).note(second);
    appendFileSync(catalogOf(root), `${seenBefore}\n`);
    expect(await createCatalog(root).entries()).toEqual([first, second]);
  });

  it("leaves out what went without us, and says what it was as long as the session is there", async () => {
    const root = newRoot();
    const catalog = createCatalog(root);
    const gone = await writeNoted(catalog, root, "talk", STEP_1);
    await writeNoted(catalog, root, "talk", STEP_2);
    await writeNoted(catalog, root, "other", STEP_1);
    rmSync(join(root, "talk", STEP_1));
    rmSync(join(root, "other"), { recursive: true });
    for (const reader of [catalog, createCatalog(root)]) {
      expect(placesOf(await reader.entries())).toEqual([`talk/${STEP_2}`]);
      expect(await reader.lost()).toEqual([gone]);
    }
    writeFileSync(join(root, "talk", STEP_1), STEP_1);
    expect(await catalog.ofSession("talk")).toEqual(expect.arrayContaining([gone]));
    expect(await createCatalog(root).lost()).toEqual([]);
  });

  it("gets over each place where its last line can be torn", async () => {
    const root = newRoot();
    const first = await writeNoted(createCatalog(root), root, "talk", STEP_1);
    const whole = statSync(catalogOf(root)).size;
    const second = await writeNoted(createCatalog(root), root, "talk", STEP_2);
    const text = readFileSync(catalogOf(root));
    for (let length = whole; length < text.length; length += 7) {
      writeFileSync(catalogOf(root), text.subarray(0, length));
      expect(placesOf(await createCatalog(root).entries())).toEqual([`talk/${STEP_1}`, `talk/${STEP_2}`]);
      writeFileSync(catalogOf(root), text.subarray(0, length));
      await createCatalog(root).note(second);
      expect(await createCatalog(root).entries()).toEqual([first, second]);
    }
  });

  it("takes no session at its word once a line in the midst is damaged, and is whole again afterwards", async () => {
    const root = newRoot();
    const catalog = createCatalog(root);
    for (const name of ["a", "b", "c"]) await writeNoted(catalog, root, "talk", name);
    const lines = linesOf(root);
    for (const damage of [
      "{",
      "",
      "[]",
      "null",
      '"x"',
      '{"session_id":"talk","changed":1,"count":1}',
      "\0\0\0",
      "\ufffd",
    ]) {
      writeFileSync(catalogOf(root), [lines[0], damage, lines[2], ""].join("\n"));
      expect(placesOf(await createCatalog(root).entries())).toEqual(["talk/a", "talk/b", "talk/c"]);
      expect(
        linesOf(root)
          .filter((line) => line !== "")
          .every((line) => line.startsWith('{"session_id":"talk"')),
      ).toBe(true);
    }
    truncateSync(catalogOf(root), 0);
    expect(await createCatalog(root).entries()).toHaveLength(3);
  });

  it("follows no name, no id and no number that it would not write itself", async () => {
    const root = newRoot();
    const outside = newRoot();
    writeFileSync(join(outside, "secret"), "secret");
    const sound = await writeNoted(createCatalog(root), root, "talk", STEP_1);
    const { changed } = JSON.parse(linesOf(root)[0] ?? "") as { changed: number };
    const line = (wrote: object, session_id = "talk") =>
      `${JSON.stringify({ session_id, changed, count: 1, wrote: { ...sound, session_id: undefined, ...wrote } })}\n`;
    const hostile = [
      line({ name: "../../secret" }),
      line({ name: ".." }),
      line({ name: "a/b" }),
      line({ name: "a\\b" }),
      line({ name: "a\0" }),
      line({ name: "a".repeat(300) }),
      line({ name: "__proto__" }),
      line({ bytes: -1 }),
      line({ bytes: 1e300 }),
      line({ bytes: "1" }),
      line({ at: "yesterday" }),
      line({ at: "9".repeat(1000) }),
      line({ sha256: "x" }),
      line({}, ""),
      `${"[".repeat(100_000)}\n`,
      '{"session_id":"talk","changed":1,"count":1,"removed":"../talk"}\n',
      `${JSON.stringify({ session_id: "talk", changed, count: 1, files: [{ name: "../x", bytes: 1, at: sound.at }] })}\n`,
    ];
    for (const text of hostile) {
      appendFileSync(catalogOf(root), text);
      expect(await createCatalog(root).entries()).toEqual([sound]);
      expect(linesOf(root)).toHaveLength(1);
    }
    for (const id of [`../${outside.split("/").at(-1)}`, outside, "..", ".", "talk/..", "ghost"]) {
      appendFileSync(catalogOf(root), line({ name: "secret" }, id));
      expect(await createCatalog(root).entries()).toEqual([sound]);
      expect(await createCatalog(root).ofSession(id)).toEqual([]);
    }
    await createCatalog(root).note({ ...sound, name: "../secret" });
    await createCatalog(root).forget("talk", "../../secret");
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
    expect(await createCatalog(root).entries()).toEqual([sound]);
  });

  onPosix("is read and written by its owner only, and never through a link", async () => {
    const root = newRoot();
    const outside = join(newRoot(), "target");
    const catalog = createCatalog(root);
    await writeNoted(catalog, root, "talk", STEP_1);
    expect(statSync(catalogOf(root)).mode & 0o777).toBe(0o600);
    renameSync(catalogOf(root), outside);
    const before = readFileSync(outside, "utf8");
    symlinkSync(outside, catalogOf(root));
    for (let n = 0; n < 30; n++) await writeNoted(catalog, root, `more-${n}`, STEP_1);
    await catalog.forget("talk", STEP_1);
    expect(await createCatalog(root).entries()).toHaveLength(31);
    expect(readFileSync(outside, "utf8")).toBe(before);
    rmSync(catalogOf(root));
    mkdirSync(catalogOf(root));
    await catalog.note(writeStored(root, "talk", STEP_2));
    expect(await createCatalog(root).entries()).toHaveLength(32);
    expect(readdirSync(catalogOf(root))).toEqual([]);
    rmSync(catalogOf(root), { recursive: true });
    expect(await createCatalog(root).entries()).toHaveLength(32);
    expect(statSync(catalogOf(root)).mode & 0o777).toBe(0o600);
  });

  onPosix("does not look into session folders, or at files in them, that are links", async () => {
    const root = newRoot();
    const outside = newRoot();
    writeStored(outside, "linked", STEP_1);
    symlinkSync(join(outside, "linked"), join(root, "linked"));
    symlinkSync(join(root, "nothing"), join(root, "dangling"));
    await writeNoted(createCatalog(root), root, "talk", STEP_1);
    symlinkSync(join(outside, "linked", STEP_1), join(root, "talk", STEP_2));
    writeFileSync(join(root, "notes.txt"), "");
    mkdirSync(join(root, "Not A Session"));
    expect(placesOf(await createCatalog(root).entries())).toEqual([`talk/${STEP_1}`]);
    expect(await createCatalog(root).ofSession("linked")).toEqual([]);
  });

  it("leaves its file to a session that is called like it", async () => {
    const root = newRoot();
    const catalog = createCatalog(root);
    await writeNoted(catalog, root, "catalog.jsonl", STEP_1);
    expect(placesOf(await createCatalog(root).entries())).toEqual([`catalog.jsonl/${STEP_1}`]);
    expect(statSync(catalogOf(root)).isFile()).toBe(true);
  });

  it("is written anew as often as lines of single files pile up, with nothing lost", async () => {
    const root = newRoot();
    const catalog = createCatalog(root);
    const kept = await writeNoted(catalog, root, "talk", STEP_1);
    const state = await writeNoted(catalog, root, "talk", "state.json");
    let longest = 0;
    for (let n = 0; n < 300; n++) {
      await catalog.note(state);
      longest = Math.max(longest, linesOf(root).length);
    }
    expect(longest).toBeGreaterThan(64);
    expect(longest).toBeLessThan(110);
    expect(await catalog.entries()).toEqual([kept, state]);
    expect(await createCatalog(root).entries()).toEqual([kept, state]);
    expect(readdirSync(root).sort()).toEqual(["catalog.jsonl", "talk"]);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")("lists what it may not write to", async () => {
    const root = newRoot();
    const file = writeStored(root, "talk", STEP_1);
    chmodSync(root, 0o500);
    await createCatalog(root).note(file);
    expect(placesOf(await createCatalog(root).entries())).toEqual([`talk/${STEP_1}`]);
    expect(existsSync(catalogOf(root))).toBe(false);
    chmodSync(root, 0o700);
  });

  it("does not mind a folder that is older than the catalog says", async () => {
    const root = newRoot();
    const catalog = createCatalog(root);
    const file = await writeNoted(catalog, root, "talk", STEP_1);
    utimesSync(join(root, "talk"), 1, 1);
    expect(await catalog.entries()).toEqual([file]);
    expect(await createCatalog(root).entries()).toEqual([file]);
    expect(linesOf(root)).toHaveLength(2);
  });
});
