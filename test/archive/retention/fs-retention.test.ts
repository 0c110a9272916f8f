// Retention on real files: nothing leaves by default, what leaves is told, and what stays is whole whatever happens.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Archive } from "../../../src/archive/archive.ts";
import { createFsArchive } from "../../../src/archive/archives.ts";
import { applyRetention, planRetention } from "../../../src/archive/retention.ts";
import { searchArchive } from "../../../src/archive/search-archive.ts";
import { verifyArchive } from "../../../src/archive/verify-archive.ts";

import { verifies } from "../../requirements/verifies.ts";
import { asRedactedList, summaryRecord } from "../redacted-samples.ts";
import { DAY, NOW } from "./step-sizes.ts";

const newRoot = () => mkdtempSync(join(tmpdir(), "retention-"));
const unrun = join("node_modules", ".bin", "unrun");
const program = (name: string) => join(import.meta.dirname, name);

/** One step a day, the newest a day before `NOW`. */
async function archiveOf(root: string, count: number, sessionId = "s"): Promise<Archive> {
  let now = NOW - count * DAY;
  const archive = createFsArchive({ path: root, now: () => now });
  for (let step = 1; step <= count; step++) {
    await archive.saveTranscript(
      sessionId,
      step,
      asRedactedList([{ role: "user", content: `needle-${step} in the hay` }]),
    );
    await archive.saveSummary(sessionId, step, summaryRecord(sessionId, step));
    now += DAY;
  }
  return archive;
}

describe("retention of an archive on a disk", () => {
  it("drops nothing of 100 steps without a policy, and the oldest with one, each with its event", async () => {
    verifies("field/archives-without-retention");
    const root = newRoot();
    const archive = await archiveOf(root, 100);
    expect(planRetention(await archive.sizes(), {}, NOW).expiring).toEqual([]);
    expect(await archive.steps("s")).toHaveLength(100);
    const events: unknown[] = [];
    const byAge = planRetention(await archive.sizes(), { maxAgeDays: 60 }, NOW);
    const report = await applyRetention(archive, byAge, { trace: { emit: (event) => void events.push(event) } });
    expect(report.removed.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(report.freed_bytes).toBe(byAge.bytes_before - byAge.bytes_after);
    expect(events).toHaveLength(40);
    expect(events[0]).toMatchObject({ event: "compact.expired", step: 1, storage_adapter: "fs", reason: "age" });
    const bySize = planRetention(await archive.sizes(), { maxBytes: byAge.bytes_after / 2 }, NOW);
    await applyRetention(archive, bySize);
    const left = await archive.sizes();
    expect(left.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(bySize.bytes_after);
    expect(left.at(-1)?.step).toBe(100);
    expect(await archive.nextStep("s")).toBe(101);
    expect((await searchArchive(archive, "needle-1")).map(({ ref }) => ref)).not.toContain("1.1");
    expect((await searchArchive(archive, "needle-100")).map(({ ref }) => ref)).toContain("100.1");
    expect((await verifyArchive(createFsArchive({ path: root }))).faults).toEqual([]);
  });

  it("goes on while another process compacts the same session", async () => {
    const root = newRoot();
    const archive = await archiveOf(root, 20);
    const writing = promisify(execFile)(unrun, [program("write-steps.ts"), root, "s", "20"], { timeout: 60_000 });
    let isWriting = true;
    void writing.finally(() => {
      isWriting = false;
    });
    while (isWriting) {
      const plan = planRetention(await archive.sizes(), { maxBytes: 3000 }, NOW);
      expect((await applyRetention(archive, plan)).failed).toEqual([]);
    }
    await writing;
    const steps = (await archive.steps("s")).map(({ step }) => step);
    expect(steps.at(-1)).toBe(40);
    expect((await createFsArchive({ path: root }).sizes()).map(({ step }) => step)).toEqual(steps);
    expect((await verifyArchive(createFsArchive({ path: root }))).faults).toEqual([]);
  }, 90_000);

  it("leaves every other step whole when it is killed in the midst", async () => {
    for (const after of [1, 7, 19]) {
      const root = newRoot();
      await archiveOf(root, 40);
      const killed = spawn(unrun, [program("kill-gc.ts"), root, String(after)], { stdio: "ignore" });
      await new Promise((resolve) => killed.on("exit", resolve));
      const archive = createFsArchive({ path: root });
      const steps = (await archive.steps("s")).map(({ step }) => step);
      expect(steps.length).toBeLessThanOrEqual(40 - after);
      expect(steps.length).toBeGreaterThanOrEqual(40 - after - 1);
      for (const step of steps) {
        expect(await archive.readTranscript("s", step, { strict: true })).toEqual([
          { role: "user", content: `needle-${step} in the hay` },
        ]);
      }
      expect((await archive.sizes()).map(({ step }) => step)).toEqual(steps);
      const { faults } = await verifyArchive(archive);
      expect(faults.filter(({ severity }) => severity === "error")).toEqual([]);
      const plan = planRetention(await archive.sizes(), { maxBytes: 1 }, NOW);
      expect((await applyRetention(archive, plan)).failed).toEqual([]);
      expect((await archive.sizes()).map(({ step }) => step)).toEqual([40]);
    }
  }, 90_000);
});
