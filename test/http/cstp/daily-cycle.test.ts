// When the cycle runs by itself, what one line says of each run, and that nothing of it harms the server. Time is the
// test's own: the timetable is called by hand.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CycleResult } from "../../../src/decisions/compaction/compact-decisions.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import { createSqliteDecisionLog } from "../../../src/decisions/sqlite-decision-log.ts";
import type { TextWriter } from "../../../src/decisions/texts/text-writer.ts";
import { CompactError } from "../../../src/errors.ts";
import { decisionTextWriterOf } from "../../../src/factories/decisions.ts";
import {
  createTimetable,
  type DailyCycleParts,
  type ServeCstpParts,
  serveCstp,
  startDailyCycle,
  type Timetable,
} from "../../../src/http/decision-server.ts";

import { DAY_MS } from "../../../src/time.ts";
import { verifies } from "../../requirements/verifies.ts";
import { aged, fill, NOW } from "./cstp-server.ts";

const PATTERN = "0 3 * * *";

/** A timetable that does what the test says, when it says so. */
function handTimetable() {
  const due: (() => void)[] = [];
  const soon: (() => void)[] = [];
  const stopped: string[] = [];
  const { next, previous } = createTimetable();
  const timetable: Timetable = {
    each: (_, fire) => {
      due.push(fire);
      return () => void stopped.push("each");
    },
    after: (_, fire) => {
      soon.push(fire);
      return () => void stopped.push("after");
    },
    next,
    previous,
  };
  return {
    timetable,
    stopped,
    isDue: () => due.forEach((fire) => void fire()),
    isSoon: () => soon.forEach((fire) => void fire()),
  };
}

const RESULT: CycleResult = {
  compacted: 3,
  preserved: 1,
  levels: { full: 1, summary: 1, digest: 1, wisdom: 0 },
  dryRun: false,
  changed: [],
  changedTotal: 2,
  errors: [{ id: "bad", code: "UNREADABLE_DATE", message: "Its date cannot be read, so it stays full." }],
  run: {
    id: "1",
    started_at: "2026-02-15T12:00:00Z",
    finished_at: "2026-02-15T12:00:01Z",
    trigger: "schedule",
    total: 3,
    preserved: 1,
    levels: { full: 1, summary: 1, digest: 1, wisdom: 0 },
    changed: 2,
    texts: { llm: 1, extractive: 1, failed: 1 },
  },
};

function start(parts: Partial<DailyCycleParts> = {}) {
  const hand = handTimetable();
  const lines: string[] = [];
  const cycle = startDailyCycle({
    schedule: PATTERN,
    run: async () => RESULT,
    lastRun: async () => NOW,
    now: () => NOW,
    log: (line) => void lines.push(line),
    timetable: hand.timetable,
    ...parts,
  });
  return { ...hand, cycle, lines };
}

/** A promise that the test keeps when it wants to. */
function promised<T = void>() {
  let keep: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}

