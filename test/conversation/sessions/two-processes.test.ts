// Several processes compact one session in one folder at once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifyArchive } from "../../../src/archive/verify-archive.ts";
import { createFsArchive } from "../../../src/index.ts";
import { finish, start } from "../../observations/children/start.ts";
import { verifies } from "../../requirements/verifies.ts";

const CHILD = new URL("children/compact-in-rounds.ts", import.meta.url);

describe("three processes on one session", () => {
  it("take steps of their own, and none overwrites another's", { timeout: 60_000 }, async () => {
    verifies("field/two-compactions-at-once");
    const path = await mkdtemp(join(tmpdir(), "compact-processes-"));
    try {
      const ended = await Promise.all(["a", "b", "c"].map((name) => finish(start(CHILD, path, name))));
      const steps = ended.map(({ stdout }) => (JSON.parse(stdout) as string[]).map(Number));
      expect(steps.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
      const archive = createFsArchive({ path });
      for (const [index, name] of ["a", "b", "c"].entries()) {
        for (const step of steps[index] ?? []) {
          expect(JSON.stringify(await archive.readTranscript("s", step))).toContain(`"${name} `);
        }
      }
      expect((await verifyArchive(archive)).faults).toEqual([]);
    } finally {
      await rm(path, { recursive: true });
    }
  });
});
