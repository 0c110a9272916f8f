// Confidence held against what came of it: figures, buckets and verdicts, the same to the last bit wherever the records are
// kept and in whatever order they came.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { getCalibration, verdictOf } from "../../../src/decisions/calibration.ts";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import { statisticsOf } from "../../../src/decisions/statistics.ts";
import { fill, logOf, many, OPTIONS, old, randomFrom, shuffled } from "../wisdom/records.ts";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const of = async (...records: readonly RawDecision[]) => getCalibration(await logOf(...records), {}, OPTIONS);
const sure = (count: number, prefix: string, outcome: string | null, confidence: number) =>
  many(count, prefix, outcome, { confidence });

describe("calibration", () => {
  it("says nothing of fewer than three", async () => {
    const { overall, byConfidenceBucket } = await of(
      ...sure(2, "s", "success", 0.9),
      old("n", "success"),
      old("o", null, { confidence: 1 }),
    );
    expect(overall).toEqual({
      brierScore: null,
      accuracy: null,
      avgConfidence: null,
      calibrationGap: null,
      interpretation: null,
      totalDecisions: 4,
      reviewedDecisions: 2,
    });
    expect(byConfidenceBucket).toEqual([]);
  });

  it("says nothing of an empty log", async () => {
    expect((await of()).overall).toMatchObject({ brierScore: null, totalDecisions: 0, reviewedDecisions: 0 });
  });

  it("counts success whole, partial half, and all else nothing", async () => {
    const records = [
      ...sure(6, "s", "success", 0.8),
      ...sure(2, "f", "failure", 0.8),
      ...sure(1, "p", "partial", 0.8),
      ...sure(1, "a", "abandoned", 0.8),
    ];
    const { overall, byConfidenceBucket } = await of(...records);
    expect(overall).toEqual({
      brierScore: 0.225,
      accuracy: 0.65,
      avgConfidence: 0.8,
      calibrationGap: -0.15,
      interpretation: "overconfident",
      totalDecisions: 10,
      reviewedDecisions: 10,
    });
    expect(byConfidenceBucket).toEqual([
      {
        bucket: "0.7-0.9",
        decisions: 10,
        successRate: 0.6,
        accuracy: 0.65,
        expectedRate: 0.8,
        gap: -0.15,
        interpretation: "overconfident",
      },
    ]);
  });

  it("keeps a confidence of nothing, and puts bounds in the bucket they begin", async () => {
    const confidences = [1, 0.9, 0.95, 0.7, 0.8999, 0.75, 0.5, 0.6, 0.69, 0, 0, 0.4999, 0.3];
    const { byConfidenceBucket } = await of(
      ...confidences.map((confidence, at) => old(`d${at}`, "success", { confidence })),
    );
    expect(byConfidenceBucket.map(({ bucket, decisions }) => [bucket, decisions])).toEqual([
      ["0.9-1.0", 3],
      ["0.7-0.9", 3],
      ["0.5-0.7", 3],
      ["0.0-0.5", 4],
    ]);
  });

  it("reads reviewed decisions of every age and standing, and of whom and what was asked for", async () => {
    const records = [
      old("a", "success", { confidence: 0.5, recorded_by: "planner" }, 1),
      old("b", "failure", { confidence: 0.5, superseded_by: "a", recorded_by: "planner" }, 40),
      old("c", "success", { confidence: 0.5, preserve: true, category: "tooling" }, 400),
      old("d", "success", { confidence: 0.5, status: "pending" }),
    ];
    const log = await logOf(...records);
    const count = async (request: object) => (await getCalibration(log, request, OPTIONS)).overall.reviewedDecisions;
    expect(await count({})).toBe(3);
    expect(await count({ category: "tooling" })).toBe(1);
    expect(await count({ agent: "planner" })).toBe(2);
    expect(await count({ agent: null, category: " " })).toBe(3);
  });

  it.each([
    [0, "well_calibrated"],
    [0.0499, "well_calibrated"],
    [-0.0499, "well_calibrated"],
    [0.05, "slightly_underconfident"],
    [-0.05, "slightly_overconfident"],
    [0.1, "slightly_underconfident"],
    [0.6 - 0.7, "slightly_overconfident"],
    [0.1001, "underconfident"],
    [-0.1001, "overconfident"],
  ])("calls a gap of %d %s", (gap, verdict) => {
    expect(verdictOf(gap)).toBe(verdict);
  });
});

describe("sums", () => {
  const random = randomFrom(3);
  const records = Array.from({ length: 400 }, (_, at) =>
    old(`d${at}`, ["success", "partial", "failure", "abandoned", null][Math.floor(random() * 5)] ?? null, {
      category: ["a", "b", "c"][at % 3] ?? "",
      ...(random() < 0.9 ? { confidence: random() } : {}),
    }),
  );
  /** Not rounded, so that one other bit is another text. */
  const exact = async (log: Awaited<ReturnType<typeof logOf>>) =>
    JSON.stringify(statisticsOf(await log.read((reader) => reader.tally({ filter: {} }))));

  it("are the same to the last bit in whatever order records came in", async () => {
    const expected = await exact(await logOf(...records));
    for (let seed = 1; seed <= 5; seed += 1) {
      expect(await exact(await logOf(...shuffled(records, randomFrom(seed))))).toBe(expected);
    }
  });

  it("are the same however counts are split", () => {
    const split = [0.1, 0.7, 0.3].flatMap((confidence) =>
      Array.from({ length: 7 }, (_, at) => ({
        category: `${at % 2}`,
        outcome: "success" as const,
        confidence,
        count: 1,
      })),
    );
    const whole = [0.3, 0.1, 0.7].map((confidence) => ({
      category: "x",
      outcome: "success" as const,
      confidence,
      count: 7,
    }));
    expect(JSON.stringify(statisticsOf(split))).toBe(JSON.stringify(statisticsOf(whole)));
  });

  it("are the same in memory and in SQLite", async () => {
    const { createSqliteDecisionLog } = await import("../../../src/decisions/sqlite-decision-log.ts");
    const folder = await mkdtemp(join(tmpdir(), "calibration-"));
    folders.push(folder);
    const sqlite = createSqliteDecisionLog({ path: join(folder, "decisions.db"), create: true });
    await fill(sqlite, shuffled(records, random));
    const memory = await logOf(...records);
    expect(await exact(sqlite)).toBe(await exact(memory));
    expect(await getCalibration(sqlite, {}, OPTIONS)).toEqual(await getCalibration(memory, {}, OPTIONS));
    await sqlite.close();
  });
});
