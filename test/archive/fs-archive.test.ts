import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createFsArchive } from "../../src/archive/archives.ts";
import { createFsFiles } from "../../src/archive/fs-files.ts";
import { verifies } from "../requirements/verifies.ts";
import { archiveContract } from "./archive-contract.ts";
import { fileArchiveContract } from "./file-archive-contract.ts";
import { asRedacted, asRedactedList, summaryRecord } from "./redacted-samples.ts";

archiveContract("fs", async () =>
  createFsArchive({ path: join(await mkdtemp(join(tmpdir(), "archive-")), "deep", "er") }),
);

fileArchiveContract("fs", async () => createFsFiles(await mkdtemp(join(tmpdir(), "archive-")), Date.now));

const onPosix = it.skipIf(process.platform === "win32");
let path = "";
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "archive-"));
});

describe("createFsArchive", () => {
  it("writes exactly the specified files", async () => {
    verifies("conversation/filesystem-archive");
    const archive = createFsArchive({ path, now: () => 0 });
    await archive.saveTranscript("s", 1, asRedactedList([{ role: "user" }, { role: "assistant" }]));
    await archive.saveSummary("s", 1, summaryRecord("s", 1));
    await archive.writeState("s", asRedacted({ step: 1 }));
    const files = ["session.json", "state.json", "summary-001.json", "transcript-pre-compact-001.jsonl"];
    expect((await readdir(join(path, "s"))).sort()).toEqual(files);
    expect(await readFile(join(path, "s", "transcript-pre-compact-001.jsonl"), "utf8")).toBe(
      '{"role":"user"}\n{"role":"assistant"}\n',
    );
    expect(JSON.parse(await readFile(join(path, "s", "session.json"), "utf8"))).toEqual({
      session_id: "s",
      created_at: "1970-01-01T00:00:00.000Z",
    });
  });

  it("goes on counting after a restart, also behind an unfinished step", async () => {
    verifies("field/archive-overwritten", "rulings/archive-naming", "values/archive-paths-and-steps");
    const id = "../../x";
    const first = createFsArchive({ path });
    await first.saveTranscript(id, await first.nextStep(id), asRedactedList([{ n: 1 }]));
    await first.saveSummary(id, 1, summaryRecord(id, 1));
    await first.saveTranscript(id, await first.nextStep(id), asRedactedList([{ n: 2 }]));
    const second = createFsArchive({ path });
    const place = await second.saveTranscript(id, await second.nextStep(id), asRedactedList([{ n: 3 }]));
    expect(place.startsWith(path)).toBe(true);
    expect(place.endsWith("transcript-pre-compact-003.jsonl")).toBe(true);
    expect(await second.readTranscript(id, 1)).toEqual([{ n: 1 }]);
    expect((await readdir(path)).filter((name) => name !== "catalog.jsonl")).toHaveLength(1);
  });

  it("keeps 50 steps each of two instances apart", async () => {
    const writers = [createFsArchive({ path }), createFsArchive({ path })];
    const attempts = Array.from({ length: 50 }, () => writers)
      .flat()
      .map(async (archive) => {
        const step = await archive.nextStep("s");
        await archive.saveTranscript("s", step, asRedactedList([{ step }]));
        return step;
      });
    const settled = await Promise.allSettled(attempts);
    const taken = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(taken.length).toBeGreaterThan(0);
    expect(new Set(taken).size).toBe(taken.length);
    for (const result of settled) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ kind: "Conflict", code: "STEP_TAKEN" });
    }
  });

  onPosix("lets only the owner in", async () => {
    const archive = createFsArchive({ path: join(path, "root") });
    await archive.saveTranscript("s", 1, asRedactedList([{}]));
    await archive.writeState("s", asRedacted({}));
    expect((await stat(join(path, "root"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(path, "root", "s"))).mode & 0o777).toBe(0o700);
    for (const name of await readdir(join(path, "root", "s"))) {
      expect((await stat(join(path, "root", "s", name))).mode & 0o777).toBe(0o600);
    }
  });

  it("reads around a torn last line, keeps the numbers of others, and tells when asked", async () => {
    const archive = createFsArchive({ path });
    const file = await archive.saveTranscript("s", 1, asRedactedList([{ n: 1 }, { n: 2 }]));
    await appendFile(file, '{"n":');
    expect(await archive.readTranscript("s", 1)).toEqual([{ n: 1 }, { n: 2 }]);
    await expect(archive.readTranscript("s", 1, { strict: true })).rejects.toMatchObject({
      kind: "ArchiveFailed",
      code: "UNREADABLE_LINES",
      data: { lines: [3] },
    });
    await writeFile(file, '{"n":1}\n{"n":\r\n{"n":3}\n');
    expect(await archive.readTranscript("s", 1)).toEqual([{ n: 1 }, null, { n: 3 }]);
  });

  it("tells which files are not what was written, and saves though the catalog cannot be", async () => {
    for (const compression of ["none", "gzip"] as const) {
      const archive = createFsArchive({ path: join(path, compression), compression });
      const transcript = await archive.saveTranscript("s", 1, asRedactedList([{ n: 1 }]));
      const summary = await archive.saveSummary("s", 1, summaryRecord("s", 1));
      expect(await createFsArchive({ path: join(path, compression) }).changedFiles("s", 1)).toEqual([]);
      await writeFile(transcript, '{"n":2}\n');
      expect(await archive.changedFiles("s", 1)).toEqual([{ what: "transcript", location: transcript }]);
      await appendFile(summary, " ");
      expect((await archive.changedFiles("s", 1)).map(({ what }) => what)).toEqual(["transcript", "summary"]);
    }
    await mkdir(join(path, "odd", "catalog.jsonl"), { recursive: true });
    const archive = createFsArchive({ path: join(path, "odd") });
    await archive.saveTranscript("s", 1, asRedactedList([{ n: 1 }]));
    expect(await archive.readTranscript("s", 1)).toEqual([{ n: 1 }]);
    expect((await archive.sizes()).map(({ step }) => step)).toEqual([1]);
    expect(await archive.removeStep("s", 1)).toBeGreaterThan(0);
  });

  it("says what is damaged without quoting it", async () => {
    const archive = createFsArchive({ path });
    const file = await archive.saveSummary("s", 1, summaryRecord("s", 1));
    await archive.writeState("s", asRedacted({}));
    await writeFile(file, "topsecret");
    await writeFile(join(path, "s", "state.json"), "topsecret");
    for (const read of [() => archive.readSummary("s", 1), () => archive.readState("s")]) {
      const error = await read().catch((caught: unknown) => caught as Error & { cause?: unknown });
      expect(error).toMatchObject({ kind: "ArchiveFailed", code: "DAMAGED_RECORD" });
      expect(`${(error as Error).message} ${(error as Error).cause}`).not.toContain("topsecret");
    }
    expect(await archive.findSummary("0".repeat(64))).toBeUndefined();
  });

  it("names the path when a file stands where a folder is due", async () => {
    await writeFile(join(path, "file"), "");
    await writeFile(join(path, "s"), "");
    for (const archive of [createFsArchive({ path: join(path, "file") }), createFsArchive({ path })]) {
      const failing = archive.saveTranscript("s", 1, asRedactedList([{}]));
      await expect(failing).rejects.toMatchObject({
        kind: "ArchiveFailed",
        message: expect.stringContaining(path),
        hint: expect.stringContaining("A file stands where a folder is due"),
      });
    }
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")("says so when it may not write", async () => {
    await chmod(path, 0o500);
    await expect(createFsArchive({ path }).saveTranscript("s", 1, [])).rejects.toMatchObject({
      kind: "ArchiveFailed",
      hint: expect.stringContaining("permission"),
    });
  });

  onPosix("refuses a session folder that is a link out of the root", async () => {
    const outside = await mkdtemp(join(tmpdir(), "outside-"));
    await symlink(outside, join(path, "s"));
    const archive = createFsArchive({ path });
    const refusal = { kind: "ArchiveFailed", data: { reason: "OUTSIDE_ROOT" } };
    await expect(archive.saveTranscript("s", 1, asRedactedList([{}]))).rejects.toMatchObject(refusal);
    await expect(archive.readTranscript("s", 1)).rejects.toMatchObject(refusal);
    expect(await readdir(outside)).toEqual([]);
    await symlink(join(path, "nothing"), join(path, "dangling"));
    expect(await archive.sessions()).toEqual([]);
  });

  it("refuses a folder that belongs to another session, passes over foreign files", async () => {
    await mkdir(join(path, "s"));
    await writeFile(join(path, "s", "session.json"), '{"session_id":"t"}');
    await writeFile(join(path, "notes.txt"), "");
    await mkdir(join(path, "Not A Session"));
    const archive = createFsArchive({ path });
    await expect(archive.saveTranscript("s", 1, [])).rejects.toMatchObject({ kind: "Conflict" });
    await archive.saveTranscript("u", 1, []);
    await writeFile(join(path, "u", "transcript-pre-compact-0007.jsonl"), "");
    await writeFile(join(path, "u", "summary-002.json.bak"), "");
    expect(await archive.sessions()).toEqual(["u"]);
    expect(await archive.nextStep("u")).toBe(2);
  });
});
