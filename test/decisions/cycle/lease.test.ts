// One cycle at a time, also over two connections and in two processes; a lease that is left behind runs out.
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { applyDecisionCompaction } from "../../../src/decisions/compaction/apply-decision-compaction.ts";
import { compactDecisions } from "../../../src/decisions/compaction/compact-decisions.ts";
import { LEASE_MS } from "../../../src/decisions/compaction/cycle-lease.ts";
import { planDecisionCompaction } from "../../../src/decisions/compaction/plan-decision-compaction.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { ownMark } from "../../../src/storage/process-mark.ts";
import { firstWords, start } from "../../observations/children/start.ts";
import { closing, filled, logs, rawRecords, temporaryFolder } from "../levels/logs.ts";
import { aged, NOW, options } from "../levels/records.ts";
import { openShared, SHARED } from "../levels/shared-logs.ts";
import { recordedTrace, scriptedTexts } from "./cycles.ts";

const RUNNING = { kind: "Conflict", code: "CYCLE_RUNNING" };
const RECORDS = [aged("a", 10), aged("b", 40), aged("c", 100)];

const lease = (log: DecisionLog) => log.read((reader) => reader.state("lease"));
const runs = (log: DecisionLog) => log.read((reader) => reader.runs(100));

/** Resolves when `open` is called. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A cycle that waits inside its first text, until it is let go. */
function waitingCycle(log: DecisionLog, clock?: () => number) {
  const [started, going] = [gate(), gate()];
  const texts = scriptedTexts(async () => {
    started.open();
    await going.opened;
    return undefined;
  });
  const done = compactDecisions(log, {}, { ...options, texts, ...(clock === undefined ? {} : { clock }) });
  done.catch(() => undefined);
  return { started: started.opened, go: going.open, done };
}

