// Steps leave one by one, each is told once it is gone, and one that will not go stops nothing.
import { describe, expect, it } from "vitest";
import type { Archive } from "../../../src/archive/archive.ts";
import { applyRetention, planRetention, type StepExpired } from "../../../src/archive/retention.ts";

import { CompactError } from "../../../src/errors.ts";
import { NOW, stepsOf } from "./step-sizes.ts";

/** Removes by a script: bytes, or what it throws. */
function scripted(remove: (step: number) => number | Error) {
  const asked: number[] = [];
  const archive: Pick<Archive, "adapter" | "removeStep"> = {
    adapter: "scripted",
    removeStep: async (_session, step) => {
      asked.push(step);
      const outcome = remove(step);
      if (typeof outcome === "number") return outcome;
      throw outcome;
    },
  };
  return { archive, asked };
}

const plan = planRetention(stepsOf("s", 6), { maxBytes: 200 }, NOW);

async function apply(archive: Pick<Archive, "adapter" | "removeStep">, signal?: AbortSignal) {
  const events: StepExpired[] = [];
  const trace = { emit: (event: StepExpired) => void events.push(event) };
  const report = await applyRetention(archive, plan, { trace, signal });
  return { report, events };
}

describe("applyRetention", () => {
  it("tells each step after it is gone, with the bytes that it freed", async () => {
    const { archive, asked } = scripted((step) => step * 10);
    const gone: number[] = [];
    const report = await applyRetention(archive, plan, {
      trace: {
        emit: ({ step }) => {
          expect(asked.at(-1)).toBe(step);
          gone.push(step);
        },
      },
    });
    expect(gone).toEqual([1, 2, 3, 4]);
    expect(report).toMatchObject({ failed: [], freed_bytes: 100 });
    expect((await apply(archive)).events[0]).toEqual({
      event: "compact.expired",
      session_id: "s",
      step: 1,
      storage_adapter: "scripted",
      reason: "size",
      bytes: 10,
    });
  });

  it("needs nobody to tell", async () => {
    const { archive } = scripted((step) => step * 10);
    expect(await applyRetention(archive, plan)).toMatchObject({ failed: [], freed_bytes: 100 });
  });

  it("goes on past a step that cannot be removed, and passes over one that is gone already", async () => {
    const failure = new CompactError("ArchiveFailed", "could not remove it", { code: "ARCHIVE_FAILED" });
    const { archive, asked } = scripted((step) => {
      if (step === 1) return failure;
      if (step === 2) return new CompactError("NotFound", "no such step");
      return step === 3 ? new Error("the transcript said hunter2") : 7;
    });
    const { report, events } = await apply(archive);
    expect(asked).toEqual([1, 2, 3, 4]);
    expect(events.map(({ step }) => step)).toEqual([4]);
    expect(report.freed_bytes).toBe(7);
    expect(report.failed.map(({ step, code }) => [step, code])).toEqual([
      [1, "ARCHIVE_FAILED"],
      [3, "UNEXPECTED"],
    ]);
    expect(JSON.stringify(report)).not.toContain("hunter2");
  });

  it("stops between two steps when asked to", async () => {
    const controller = new AbortController();
    const { archive, asked } = scripted((step) => {
      if (step === 2) controller.abort();
      return 1;
    });
    expect((await apply(archive, controller.signal)).report.removed).toHaveLength(2);
    expect(asked).toEqual([1, 2]);
  });
});
