// What a policy lets go, and what it never does.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StepSize } from "../../../src/archive/archive.ts";
import { planRetention } from "../../../src/archive/retention.ts";
import { NOW, sizeOf, stepsOf } from "./step-sizes.ts";

const places = (plan: ReturnType<typeof planRetention>) =>
  plan.expiring.map(({ session_id, step, reason }) => `${session_id} ${step} ${reason}`);

describe("planRetention", () => {
  it("lets nothing go without a limit", () => {
    const plan = planRetention(stepsOf("s", 100), {}, NOW);
    expect(plan).toEqual({ expiring: [], steps: 100, bytes_before: 10_000, bytes_after: 10_000 });
    expect(planRetention([], { maxAgeDays: 1, maxBytes: 1 }, NOW).expiring).toEqual([]);
  });

  it("goes by age: to the day, oldest first, over all sessions", () => {
    const sizes = [...stepsOf("b", 5), ...stepsOf("a", 5)];
    const plan = planRetention(sizes, { maxAgeDays: 3 }, NOW);
    expect(places(plan)).toEqual(["a 1 age", "b 1 age", "a 2 age", "b 2 age"]);
    expect([plan.bytes_before, plan.bytes_after]).toEqual([1000, 600]);
    expect(planRetention(sizes, { maxAgeDays: 3 - 1 / 86_400 }, NOW).expiring).toHaveLength(6);
  });

  it("goes by size: the oldest until it fits, not one more", () => {
    const sizes = stepsOf("s", 100);
    expect(planRetention(sizes, { maxBytes: 10_000 }, NOW).expiring).toEqual([]);
    const plan = planRetention(sizes, { maxBytes: 9_701 }, NOW);
    expect(places(plan)).toEqual(["s 1 size", "s 2 size", "s 3 size"]);
    expect(plan.bytes_after).toBe(9_700);
  });

  it("counts what leaves by age before it goes by size", () => {
    const plan = planRetention(stepsOf("s", 10), { maxAgeDays: 5, maxBytes: 300 }, NOW);
    expect(places(plan)).toEqual([1, 2, 3, 4, 5, 6, 7].map((step) => `s ${step} ${step < 6 ? "age" : "size"}`));
    expect(planRetention(stepsOf("s", 10), { maxAgeDays: 5, maxBytes: 500 }, NOW).expiring).toHaveLength(5);
  });

  it("keeps each session's newest step, however old and large, and its newest finished one", () => {
    const sizes = [
      sizeOf("one", 7, 900, { bytes: 1e9 }),
      sizeOf("two", 1, 900),
      sizeOf("two", 2, 800),
      sizeOf("two", 3, 700, { has_summary: false }),
      sizeOf("two", 4, 600, { has_summary: false }),
    ];
    for (const policy of [{ maxAgeDays: 1 }, { maxBytes: 1 }]) {
      const [reason] = policy.maxBytes === undefined ? ["age"] : ["size"];
      expect(places(planRetention(sizes, policy, NOW))).toEqual([`two 1 ${reason}`, `two 3 ${reason}`]);
    }
  });

  it("never takes a time that cannot be read for old, and lets it go last", () => {
    const bad = ["", "yesterday", "2026-13-40T00:00:00Z", "\u0000"].map((at, index) =>
      sizeOf("bad", index + 1, 0, { at }),
    );
    const sizes = [...bad, sizeOf("bad", 9, 900), ...stepsOf("s", 3)];
    expect(planRetention([...bad, sizeOf("bad", 9, 900)], { maxAgeDays: 1 }, NOW).expiring).toEqual([]);
    expect(places(planRetention(sizes, { maxBytes: 500 }, NOW))).toEqual(["s 1 size", "s 2 size", "bad 1 size"]);
  });

  it("takes a clock that ran ahead for new", () => {
    expect(planRetention([sizeOf("s", 1, -400), sizeOf("s", 2, 0)], { maxAgeDays: 1 }, NOW).expiring).toEqual([]);
  });

  it("refuses limits that are none", () => {
    for (const limit of [0, -1, Number.NaN]) {
      for (const policy of [{ maxAgeDays: limit }, { maxBytes: limit }]) {
        expect(() => planRetention([], policy, NOW)).toThrow(expect.objectContaining({ kind: "InvalidConfig" }));
      }
    }
  });

  it("keeps its promises for any archive", () => {
    const step = fc.record({
      session_id: fc.constantFrom("a", "b", "c"),
      step: fc.integer({ min: 1, max: 20 }),
      days: fc.integer({ min: -5, max: 50 }),
      bytes: fc.nat(1000),
      has_summary: fc.boolean(),
      isDated: fc.boolean(),
    });
    const archive = fc.uniqueArray(step, { selector: ({ session_id, step }) => `${session_id} ${step}` });
    const limit = fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined });
    fc.assert(
      fc.property(archive, limit, limit, (steps, maxAgeDays, maxBytes) => {
        const sizes: readonly StepSize[] = steps.map(({ days, isDated, ...rest }) =>
          sizeOf(rest.session_id, rest.step, days, isDated ? rest : { ...rest, at: "?" }),
        );
        const before = JSON.stringify(sizes);
        const plan = planRetention(sizes, { maxAgeDays, maxBytes }, NOW);
        expect(JSON.stringify(sizes)).toBe(before);
        const gone = new Set(plan.expiring.map(({ session_id, step }) => `${session_id} ${step}`));
        expect(gone.size).toBe(plan.expiring.length);
        const stays = sizes.filter(({ session_id, step }) => !gone.has(`${session_id} ${step}`));
        expect(plan.bytes_after).toBe(stays.reduce((sum, { bytes }) => sum + bytes, 0));
        for (const session of new Set(sizes.map(({ session_id }) => session_id))) {
          const newest = Math.max(...sizes.filter((size) => size.session_id === session).map(({ step }) => step));
          expect(gone.has(`${session} ${newest}`)).toBe(false);
        }
        if (maxAgeDays === undefined && maxBytes === undefined) expect(gone.size).toBe(0);
        if (maxAgeDays === undefined) expect(plan.expiring.every(({ reason }) => reason === "size")).toBe(true);
        const bySize = plan.expiring.filter(({ reason }) => reason === "size");
        if (bySize.length > 0) expect(plan.bytes_after + (bySize.at(-1)?.bytes ?? 0)).toBeGreaterThan(maxBytes ?? 0);
      }),
    );
  });
});
