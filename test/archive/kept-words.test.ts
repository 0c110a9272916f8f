// That a search which is told what words a session has finds the same as one that reads everything, whatever became of the
// session or of what was kept of it since.
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { createFsArchive, createMemoryArchive } from "../../src/archive/archives.ts";
import { createFsFiles } from "../../src/archive/fs-files.ts";
import { searchArchive } from "../../src/archive/search-archive.ts";
import { createFileArchive } from "../../src/archive/stored-archive.ts";
import { asRedactedList, summaryRecord } from "./redacted-samples.ts";

const newPath = () => mkdtemp(join(tmpdir(), "kept-words-"));
const says = (content: string) => ({ role: "user", content });

async function save(archive: Archive, sessionId: string, step: number, ...texts: readonly string[]) {
  await archive.saveTranscript(sessionId, step, asRedactedList(texts.map(says)));
  await archive.saveSummary(sessionId, step, summaryRecord(sessionId, step));
}

const refsOf = async (archive: Archive, query: string) =>
  (await searchArchive(archive, query, { limit: 1000 })).map(({ session_id, ref }) => `${session_id} ${ref}`);

/** Two sessions with what a search keeps of them. */
async function searchedArchive() {
  const path = await newPath();
  const archive = createFsArchive({ path });
  await save(archive, "a", 1, "The harbour opens at seven", "门票在港口出售");
  await save(archive, "a", 2, "The harbour opens at seven", "gulls");
  await save(archive, "Team B", 1, "nothing to see");
  expect(await refsOf(archive, "lighthouse")).toEqual([]);
  const kept = join(path, "@words");
  return { path, archive, kept, files: readdirSync(kept).map((name) => join(kept, name)) };
}

const FOUND: readonly (readonly [string, readonly string[]])[] = [
  ["arbou", ["a 1.1"]],
  ['"harbour opens"', ["a 1.1"]],
  ["口出", ["a 1.2"]],
  ["港", ["a 1.2"]],
  ["gulls", ["a 2.2"]],
  ["summary", ["Team B 1", "a 1", "a 2"]],
  ["harbour see", []],
  ["lighthouse", []],
];

async function expectAllFound(archive: Archive) {
  for (const [query, refs] of FOUND) expect([query, await refsOf(archive, query)]).toEqual([query, refs]);
}

describe("a search of an archive on a disk", () => {
  it("tells of the sessions that it had to read, and of none when their words are kept", async () => {
    const { path, kept } = await searchedArchive();
    const read: number[] = [];
    const search = () =>
      searchArchive(createFsArchive({ path }), "lighthouse", { onRead: (sessions) => read.push(sessions) });
    await search();
    expect(read).toEqual([]);
    rmSync(kept, { recursive: true });
    await search();
    expect(read).toEqual([1, 2]);
  });

  it("reads nothing of sessions that cannot hold the words, and finds the same", async () => {
    const { path, archive } = await searchedArchive();
    await expectAllFound(archive);
    const files = createFsFiles(path, Date.now);
    const refuse = () => {
      throw new Error("read");
    };
    const blind = createFileArchive({ ...files, read: refuse, readEach: refuse, list: refuse, listRecorded: refuse });
    expect(await refsOf(blind, "lighthouse 港口")).toEqual([]);
    await expect(refsOf(blind, "gulls")).rejects.toThrow("read");
  });

  it("finds every part of every text, in any script", async () => {
    const text = fc.string({ unit: fc.constantFrom(..."aB1_ß\u00e9e\u0301 İ-漢字かが\u3099ﾊﾟ한ไทยΣς𠮷😀\ud842\n") });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(), async (texts, at, size) => {
        const archive = createFsArchive({ path: await newPath() });
        const memory = createMemoryArchive();
        for (const one of [archive, memory]) await save(one, "s", 1, ...texts);
        const all = texts.join("\n");
        const part = all.slice(at % (all.length + 1)).slice(0, 1 + (size % 8));
        fc.pre(part.trim() !== "");
        for (const query of [part, `"${part}"`]) {
          const expected = await refsOf(memory, query);
          expect(await refsOf(archive, query)).toEqual(expected);
          expect(await refsOf(archive, query)).toEqual(expected);
        }
      }),
      { numRuns: 30 },
    );
  });

  it.each<[string, (file: string) => void]>([
    ["cut", (file) => truncateSync(file, 90)],
    ["emptied", (file) => truncateSync(file, 0)],
    ["another's", (file) => writeFileSync(file, readFileSync(file, "utf8").replaceAll(/[aeiou港]/g, "x"))],
    ["gone", (file) => rmSync(file)],
    [
      "a link",
      (file) => {
        rmSync(file);
        symlinkSync("/dev/zero", file);
      },
    ],
    ["not to be read", (file) => chmodSync(file, 0)],
  ])("takes nothing from words that are %s", async (_, damage) => {
    const { archive, files } = await searchedArchive();
    expect(files).toHaveLength(2);
    for (const file of files) damage(file);
    await expectAllFound(archive);
  });

  it("follows what is saved, repacked and removed, and keeps no word of what left", async () => {
    const { path, archive, kept } = await searchedArchive();
    const words = () =>
      readdirSync(kept)
        .map((name) => readFileSync(join(kept, name), "utf8"))
        .join("\n");
    await save(createFsArchive({ path }), "a", 3, "lighthouse");
    expect(await refsOf(archive, "lighthouse")).toEqual(["a 3.1"]);
    await archive.repackSession("a");
    expect(await refsOf(archive, "lighthouse")).toEqual(["a 3.1"]);
    expect(words()).toContain("lighthouse");
    await archive.removeStep("a", 3);
    expect(words()).not.toContain("lighthouse");
    await expectAllFound(archive);
    await archive.eraseSession("a");
    expect(readdirSync(kept)).toHaveLength(1);
    // Whoever takes the folder away by hand.
    for (const name of readdirSync(path)) if (name.startsWith("team")) rmSync(join(path, name), { recursive: true });
    expect(await refsOf(archive, "nothing")).toEqual([]);
    expect(readdirSync(kept)).toEqual([]);
  });

  it("touches nothing behind a link, and nothing that is not its own", async () => {
    const { path, archive, kept } = await searchedArchive();
    const elsewhere = await newPath();
    const files = [join(elsewhere, "a"), join(elsewhere, "notes.txt")];
    for (const file of files) writeFileSync(file, "mine");
    rmSync(kept, { recursive: true });
    symlinkSync(elsewhere, kept);
    await expectAllFound(archive);
    await archive.removeStep("a", 2);
    for (const file of files) expect(readFileSync(file, "utf8")).toBe("mine");
    rmSync(kept);
    mkdirSync(kept);
    writeFileSync(join(kept, "notes.txt"), "mine");
    await refsOf(createFsArchive({ path }), "gulls");
    expect(readFileSync(join(kept, "notes.txt"), "utf8")).toBe("mine");
  });

  it("keeps nothing of a session while something in it is damaged", async () => {
    const { path, archive } = await searchedArchive();
    const transcript = join(path, "a", "transcript-pre-compact-001.jsonl");
    const whole = readFileSync(transcript, "utf8");
    writeFileSync(transcript, whole.replace("{", "["));
    await save(archive, "a", 3, "a new step");
    expect(await refsOf(archive, "harbour")).toEqual([]);
    writeFileSync(transcript, whole);
    expect(await refsOf(archive, "harbour")).toEqual(["a 1.1"]);
  });
});