/** Promises that are settled have told so. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a schedule", () => {
  it("runs a cycle at each of its times and says so in one line", async () => {
    const { isDue, lines } = start();
    isDue();
    await settled();
    isDue();
    await settled();
    const line =
      "Cycle done in 0 ms: 3 decisions; 2 with another level; 1 preserved; texts 1 by code, 1 by a model, 1 failed; records not served as they should be: 1.";
    expect(lines).toEqual([line, line]);
  });

  it("that is off runs nothing", async () => {
    const { isDue, isSoon, lines, cycle } = start({ schedule: "off" });
    isDue();
    isSoon();
    await settled();
    expect([lines, cycle.nextRun()]).toEqual([[], undefined]);
    await cycle.stop();
  });

  it("leaves a run out while the last one still runs", async () => {
    const result = promised<CycleResult>();
    let runs = 0;
    const { isDue, lines } = start({
      run: () => {
        runs += 1;
        return result.promise;
      },
    });
    isDue();
    isDue();
    expect(runs).toBe(1);
    result.keep(RESULT);
    await settled();
    isDue();
    expect(runs).toBe(2);
    expect(lines[0]).toBe("Cycle left out: the last one still runs.");
  });

  it("knows when it runs next, in local time", () => {
    const { cycle } = start();
    const next = new Date(cycle.nextRun() ?? 0);
    expect([next.getHours(), next.getMinutes(), next.getTime() > NOW, next.getTime() - NOW <= DAY_MS]).toEqual([
      3,
      0,
      true,
      true,
    ]);
  });
});

describe("a run that fails", () => {
  it.each([
    [
      new CompactError("Conflict", "A cycle is running.", { code: "CYCLE_RUNNING" }),
      "Cycle left out: A cycle is running.",
    ],
    [
      new CompactError("StoreFailed", "The disk is full.", { code: "DISK_FULL" }),
      "Cycle of 2026-02-15T12:00:00.000Z failed: DISK_FULL: The disk is full.",
    ],
    [new SyntaxError("the words of a decision"), /^Cycle failed unexpectedly: SyntaxError\n\s+at /],
    ["text", "Cycle failed unexpectedly: string"],
  ])("tells %s and goes on", async (error, expected) => {
    let fails = true;
    const { isDue, lines } = start({ run: async () => (fails ? Promise.reject(error) : RESULT) });
    isDue();
    await settled();
    if (typeof expected === "string") expect(lines).toEqual([expected]);
    else expect(lines[0]).toMatch(expected);
    expect(lines.join()).not.toContain("words of a decision");
    fails = false;
    isDue();
    await settled();
    expect(lines[1]).toMatch(/^Cycle done/);
  });
});

describe("soon after the start", () => {
  /** Last Sunday at three and a bit; the test's now is at noon. */
  const lastDue = createTimetable().previous(PATTERN, NOW) ?? 0;

  it.each([
    ["a day was missed", lastDue - DAY_MS, 1],
    ["the last time was missed by a minute", lastDue - 60_000, 1],
    ["there never was a run", undefined, 1],
    ["the last time was kept", lastDue + 1000, 0],
    ["somebody asked for a cycle after it", NOW - 1000, 0],
  ])("%s", async (_, last, runs) => {
    const { isSoon, lines } = start({ lastRun: async () => last });
    isSoon();
    await settled();
    await settled();
    expect(lines.filter((line) => line.startsWith("Cycle done"))).toHaveLength(runs);
  });

  it("a log that cannot be read is told by the run", async () => {
    const fault = new CompactError("StoreFailed", "The file is no database.", { code: "NO_DATABASE" });
    const { isSoon, lines } = start({ lastRun: () => Promise.reject(fault), run: () => Promise.reject(fault) });
    isSoon();
    await settled();
    await settled();
    expect(lines).toEqual(["Cycle of 2026-02-15T12:00:00.000Z failed: NO_DATABASE: The file is no database."]);
  });
});

