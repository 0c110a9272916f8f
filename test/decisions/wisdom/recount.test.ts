// The figures of a log are those of a plain recount of its raw records, whatever order they came in and whatever is done to
// the log besides. The recount here shares nothing with the code but the key of a wording.
import { describe, expect, it } from "vitest";
import { getCalibration } from "../../../src/decisions/calibration.ts";
import { compactDecisions } from "../../../src/decisions/compaction/compact-decisions.ts";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { wordingKey } from "../../../src/decisions/evidence.ts";
import { roundHalfUp } from "../../../src/decisions/statistics.ts";
import { getWisdom } from "../../../src/decisions/wisdom/get-wisdom.ts";
import { structuredForm } from "../../../src/decisions/wisdom/wisdom.ts";
import { DAY_MS, isoTime } from "../../../src/time.ts";
import { verifies } from "../../requirements/verifies.ts";
import { logOf, NOW, OPTIONS, randomFrom, shuffled } from "./records.ts";

const RULES = [
  "Search first",
  "searching first",
  "Cache reads",
  "Never cache reads",
  "Retry 3 times",
  "Retry 4 times",
  "n/a",
];
const OUTCOMES = ["success", "success", "success", "partial", "failure", "failure", "abandoned", undefined];
const CATEGORIES = ["architecture", "process", "tooling"];

function randomRecords(seed: number, count: number): readonly RawDecision[] {
  const random = randomFrom(seed);
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const perhaps = <Value>(share: number, value: Value) => (random() < share ? value : undefined);
  const record = (at: number) => ({
    id: `d${at}`,
    decision: `Decision ${at}`,
    category: one(CATEGORIES),
    status: random() < 0.85 ? "reviewed" : "pending",
    date: isoTime(NOW - Math.floor(60 + random() * 100) * DAY_MS - at),
    outcome: one(OUTCOMES),
    confidence: perhaps(0.8, Math.floor(random() * 21) / 20),
    preserve: perhaps(0.1, true),
    pattern: perhaps(0.6, one(RULES)),
    lessons: perhaps(0.4, one(RULES)),
    reasons: perhaps(0.5, [{ type: "pattern", text: one(RULES) }, one(RULES)]),
    superseded_by: perhaps(0.1, `d${(at + 1) % count}`),
  });
  return Array.from({ length: count }, (_, at) => JSON.parse(JSON.stringify(record(at))) as RawDecision);
}

interface Held {
  rank: number;
  confirmations: number;
  contradictions: number;
  failures: number;
  decisions: number;
}

const keysIn = (texts: readonly unknown[]) =>
  texts.map((text) => wordingKey(String(text ?? ""))).filter((key) => key !== "");
const textOf = (reason: unknown) => (typeof reason === "string" ? reason : (reason as RawDecision).text);

function addRecord(held: Map<string, Held>, record: RawDecision): void {
  const { decision, pattern, lessons, reasons, outcome, superseded_by } = record;
  const [patterns, learned] = [keysIn([pattern]), keysIn([lessons])];
  const reasoned = keysIn(((reasons ?? []) as unknown[]).map(textOf));
  const [confirms, failed] = [outcome === "success" && superseded_by === undefined, outcome === "failure"];
  const contradicted = failed ? [...patterns, ...reasoned] : [];
  const filed = failed ? (patterns.length > 0 ? patterns : keysIn([decision])) : [];
  for (const key of new Set([...patterns, ...learned, ...reasoned, ...filed])) {
    const sum = held.get(key) ?? { rank: 3, confirmations: 0, contradictions: 0, failures: 0, decisions: 0 };
    sum.decisions += 1;
    if (confirms) sum.rank = Math.min(sum.rank, patterns.includes(key) ? 0 : learned.includes(key) ? 1 : 2);
    sum.confirmations += Number(confirms);
    sum.contradictions += Number(contradicted.includes(key));
    sum.failures += Number(filed.includes(key));
    held.set(key, sum);
  }
}

