// Whole cycles: what they tell and leave behind, dry runs, texts that are written anew, and figures that do not drift.
import { describe, expect, it } from "vitest";
import { compactDecisions } from "../../../src/decisions/compaction/compact-decisions.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { getCompacted } from "../../../src/decisions/serving/query-decisions.ts";
import { filled, logs, rawRecords } from "../levels/logs.ts";
import { aged, options } from "../levels/records.ts";
import { recordedTrace, scriptedTexts } from "./cycles.ts";

const RECORDS = [
  aged("fresh", 1),
  aged("kept", 400, { preserve: true }),
  aged("open", 400, { status: "pending" }),
  aged("short", 12, { lessons: "Ask first", confidence: 0.7 }),
  aged("line", 40, { outcome: "failure", confidence: 0.35 }),
  aged("gone", 100, { outcome: "partial", confidence: 0 }),
  aged("bad", 0, { date: "soon" }),
];

const side = (log: DecisionLog) =>
  log.read(async (reader) => ({
    runs: await reader.runs(100),
    texts: await reader.texts(await reader.idsLike("", 1000)),
    state: [await reader.state("lease"), await reader.state("last_run")],
    changes: await reader.levelChanges({ policies: options.policies, now: options.now }, {}),
  }));

describe.each(logs)("a cycle over a %s log", (_, open) => {
  it("looks at every decision, tells what changed and keeps a run; a second one finds nothing to do", async () => {
    const log = await filled(open, RECORDS);
    const { trace, events } = recordedTrace();
    const { run, ...result } = await compactDecisions(log, { trigger: "schedule" }, { ...options, trace });
    expect(result).toEqual({
      compacted: 7,
      preserved: 1,
      levels: { full: 4, summary: 1, digest: 1, wisdom: 1 },
      dryRun: false,
      changed: [
        { id: "short", from: "full", to: "summary" },
        { id: "line", from: "full", to: "digest" },
        { id: "gone", from: "full", to: "wisdom" },
      ],
      changedTotal: 3,
      errors: [{ id: "bad", code: "UNREADABLE_DATE", message: "Its date cannot be read, so it stays full." }],
    });
    expect(run).toMatchObject({ trigger: "schedule", total: 7, changed: 3 });
    expect(events.map(({ event }) => event)).toEqual(["compact.plan", "compact.applied"]);
    const again = await compactDecisions(log, {}, options);
    expect(again).toMatchObject({ compacted: 7, changed: [], changedTotal: 0, levels: result.levels });
    expect((await side(log)).runs).toHaveLength(2);
    expect((await compactDecisions(log, { category: "none" }, options)).compacted).toBe(0);
  });

  it("names at most a hundred changes and counts all of them", async () => {
    const log = await filled(
      open,
      Array.from({ length: 104 }, (_, at) => aged(`id-${at}`, 10)),
    );
    const { changed, changedTotal } = await compactDecisions(log, {}, options);
    expect([changed.length, changedTotal]).toEqual([100, 104]);
  });

  it("writes nothing at all in a dry run, and says what it would change", async () => {
    const log = await filled(open, RECORDS);
    const before = [await side(log), await rawRecords(log)];
    const texts = scriptedTexts();
    const result = await compactDecisions(log, { dryRun: true }, { ...options, texts });
    expect(result).toMatchObject({ dryRun: true, compacted: 7, changedTotal: 3 });
    expect(result).not.toHaveProperty("run");
    expect([await side(log), await rawRecords(log)]).toEqual(before);
    expect(texts.asked).toEqual([]);
    const { run: _run, dryRun: _dry, ...done } = await compactDecisions(log, {}, { ...options, texts });
    expect(result).toMatchObject(done);
  });

  it("writes texts anew whose record or writer is another, and no others", async () => {
    const log = await filled(open, RECORDS);
    const [code, small, large] = [
      scriptedTexts(undefined, "extractive"),
      scriptedTexts(undefined, "small"),
      scriptedTexts(undefined, "large"),
    ];
    const counts = async (texts: typeof code) => (await compactDecisions(log, {}, { ...options, texts })).run?.texts;
    expect(await counts(code)).toEqual({ llm: 0, extractive: 2, failed: 0 });
    expect(await counts(small)).toEqual({ llm: 2, extractive: 0, failed: 0 });
    expect(await counts(small)).toEqual({ llm: 0, extractive: 0, failed: 0 });
    await log.write((writer) => writer.change("short", { lessons: "Ask twice" }));
    expect(await counts(small)).toEqual({ llm: 1, extractive: 0, failed: 0 });
    expect(small.asked).toEqual(["short summary", "line digest", "short summary"]);
    const { decisions } = await getCompacted(log, { level: "summary" }, options);
    expect(decisions[0]?.summary).toBe("summary of short: Ask twice");
    expect(await counts(large)).toEqual({ llm: 2, extractive: 0, failed: 0 });
  });

  it("plans again when a record changes while a text is written", async () => {
    const log = await filled(open, RECORDS);
    let changes = 0;
    const texts = scriptedTexts(async ({ id }) => {
      if (id === "short" && changes++ < 2) {
        await log.write((writer) => writer.change("short", { lessons: `Lesson ${changes}` }));
      }
      return undefined;
    });
    const { run, changedTotal } = await compactDecisions(log, {}, { ...options, texts });
    expect(changedTotal).toBe(3);
    expect(texts.asked).toEqual(["short summary", "line digest", "short summary", "short summary"]);
    expect(run?.texts).toEqual({ llm: 4, extractive: 0, failed: 0 });
    const { decisions } = await getCompacted(log, { level: "summary" }, options);
    expect(decisions[0]?.summary).toBe("summary of short: Lesson 2");
  });

  it("gives up when a record changes again and again, and lets go of the lease", async () => {
    const log = await filled(open, RECORDS);
    let changes = 0;
    const texts = scriptedTexts(async ({ id }) => {
      await log.write((writer) => writer.change(id, { lessons: `Lesson ${changes++}` }));
      return undefined;
    });
    await expect(compactDecisions(log, {}, { ...options, texts })).rejects.toMatchObject({ code: "STALE_PLAN" });
    expect((await side(log)).runs).toEqual([]);
    expect((await compactDecisions(log, {}, options)).changedTotal).toBe(3);
  });

  it("ends when it is told to, keeps the texts it has, and the next one goes on from there", async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `id-${at}`);
    const log = await filled(
      open,
      ids.map((id) => aged(id, 10)),
    );
    const stop = new AbortController();
    const texts = scriptedTexts(({ id }) => {
      if (id === "id-4") stop.abort();
      return undefined;
    });
    const { trace, events } = recordedTrace();
    await expect(compactDecisions(log, {}, { ...options, texts, trace, signal: stop.signal })).rejects.toThrow(
      /abort/i,
    );
    const left = await side(log);
    expect([left.runs, left.state, left.changes.length]).toEqual([[], [undefined, undefined], 10]);
    const had = left.texts.length;
    expect(had).toBeGreaterThanOrEqual(4);
    expect(had).toBeLessThan(10);
    expect(events.at(-1)).toMatchObject({ event: "compact.error", error_type: "Aborted" });
    const { run } = await compactDecisions(log, {}, { ...options, texts });
    expect(run?.texts.llm).toBe(10 - had);
  });

  it("tells a failure of the writer without its words, and keeps what the others wrote", async () => {
    const log = await filled(open, RECORDS);
    const texts = scriptedTexts(({ id, text }) => {
      if (id === "line") throw new Error(`Cannot write: ${text}`);
      return undefined;
    });
    const { trace, events } = recordedTrace();
    await expect(compactDecisions(log, {}, { ...options, texts, trace })).rejects.toThrow("Cannot write");
    expect(events.at(-1)).toMatchObject({ event: "compact.error", part: "decisions", error_type: "Unexpected" });
    expect(JSON.stringify(events)).not.toContain("Decision line");
    expect((await side(log)).texts.map(({ id }) => id)).toEqual(["short"]);
  });
});
