// A process that is killed in the middle of a compaction: what was there is whole, and the next process goes on from it.
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { verifyArchive } from "../../../src/archive/verify-archive.ts";
import { createFsArchive } from "../../../src/index.ts";
import { verifies } from "../../requirements/verifies.ts";
import { bench, summaryOf, turns, user } from "../support.ts";

const CHILD = fileURLToPath(new URL("children/compact-and-die.ts", import.meta.url));
const UNRUN = fileURLToPath(new URL("../../../node_modules/unrun/dist/cli.mjs", import.meta.url));

describe("a process killed in the middle of a compaction", () => {
  it.each([
    ["before", "saveTranscript"],
    ["after", "saveTranscript"],
    ["after", "saveSummary"],
    ["before", "writeState"],
    ["after", "writeState"],
  ])("%s %s leaves a session that the next one goes on with", { timeout: 60_000 }, async (moment, operation) => {
    verifies("field/abort-or-crash-half-way");
    const path = await mkdtemp(join(tmpdir(), "compact-crash-"));
    try {
      const child = spawnSync(process.execPath, [UNRUN, CHILD, path, operation, moment], { encoding: "utf8" });
      expect(child.stdout).not.toContain("survived");
      const archive = createFsArchive({ path });
      const { manager } = bench({ archive });
      const list = [...turns(12), user("go on")];
      const compacted = await manager.manualCompact("s", list);
      expect(summaryOf(compacted)).toMatch(/^<COMPACT-SUMMARY v1>/);
      const { step } = await manager.status("s");
      expect(await archive.readTranscript("s", step)).toHaveLength(list.length);
      const grown = await manager.manualCompact("s", [...compacted, ...turns(12, (n) => `later ${n}`)]);
      expect(summaryOf(grown)).toMatch(/^<COMPACT-SUMMARY v2>/);
      expect((await manager.status("s")).step).toBe(step + 1);
      const steps = (await readdir(join(path, "s"))).filter((name) => name.startsWith("transcript-"));
      expect(steps.length).toBeLessThanOrEqual(3);
      expect((await verifyArchive(archive)).faults.filter(({ severity }) => severity === "error")).toEqual([]);
    } finally {
      await rm(path, { recursive: true });
    }
  });
});
