// A configuration with a limit: steps leave behind each compaction, which never fails for it.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Archive } from "../../../src/archive/archive.ts";
import { createFsArchive } from "../../../src/archive/archives.ts";
import { CompactError } from "../../../src/errors.ts";
import { conversationConfigOf } from "../../../src/factories/conversation-config.ts";
import { CompactManager, type ConversationConfig, createMemoryArchive } from "../../../src/index.ts";
import { bench, turns } from "../../conversation/support.ts";

async function compactTimes(config: ConversationConfig, times: number) {
  const { manager, archive, of } = bench(config);
  for (let round = 0; round < times; round++) {
    await manager.manualCompact(
      "s",
      turns(12, (n) => `question ${n} of round ${round}`),
    );
    await manager.flush();
  }
  return { archive, expired: of("compact.expired"), warnings: of("compact.warning"), runs: of("compact.manual") };
}

const stepsOf = async (archive: Archive) => (await archive.steps("s")).map(({ step }) => step);

describe("retention after a compaction", () => {
  it("drops nothing by default", async () => {
    const { archive, expired } = await compactTimes({}, 4);
    expect(await stepsOf(archive)).toEqual([1, 2, 3, 4]);
    expect(expired).toEqual([]);
  });

  it("keeps to the limit, with an event for each step, outside the run", async () => {
    const { archive, expired, warnings, runs } = await compactTimes({ retention: { maxBytes: 1 } }, 4);
    expect(await stepsOf(archive)).toEqual([4]);
    expect(expired.map(({ step, reason }) => `${step} ${reason}`)).toEqual(["1 size", "2 size", "3 size"]);
    expect(expired.every(({ run_id, bytes }) => run_id === undefined && bytes > 0)).toBe(true);
    expect(warnings).toEqual([]);
    expect(runs).toHaveLength(4);
  });

  it("does nothing behind a run that compacted nothing", async () => {
    let looks = 0;
    const memory = createMemoryArchive();
    const archive: Archive = { ...memory, sizes: () => memory.sizes().finally(() => looks++) };
    const { manager } = bench({ archive, retention: { maxBytes: 1 } });
    await manager.preflight("s", turns(2));
    await manager.flush();
    expect(looks).toBe(0);
  });

  it("warns when it fails, and the compaction is done all the same", async () => {
    const memory = createMemoryArchive();
    const failure = () => Promise.reject(new CompactError("ArchiveFailed", "could not remove it"));
    const stuck = await compactTimes({ archive: { ...memory, removeStep: failure }, retention: { maxBytes: 1 } }, 3);
    expect(stuck.runs.map(({ outcome }) => outcome)).toEqual(["completed", "completed", "completed"]);
    expect(stuck.warnings.map(({ code, severity }) => `${code} ${severity}`)).toEqual(
      Array.from({ length: 2 }, () => "retention_failed low"),
    );
    expect(stuck.warnings.at(-1)?.message).toBe(
      '2 of 2 steps could not leave the archive. Step 1 of session "s": could not remove it.',
    );
    const unlisted = await compactTimes(
      { archive: { ...createMemoryArchive(), sizes: failure }, retention: { maxAgeDays: 1 } },
      1,
    );
    expect(unlisted.warnings.map(({ message }) => message)).toEqual([
      "The archive's retention failed: could not remove it.",
    ]);
  });

  it("takes the limit from a configuration file, with and without events.jsonl", async () => {
    for (const telemetry of [{}, { jsonl: false }]) {
      const path = join(mkdtempSync(join(tmpdir(), "retention-")), "archive");
      const config = conversationConfigOf({ storage: { path, retention: { maxBytes: 1 } }, telemetry });
      const manager = new CompactManager(config);
      for (let round = 0; round < 2; round++)
        await manager.manualCompact(
          "s",
          turns(12, (n) => `question ${n} of ${round}`),
        );
      await manager.flush();
      expect(await manager.status("s")).toMatchObject({ session_id: "s" });
      expect(await stepsOf(createFsArchive({ path }))).toEqual([2]);
    }
  });

  it("takes it from the block of an archive given in code, and refuses what is no limit", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "retention-")), "archive");
    const manager = new CompactManager({ archive: { path, retention: { maxBytes: 1 } } });
    for (let round = 0; round < 2; round++)
      await manager.manualCompact(
        "s",
        turns(12, (n) => `question ${n} of ${round}`),
      );
    await manager.flush();
    expect(await stepsOf(createFsArchive({ path }))).toEqual([2]);
    expect(() => new CompactManager({ retention: { maxBytes: 0 } })).toThrow(/retention\.max_?[bB]ytes/);
  });
});
