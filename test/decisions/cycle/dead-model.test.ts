// A model that is not there: after a few failed calls the cycle asks no more, and says so; an answer of no use is no such
// failure.
import { expect, it } from "vitest";
import { applyDecisionCompaction } from "../../../src/decisions/compaction/apply-decision-compaction.ts";
import { compactDecisions } from "../../../src/decisions/compaction/compact-decisions.ts";
import { planDecisionCompaction } from "../../../src/decisions/compaction/plan-decision-compaction.ts";
import { filled, logs } from "../levels/logs.ts";
import { aged, options } from "../levels/records.ts";
import { recordedTrace, scriptedTexts } from "./cycles.ts";

const [, open] = logs[0] ?? [];
const RECORDS = Array.from({ length: 40 }, (_, at) => aged(`id-${at}`, 10));
const own = { text: "by code", source: "extractive", hasFailed: true } as const;
const dead = { ...own, hasFailedCall: true } as const;

async function logOf(records = RECORDS) {
  if (open === undefined) throw new Error("there is no log to test on");
  return filled(open, records);
}

it("is asked a few times, not for every text; the next cycle asks for all of them again", async () => {
  const log = await logOf();
  const { trace, events } = recordedTrace();
  const texts = scriptedTexts(() => dead);
  const { run, warning } = await compactDecisions(log, {}, { ...options, texts, trace });
  expect(texts.asked.length).toBeLessThanOrEqual(4);
  expect(run?.texts).toEqual({ llm: 0, extractive: 0, failed: 40 });
  expect(warning).toBe(
    "3 calls of the model failed in a row, so it was asked no more: 40 texts are written by code until a later cycle asks again.",
  );
  expect(events.map(({ event }) => event)).toEqual(["compact.plan", "compact.error", "compact.applied"]);
  expect(events[1]).toMatchObject({ part: "decisions", code: "MODEL_GIVEN_UP", fallback: "extractive" });
  expect(await log.read((reader) => reader.texts(RECORDS.map(({ id }) => String(id))))).toEqual([]);
  const back = await compactDecisions(log, {}, { ...options, texts: scriptedTexts() });
  expect(back.run?.texts).toEqual({ llm: 40, extractive: 0, failed: 0 });
  expect(back).not.toHaveProperty("warning");
});

it("that dies in the middle leaves what it wrote", async () => {
  const log = await logOf();
  const plan = await planDecisionCompaction(log, {}, options);
  let calls = 0;
  const texts = scriptedTexts(() => (calls++ < 20 ? undefined : dead));
  const report = await applyDecisionCompaction(log, plan, { ...options, texts });
  expect(report.texts).toEqual({ llm: 20, extractive: 0, failed: 20 });
  expect(report.warning).toContain("20 texts are written by code");
  expect(texts.asked.length).toBeLessThanOrEqual(24);
});

it("is told from one that answers badly, or fails now and then", async () => {
  for (const answer of [() => own, (at: number) => (at % 3 === 2 ? own : dead)]) {
    const log = await logOf();
    const { trace, events } = recordedTrace();
    let calls = 0;
    const texts = scriptedTexts(() => answer(calls++));
    const result = await compactDecisions(log, {}, { ...options, texts, trace });
    expect(texts.asked).toHaveLength(40);
    expect(result.run?.texts.failed).toBe(40);
    expect(result).not.toHaveProperty("warning");
    expect(events.map(({ event }) => event)).not.toContain("compact.error");
  }
});

it("stays given up when the cycle plans again, and no failure is counted twice", async () => {
  const log = await logOf();
  let calls = 0;
  const texts = scriptedTexts(async ({ id }) => {
    if (calls++ === 3) await log.write((writer) => writer.change(id, { lessons: "Ask first" }));
    return dead;
  });
  const { run } = await compactDecisions(log, {}, { ...options, texts });
  expect(texts.asked.length).toBeLessThanOrEqual(4);
  expect(run?.texts.failed).toBe(40);
});