describe("the end", () => {
  it("aborts the run there is, waits for it, and starts no other", async () => {
    const { isDue, isSoon, lines, cycle, stopped } = start({
      lastRun: async () => undefined,
      run: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    isDue();
    await cycle.stop();
    expect(lines).toEqual(["Cycle stopped: the server ends. What it had written stays."]);
    expect(stopped).toEqual(["each", "after"]);
    isDue();
    isSoon();
    await settled();
    expect(lines).toHaveLength(1);
  });
});

describe("croner's timetable", () => {
  it("calls at the times of a pattern until it is stopped, and once after a while", async () => {
    const timetable = createTimetable();
    let calls = 0;
    await new Promise<void>((resolve) => {
      const stop = timetable.each("* * * * * *", () => {
        calls += 1;
        stop();
        resolve();
      });
    });
    expect(calls).toBe(1);
    await new Promise<void>((resolve) => void timetable.after(1, resolve));
    timetable.after(1, () => expect.unreachable())();
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it("knows the times before and after", () => {
    const { previous, next } = createTimetable();
    const [before, after] = [previous(PATTERN, NOW) ?? 0, next(PATTERN, NOW) ?? 0];
    expect(before < NOW && NOW < after && after - before <= DAY_MS + 3_600_000).toBe(true);
  });
});

/** A server whose log is the test's, until the test ends it. */
function serving(log: DecisionLog, parts: Partial<ServeCstpParts> = {}, texts: TextWriter = decisionTextWriterOf({})) {
  const hand = handTimetable();
  const lines: string[] = [];
  const end = new AbortController();
  const listening = promised<string>();
  const ended = serveCstp({
    context: { log: async () => log, policies: decisionPolicies(), texts, now: () => NOW },
    port: 0,
    schedule: PATTERN,
    log: (line) => void lines.push(line),
    signal: end.signal,
    timetable: hand.timetable,
    onListening: ({ url }) => listening.keep(url),
    ...parts,
  });
  const stop = () => {
    end.abort();
    return ended;
  };
  onTestFinished(stop);
  return { ...hand, lines, listening: listening.promise, stop };
}

describe("a server", () => {
  it("runs a cycle by its schedule, as one by request", async () => {
    verifies("decisions/process-trigger");
    const log = createMemoryDecisionLog();
    await fill(log, [aged("old-1", 40), aged("new-1", 1)]);
    const { isDue, lines, listening } = serving(log);
    const url = await listening;
    isDue();
    while (lines.length === 0) await settled();
    expect(lines[0]).toMatch(
      /^Cycle done in \d+ ms: 2 decisions; 1 with another level; 0 preserved; texts 1 by code, 0 by a model\.$/,
    );
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "cstp.compact", params: {} });
    const answer = (await (await fetch(url, { method: "POST", body })).json()) as { readonly result: CycleResult };
    expect(answer.result).toMatchObject({ changedTotal: 0, run: { trigger: "request" } });
    const runs = await log.read((reader) => reader.runs(10));
    expect(runs.map(({ trigger }) => trigger)).toEqual(["request", "schedule"]);
  });

  it("leaves its cycle out while another process runs one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "agent-compact-cycle-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "decisions.db");
    const [one, other] = [createSqliteDecisionLog({ path, create: true }), createSqliteDecisionLog({ path })];
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
    await fill(one, [aged("old-1", 40)]);
    await other.write((writer) => writer.setState("lease", { owner: "other", expires_at: "2026-02-15T12:05:00Z" }));
    const { isDue, lines, listening } = serving(one);
    await listening;
    isDue();
    while (lines.length === 0) await settled();
    expect(lines).toEqual([expect.stringMatching(/^Cycle left out: /)]);
  });

  it("that ends aborts a cycle that waits for a model, and lets the next one begin at once", async () => {
    const log = createMemoryDecisionLog();
    await fill(log, [aged("old-1", 40)]);
    const asked = promised();
    const texts: TextWriter = {
      strategy: "brief",
      model: "slow",
      write: (_, __, { signal } = {}) =>
        new Promise((__, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
          asked.keep();
        }),
    };
    const { isDue, lines, listening, stop } = serving(log, {}, texts);
    await listening;
    isDue();
    await asked.promise;
    await stop();
    expect(lines).toEqual(["Cycle stopped: the server ends. What it had written stays."]);
    expect(await log.read((reader) => reader.state("lease"))).toBeUndefined();
    expect(await log.read((reader) => reader.runs(1))).toEqual([]);
  });

  it("that ends stops a cycle that was asked for, and says so to who asked", async () => {
    const log = createMemoryDecisionLog();
    await fill(log, [aged("old-1", 40)]);
    const asked = promised();
    const texts: TextWriter = {
      strategy: "brief",
      model: "slow",
      write: (_, __, { signal } = {}) =>
        new Promise((__, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
          asked.keep();
        }),
    };
    const { lines, listening, stop } = serving(log, {}, texts);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "cstp.compact" });
    const answer = fetch(await listening, { method: "POST", body });
    await asked.promise;
    await stop();
    expect(await (await answer).json()).toMatchObject({ error: { code: -32_603, data: { code: "STOPPED" } } });
    expect(lines).toEqual([]);
  });

  it("that ends lets a call that runs come to its end", async () => {
    const log = createMemoryDecisionLog();
    const [gate, entered] = [promised(), promised()];
    const context = {
      policies: decisionPolicies(),
      texts: decisionTextWriterOf({}),
      now: () => NOW,
      log: async () => {
        entered.keep();
        await gate.promise;
        return log;
      },
    };
    const { listening, stop } = serving(log, { context });
    const url = await listening;
    const params = { id: "last-one", decision: "x", category: "y" };
    const answer = fetch(url, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "cstp.recordDecision", params }),
    });
    await entered.promise;
    const stopped = stop();
    gate.keep();
    expect(await (await answer).json()).toMatchObject({ result: { id: "last-one" } });
    await stopped;
    expect(await log.read((reader) => reader.idsLike("last-one", 2))).toEqual(["last-one"]);
  });

  it("says which port is taken", async () => {
    const { listening } = serving(createMemoryDecisionLog());
    const port = Number(new URL(await listening).port);
    const second = serveCstp({
      context: {
        log: async () => createMemoryDecisionLog(),
        policies: decisionPolicies(),
        texts: decisionTextWriterOf({}),
        now: () => NOW,
      },
      port,
      schedule: "off",
      log: () => undefined,
      signal: new AbortController().signal,
      onListening: () => undefined,
    });
    await expect(second).rejects.toMatchObject({ kind: "Conflict", code: "PORT_IN_USE" });
  });
});