describe.each(logs)("the lease of a %s log", (_, open) => {
  it("holds up a second cycle and an apply while one runs, and is given back", async () => {
    const log = await filled(open, RECORDS);
    const plan = await planDecisionCompaction(log, {}, options);
    const first = waitingCycle(log);
    await first.started;
    expect(await lease(log)).toMatchObject({ expires_at: expect.stringMatching(/^2026-02-15T12:1/) });
    const { trace, events } = recordedTrace();
    await expect(compactDecisions(log, {}, { ...options, trace })).rejects.toMatchObject(RUNNING);
    expect(events).toMatchObject([{ event: "compact.error", code: "CYCLE_RUNNING" }]);
    await expect(applyDecisionCompaction(log, plan, options)).rejects.toMatchObject(RUNNING);
    expect((await compactDecisions(log, { dryRun: true }, options)).changedTotal).toBe(3);
    first.go();
    expect((await first.done).changedTotal).toBe(3);
    expect(await lease(log)).toBeUndefined();
    expect(await runs(log)).toHaveLength(1);
    expect((await compactDecisions(log, {}, options)).changedTotal).toBe(0);
  });

  it("that a crash left behind is taken over once it ran out, and not before", async () => {
    const log = await filled(open, RECORDS);
    const before = await rawRecords(log);
    const expires = new Date(NOW + LEASE_MS).toISOString();
    await log.write((writer) => writer.setState("lease", { owner: "crashed", expires_at: expires }));
    const late = (ms: number) => ({ ...options, clock: () => NOW + ms });
    await expect(compactDecisions(log, {}, late(LEASE_MS - 1))).rejects.toMatchObject({
      ...RUNNING,
      data: { expires_at: expires },
    });
    expect(await runs(log)).toEqual([]);
    expect((await compactDecisions(log, {}, late(LEASE_MS))).changedTotal).toBe(3);
    expect(await lease(log)).toBeUndefined();
    expect(await rawRecords(log)).toEqual(before);
  });

  it("of a clock that ran ahead is no lease; one of a clock that is a little off is", async () => {
    const log = await filled(open, RECORDS);
    const held = (expires: number) =>
      log.write((writer) => writer.setState("lease", { owner: "ahead", expires_at: new Date(expires).toISOString() }));
    await held(NOW + LEASE_MS + 30_000);
    await expect(compactDecisions(log, {}, options)).rejects.toMatchObject(RUNNING);
    for (const expires of [NOW + 2 * LEASE_MS, Date.parse("2099-01-01T00:00:00Z")]) {
      await held(expires);
      await compactDecisions(log, {}, options);
      expect(await lease(log)).toBeUndefined();
    }
    expect(await runs(log)).toHaveLength(2);
  });

  it("is held for a process that may be alive: of another machine, of this one, of none that is named", async () => {
    const log = await filled(open, RECORDS);
    const own = await ownMark();
    if (own === undefined) throw new Error("no process");
    const held = (holder: unknown) =>
      log.write((writer) =>
        writer.setState("lease", { owner: "x", expires_at: new Date(NOW + LEASE_MS / 2).toISOString(), holder }),
      );
    for (const holder of [own, { ...own, machine: "another", pid: 4_194_303 }, "broken", undefined]) {
      await held(holder);
      await expect(compactDecisions(log, {}, options)).rejects.toMatchObject(RUNNING);
    }
    const isToldApart = own.started !== undefined;
    for (const dead of [{ ...own, pid: 4_194_303 }, ...(isToldApart ? [{ ...own, started: "1" }] : [])]) {
      await held(dead);
      expect((await compactDecisions(log, {}, options)).run).toBeDefined();
    }
  });

  it("that cannot be read holds nobody up", async () => {
    const log = await filled(open, RECORDS);
    for (const value of [{ owner: "x", expires_at: "whenever" }, "broken", { owner: 1 }]) {
      await log.write((writer) => writer.setState("lease", value));
      await compactDecisions(log, {}, options);
    }
    expect(await runs(log)).toHaveLength(3);
  });

  it("is renewed while texts are written", async () => {
    const log = await filled(
      open,
      Array.from({ length: 40 }, (_, at) => aged(`id-${at}`, 10)),
    );
    let now = NOW;
    const ends = new Set<string>();
    const texts = scriptedTexts(async () => {
      now += LEASE_MS / 20;
      ends.add(((await lease(log)) as { expires_at: string }).expires_at);
      expect(Date.parse([...ends].at(-1) ?? "")).toBeGreaterThan(now - LEASE_MS / 5);
      return undefined;
    });
    const { run } = await compactDecisions(log, {}, { ...options, texts, clock: () => now });
    expect(run?.texts.llm).toBe(40);
    expect(ends.size).toBeGreaterThanOrEqual(3);
    expect(run).toMatchObject({
      started_at: new Date(NOW).toISOString(),
      finished_at: new Date(NOW + 2 * LEASE_MS).toISOString(),
    });
  });

  it("that was lost to another cycle lets the first one set nothing", async () => {
    const log = await filled(open, RECORDS);
    const first = waitingCycle(log, () => NOW);
    await first.started;
    const second = await compactDecisions(log, {}, { ...options, clock: () => NOW + LEASE_MS });
    expect(second.changedTotal).toBe(3);
    first.go();
    await expect(first.done).rejects.toMatchObject({ kind: "Conflict", code: "CYCLE_LOST" });
    expect(await runs(log)).toEqual([second.run]);
  });
});

describe.each(SHARED)("two connections to a %s log", (kind) => {
  const connect = (folder: string) => openShared(kind, folder);

  it("run one cycle at a time", async () => {
    const folder = await temporaryFolder();
    const [one, two] = [await filled(async () => connect(folder), RECORDS), closing(connect(folder))];
    const first = waitingCycle(one);
    await first.started;
    await expect(compactDecisions(two, {}, options)).rejects.toMatchObject(RUNNING);
    first.go();
    await first.done;
    expect(await runs(two)).toHaveLength(1);
    expect((await compactDecisions(two, {}, options)).changedTotal).toBe(0);
    const both = await Promise.allSettled([one, two].map((log) => compactDecisions(log, {}, options)));
    const refused = both.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refused.length).toBeLessThan(2);
    for (const reason of refused) expect(reason).toMatchObject(RUNNING);
  });

  it("of which one was killed in the middle of a cycle leave nothing: the other sees that it is dead", async () => {
    const folder = await temporaryFolder();
    const log = await filled(async () => connect(folder), RECORDS);
    const before = await rawRecords(log);
    const child = start(new URL("stuck-cycle.ts", import.meta.url), kind, folder, String(NOW));
    try {
      expect(await firstWords(child)).toMatch(/^writing\n/);
      await expect(compactDecisions(log, {}, options)).rejects.toMatchObject(RUNNING);
    } finally {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    expect(await runs(log)).toEqual([]);
    expect(await rawRecords(log)).toEqual(before);
    expect((await compactDecisions(log, {}, options)).changedTotal).toBe(3);
  });
});
