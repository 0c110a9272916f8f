// What cycles may never change: records, calibration, and the figures that are counted from them.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { getCalibration } from "../../../src/decisions/calibration.ts";
import { compactDecisions } from "../../../src/decisions/compaction/compact-decisions.ts";
import { recordDecision } from "../../../src/decisions/record-decision.ts";
import { reviewDecision, setPreserve } from "../../../src/decisions/review-decision.ts";

import { getCompacted } from "../../../src/decisions/serving/query-decisions.ts";
import { getWisdom } from "../../../src/decisions/wisdom/get-wisdom.ts";
import { verifies } from "../../requirements/verifies.ts";
import { filled, logs, rawRecords, temporaryFolder } from "../levels/logs.ts";
import { aged, options } from "../levels/records.ts";
import { openShared } from "../levels/shared-logs.ts";
import { scriptedTexts } from "./cycles.ts";

const RECORDS = [
  aged("fresh", 1),
  aged("kept", 400, { preserve: true }),
  aged("open", 400, { status: "pending" }),
  aged("short", 12, { lessons: "Ask first", confidence: 0.7 }),
  aged("line", 40, { outcome: "failure", confidence: 0.35 }),
  aged("gone", 100, { outcome: "partial", confidence: 0 }),
  aged("bad", 0, { date: "soon" }),
];

describe.each(logs)("cycles over a %s log", (_, open) => {
  it("changes no record and no calibration, to the last digit", async () => {
    verifies("decisions/process-preserve-raw");
    const log = await filled(open, [
      ...RECORDS,
      ...Array.from({ length: 20 }, (_, at) =>
        aged(`more-${at}`, 5 * at, { confidence: ((at * 7) % 10) / 10, outcome: at % 3 === 0 ? "failure" : "success" }),
      ),
    ]);
    const [records, calibration] = [await rawRecords(log), await getCalibration(log, {}, options)];
    for (let cycle = 0; cycle < 3; cycle++) {
      const later = { ...options, now: options.now + cycle * 20 * 86_400_000, texts: scriptedTexts() };
      await compactDecisions(log, {}, later);
      expect(await rawRecords(log)).toEqual(records);
      expect(await getCalibration(log, {}, later)).toEqual(calibration);
    }
  });

  it("gives the same figures after five cycles and one decision more as a recount of the records", async () => {
    verifies("field/aggregate-figures-drift");
    const categories = ["architecture", "process", "tooling"];
    const records = Array.from({ length: 45 }, (_, at) =>
      aged(`id-${String(at).padStart(2, "0")}`, 91 + at, {
        category: categories[at % 3],
        pattern: `Pattern of ${categories[at % 3]}`,
        outcome: at < 4 ? "failure" : "success",
        ...(at >= 43 ? { status: "pending", outcome: undefined } : {}),
      }),
    );
    const log = await filled(open, records);
    const recount = async () => {
      const reviewed = (await rawRecords(log)).filter(({ status }) => status === "reviewed");
      return categories.map((category) => {
        const own = reviewed.filter((record) => record.category === category);
        const successes = own.filter(({ outcome }) => outcome === "success").length;
        return [category, own.length, successes / own.length, successes];
      });
    };
    const counted = async () =>
      (await getWisdom(log, {}, options)).categories.map(({ category, decisions, successRate, principles }) => [
        category,
        decisions,
        successRate,
        principles[0]?.confirmations,
      ]);
    const expected = await recount();
    for (let cycle = 0; cycle < 5; cycle++) {
      await compactDecisions(log, {}, { ...options, texts: scriptedTexts() });
      expect(await counted()).toEqual(expected);
    }
    const request = { decision: "One more", category: "process", pattern: "Pattern of process" };
    const { id } = await recordDecision(log, request, { ...options, now: options.now - 95 * 86_400_000 });
    await reviewDecision(log, { id, outcome: "success" }, options);
    await compactDecisions(log, {}, options);
    expect(await counted()).toEqual(await recount());
    expect((await recount())[1]?.[1]).toBe(Number(expected[1]?.[1]) + 1);
    const { decisions } = await getCompacted(log, { level: "wisdom", limit: 500 }, options);
    expect(decisions.every(({ confidence, actualConfidence }) => confidence === 0.8 || actualConfidence === 1)).toBe(
      true,
    );
  });
});

it("leaves the files of a folder as they are to the byte, but for the line of a preserve", async () => {
  verifies("values/calibration-unchanged");
  const folder = await temporaryFolder();
  const log = await filled(async () => openShared("folder", folder), RECORDS);
  const records = async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".yaml"));
    const texts = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const);
    return new Map(await Promise.all(texts));
  };
  const [before, calibration] = [await records(), await getCalibration(log, {}, options)];
  expect(before.size).toBe(RECORDS.length);
  for (let cycle = 0; cycle < 2; cycle++) {
    await compactDecisions(log, {}, { ...options, texts: scriptedTexts() });
    expect(await records()).toEqual(before);
  }
  await setPreserve(log, { id: "gone", preserve: true }, options);
  await compactDecisions(log, {}, { ...options, texts: scriptedTexts() });
  const changed = [...(await records())].filter(([name, text]) => before.get(name) !== text);
  expect(changed).toHaveLength(1);
  const [[name, text] = ["", ""]] = changed;
  expect(text.replace("preserve: true\n", "")).toBe(before.get(name));
  expect(await getCalibration(log, {}, options)).toEqual(calibration);
});
