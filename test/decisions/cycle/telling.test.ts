// What plans and cycles tell: counts, ids and how long they took; each failure as one event.
import { describe, expect, it } from "vitest";
import { applyDecisionCompaction } from "../../../src/decisions/compaction/apply-decision-compaction.ts";
import { carryOutCycle, compactDecisions } from "../../../src/decisions/compaction/compact-decisions.ts";
import { planDecisionCompaction } from "../../../src/decisions/compaction/plan-decision-compaction.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import { filled } from "../levels/logs.ts";
import { aged, NOW, options } from "../levels/records.ts";
import { recordedTrace, scriptedTexts } from "./cycles.ts";

const RECORDS = [aged("short", 12, { lessons: "Ask the walrus" }), aged("line", 40), aged("gone", 100)];
const open = () => filled(async () => createMemoryDecisionLog(), RECORDS);

/** A clock that stands still but while a text is written. */
function working(seconds: number) {
  let now = NOW;
  const texts = scriptedTexts(() => {
    now += seconds * 1000;
    return undefined;
  });
  return { texts, clock: () => now };
}

const barOf = (event: { started_at?: string; duration_ms?: number } | undefined) => [
  Date.parse(event?.started_at ?? "") - NOW,
  event?.duration_ms,
];

describe("decisions tell", () => {
  it("of a cycle as long as it took, its plan apart", async () => {
    const log = await open();
    const { trace, events } = recordedTrace();
    const { texts, clock } = working(20);
    const { run } = await compactDecisions(log, {}, { ...options, trace, texts, clock });
    expect(events.map(({ event }) => event)).toEqual(["compact.plan", "compact.applied"]);
    expect(events.map(barOf)).toEqual([
      [0, 0],
      [0, 40_000],
    ]);
    expect(Date.parse(run?.finished_at ?? "") - Date.parse(run?.started_at ?? "")).toBe(40_000);
  });

  it("of a plan that is applied, from when that was asked for", async () => {
    const log = await open();
    const { trace, events } = recordedTrace();
    const { texts, clock } = working(20);
    const plan = await planDecisionCompaction(log, {}, options);
    await applyDecisionCompaction(log, plan, { ...options, trace, texts, clock });
    expect(events).toMatchObject([{ event: "compact.applied", counts: { changed: 3 } }]);
    expect(barOf(events[0])).toEqual([0, 40_000]);
    expect(JSON.stringify(events)).not.toContain("walrus");
  });

  it.each<[string, (log: DecisionLog, trace: ReturnType<typeof recordedTrace>["trace"]) => Promise<unknown>]>([
    ["a plan", (log, trace) => planDecisionCompaction(log, {}, { ...options, trace })],
    ["an apply", (log, trace) => applyDecisionCompaction(log, {}, { ...options, trace })],
    ["a dry run", (log, trace) => compactDecisions(log, { dryRun: true }, { ...options, trace })],
    ["a cycle", (log, trace) => compactDecisions(log, {}, { ...options, trace })],
    ["a cycle with its plan", (log, trace) => carryOutCycle(log, {}, { ...options, trace })],
  ])("of %s that fails, once, without its words", async (_name, act) => {
    const refuse = () => Promise.reject(new Error("the walrus is gone"));
    const log: DecisionLog = { ...(await open()), read: refuse, write: refuse };
    const { trace, events } = recordedTrace();
    await expect(act(log, trace)).rejects.toThrow();
    expect(events).toMatchObject([{ event: "compact.error", part: "decisions", status: "error" }]);
    expect(barOf(events[0])).toEqual([expect.any(Number), expect.any(Number)]);
    expect(JSON.stringify(events)).not.toContain("walrus");
  });

  it("of a cycle that was carried out and could not be answered for: both", async () => {
    const log = await open();
    let hasRun = false;
    const breaking: DecisionLog = {
      ...log,
      write: (work) => log.write(work).finally(() => (hasRun = true)),
      read: (work) => (hasRun && events.length === 2 ? Promise.reject(new Error("gone")) : log.read(work)),
    };
    const { trace, events } = recordedTrace();
    await expect(compactDecisions(breaking, {}, { ...options, trace })).rejects.toThrow("gone");
    expect(events.map(({ event }) => event)).toEqual(["compact.plan", "compact.applied", "compact.error"]);
  });
});