/** What a person with a pencil would count. */
function recount(records: readonly RawDecision[], category: string) {
  const counted = records.filter(
    (record) =>
      record.category === category &&
      record.status === "reviewed" &&
      Date.parse(String(record.date)) <= NOW - 90 * DAY_MS,
  );
  const held = new Map<string, Held>();
  for (const record of counted) addRecord(held, record);
  const isPrinciple = ({ confirmations, contradictions }: Held) =>
    confirmations >= 2 && contradictions <= confirmations;
  const withOutcome = counted.filter(({ outcome }) => outcome !== undefined);
  const scored = withOutcome.filter(({ confidence }) => confidence !== undefined);
  const actual: Readonly<Record<string, number>> = { success: 1, partial: 0.5, failure: 0, abandoned: 0 };
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const hits = scored.map(({ outcome }) => actual[String(outcome)] ?? 0);
  const stated = scored.map(({ confidence }) => Number(confidence));
  return {
    decisions: counted.length,
    successRate: withOutcome.filter(({ outcome }) => outcome === "success").length / withOutcome.length,
    avgConfidence: mean(counted.flatMap(({ confidence }) => (confidence === undefined ? [] : [Number(confidence)]))),
    brierScore: mean(hits.map((hit, at) => ((stated[at] ?? 0) - hit) ** 2)),
    calibrationGap: mean(hits) - mean(stated),
    principles: [...held]
      .filter(([, counts]) => isPrinciple(counts))
      .sort(([, a], [, b]) => a.rank - b.rank || b.confirmations - a.confirmations),
    modes: [...held].filter(([, counts]) => counts.failures > 0 && !isPrinciple(counts)),
  };
}

const wisdomOf = async (log: DecisionLog) => structuredForm(await getWisdom(log, { minDecisions: 1 }, OPTIONS));

describe("figures of a random log", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("are those of a recount of its raw records (seed %i)", async (seed) => {
    const records = randomRecords(seed, 40 + seed * 40);
    const log = await logOf(...records);
    const { wisdom } = await wisdomOf(log);
    expect(wisdom.map(({ category }) => category)).toEqual(CATEGORIES);
    for (const told of wisdom) {
      const expected = recount(records, told.category);
      expect(told.decisions).toBe(expected.decisions);
      expect(told.successRate).toBeCloseTo(expected.successRate, 2.9);
      for (const figure of ["successRate", "avgConfidence", "brierScore", "calibrationGap"] as const) {
        expect(Math.abs((told[figure] ?? Number.NaN) - expected[figure])).toBeLessThanOrEqual(0.0005 + 1e-9);
      }
      const principles = (told.keyPrinciples ?? []).map(({ text, confirmations, contradictions }) => [
        wordingKey(text),
        confirmations,
        contradictions,
      ]);
      const counts = expected.principles.map(([key, { confirmations, contradictions }]) => [
        key,
        confirmations,
        contradictions,
      ]);
      expect(principles.map(([, confirmations]) => confirmations)).toEqual(
        expected.principles.slice(0, 5).map(([, { confirmations }]) => confirmations),
      );
      for (const principle of principles) expect(counts).toContainEqual(principle);
      const modes = (told.failureModes ?? []).map(({ text, failures, decisions }) => [
        wordingKey(text),
        failures,
        decisions,
      ]);
      const failures = expected.modes.map(([key, counted]) => [key, counted.failures, counted.decisions]);
      expect(modes).toHaveLength(Math.min(5, failures.length));
      for (const mode of modes) expect(failures).toContainEqual(mode);
    }
  });

  it("are the same in whatever order records came in", async () => {
    const records = randomRecords(11, 200);
    const expected = JSON.stringify(await wisdomOf(await logOf(...records)));
    for (let seed = 1; seed <= 5; seed += 1) {
      expect(JSON.stringify(await wisdomOf(await logOf(...shuffled(records, randomFrom(seed)))))).toBe(expected);
    }
  });

  it("are those of a recount after each of five cycles, and after one more record", async () => {
    verifies("field/aggregate-figures-drift");
    const records = randomRecords(12, 120);
    const log = await logOf(...records);
    const before = JSON.stringify(await wisdomOf(log));
    const calibrated = JSON.stringify(await getCalibration(log, {}, OPTIONS));
    for (let cycle = 0; cycle < 5; cycle += 1) {
      await compactDecisions(log, {}, OPTIONS);
      expect(JSON.stringify(await wisdomOf(log))).toBe(before);
      expect(JSON.stringify(await getCalibration(log, {}, OPTIONS))).toBe(calibrated);
    }
    const date = isoTime(NOW - 200 * DAY_MS);
    const added = {
      id: "more",
      decision: "One more",
      category: "process",
      status: "reviewed",
      date,
      outcome: "failure",
    };
    await log.write((writer) => writer.add(added));
    await compactDecisions(log, {}, OPTIONS);
    const after = (await wisdomOf(log)).wisdom.find(({ category }) => category === "process");
    const expected = recount([...records, added], "process");
    expect(after?.decisions).toBe(expected.decisions);
    expect(after?.successRate).toBe(roundHalfUp(expected.successRate, 3));
  });
});
