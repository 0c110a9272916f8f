// What plans, compactions and restores tell: counts, ids and how long they took; each failure as one event.
import { describe, expect, it } from "vitest";
import { applyObservationCompaction } from "../../src/observations/compaction/apply-observation-compaction.ts";
import { compactObservations } from "../../src/observations/compaction/compact-observations.ts";
import { planObservationCompaction } from "../../src/observations/compaction/plan-observation-compaction.ts";
import { restoreObservations } from "../../src/observations/compaction/restore-observations.ts";
import type { ObservationStore } from "../../src/observations/observation-store.ts";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import type { NewCompactEvent } from "../../src/trace/emit.ts";
import { count, longNote, NOW, storeOf } from "./grouping/rows.ts";

const now = NOW;
const summarizer = createExtractiveSummarizer();
const request = { olderThanDays: 30, summarizer, count };
/** Two topics, so two groups. */
const notes = ["a", "b"].flatMap((family, at) =>
  [1, 2, 3, 4].map((number) => ({
    title: `walrus ${number}`,
    content: longNote(10 * at + number),
    topic_key: `${family}/n${number}`,
  })),
);

function listening() {
  const events: NewCompactEvent[] = [];
  return { events, trace: { emit: (event: NewCompactEvent) => void events.push(event) } };
}

/** What it told, checked: whole bars, and nothing but the names, counts and ids of its kind. */
function toldBy(events: readonly NewCompactEvent[]): readonly string[] {
  for (const event of events) {
    expect(event).toMatchObject({ part: "observations", duration_ms: expect.any(Number) });
    expect(Date.parse(event.started_at ?? "")).toBeGreaterThanOrEqual(now);
    if (!("counts" in event)) continue;
    expect(Object.keys(event).sort()).toEqual(
      ["event", "part", "session_id", "ids", "counts", "started_at", "duration_ms"].sort(),
    );
    expect(event.ids.every((id) => typeof id === "number")).toBe(true);
    expect(Object.values(event.counts).every((figure) => typeof figure === "number")).toBe(true);
  }
  return events.map((event) => (event.event === "compact.error" ? `${event.event} ${event.code ?? ""}` : event.event));
}

describe("observations tell", () => {
  it("of a plan, its apply and the way back, from when each was asked for", async () => {
    const store = await storeOf(notes);
    const { trace, events } = listening();
    const plan = await planObservationCompaction(store, request, { now, trace });
    const { applied } = await applyObservationCompaction(store, plan, { now: now + 1000, trace });
    await restoreObservations(store, { summaryId: applied[0]?.restore.summary_id }, { now: now + 2000, trace });
    expect(toldBy(events)).toEqual(["compact.plan", "compact.applied", "compact.restored"]);
    const starts = events.map(({ started_at }) => Date.parse(started_at ?? "") - now);
    expect(starts).toEqual([0, 1000, 2000]);
    expect(JSON.stringify(events)).not.toContain("walrus");
  });

  it.each<[string, (store: ObservationStore, trace: ReturnType<typeof listening>["trace"]) => Promise<unknown>]>([
    ["a plan", (store, trace) => planObservationCompaction(store, request, { now, trace })],
    ["a compaction", (store, trace) => compactObservations(store, { olderThanDays: 30, ids: [1] }, { now, trace })],
    ["an apply", (store, trace) => applyObservationCompaction(store, {}, { now, trace })],
    ["a restore", (store, trace) => restoreObservations(store, { ids: [1] }, { now, trace })],
  ])("of %s that fails, once, whatever failed, without its words", async (_name, act) => {
    const refuse = () => Promise.reject(new Error("row 1 says walrus"));
    const store: ObservationStore = { ...(await storeOf(notes)), read: refuse, write: refuse };
    const { trace, events } = listening();
    await expect(act(store, trace)).rejects.toThrow();
    expect(toldBy(events)).toHaveLength(1);
    expect(events).toMatchObject([{ event: "compact.error", status: "error", fallback: "none" }]);
    expect(JSON.stringify(events)).not.toContain("walrus");
  });

  it("of a request that makes no sense, once", async () => {
    const store = await storeOf(notes);
    const { trace, events } = listening();
    await expect(planObservationCompaction(store, { ...request, olderThanDays: -1 }, { now, trace })).rejects.toThrow();
    await expect(compactObservations(store, { olderThanDays: 30, ids: [] }, { now, trace })).rejects.toThrow();
    await expect(restoreObservations(store, {}, { now, trace })).rejects.toThrow();
    expect(toldBy(events)).toHaveLength(3);
    expect(events.every(({ event }) => event === "compact.error")).toBe(true);
  });

  it("of a group that is refused, and of the others that were applied", async () => {
    const store = await storeOf(notes);
    const plan = await planObservationCompaction(store, request, { now });
    expect(plan.groups).toHaveLength(2);
    const [changed] = plan.groups[0]?.ids ?? [];
    await store.write(async (rows) => rows.changeObservations([changed ?? 0], { deleted_at: "2026-05-01 00:00:00" }));
    const { trace, events } = listening();
    const { refused } = await applyObservationCompaction(store, plan, { now, trace });
    expect(refused).toHaveLength(1);
    expect(toldBy(events)).toEqual(["compact.error STALE_PLAN", "compact.applied"]);
    expect(events.at(-1)).toMatchObject({ ids: plan.groups[1]?.ids, counts: { groups: 1, refused: 1 } });
  });

  it("of groups that were applied before one broke down", async () => {
    const store = await storeOf(notes);
    const plan = await planObservationCompaction(store, request, { now });
    let writes = 0;
    const breaking: ObservationStore = {
      ...store,
      write: (work) => (++writes === 2 ? Promise.reject(new TypeError("x")) : store.write(work)),
    };
    const { trace, events } = listening();
    await expect(applyObservationCompaction(breaking, plan, { now, trace })).rejects.toThrow(TypeError);
    expect(toldBy(events)).toEqual(["compact.applied", "compact.error "]);
    expect(events[0]).toMatchObject({ ids: plan.groups[0]?.ids, counts: { groups: 1 } });
  });
});
