import { describe, expect, it } from "vitest";
import { CORPUS } from "../../corpus/corpus.ts";
import { recordRun } from "./recorded-run.ts";

describe("a recorded run of a real session", () => {
  it.skipIf(CORPUS === undefined)(
    "shows the same events in the viewer and in a collector",
    async () => {
      const run = await recordRun();
      if (run === undefined) throw new Error("AGENT_CORPUS holds no session");
      expect(run.compactions).toBeGreaterThanOrEqual(2);
      expect(run.events.length).toBeGreaterThanOrEqual(6);
      for (const { name, emitted, viewer, collector } of run.events) {
        expect([name, viewer, collector]).toEqual([name, emitted, emitted]);
      }
      expect([run.lines, run.dropped]).toEqual([[], 0]);
    },
    120_000,
  );
});
