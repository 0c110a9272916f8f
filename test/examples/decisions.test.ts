// The guide to decisions walks through the example log. What it says about it is held to be so: its levels, what a cycle
// changes, every figure of its wisdom and of its calibration.
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { getCalibration } from "../../src/decisions/calibration.ts";
import { applyDecisionCompaction } from "../../src/decisions/compaction/apply-decision-compaction.ts";
import { planDecisionCompaction } from "../../src/decisions/compaction/plan-decision-compaction.ts";
import { createCstpYamlDecisionLog } from "../../src/decisions/cstp-yaml-decision-log.ts";
import type { DecisionLog } from "../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../src/decisions/levels.ts";
import { recordDecision } from "../../src/decisions/record-decision.ts";
import { reviewDecision } from "../../src/decisions/review-decision.ts";
import { getDecision } from "../../src/decisions/serving/get-decision.ts";
import { getCompacted } from "../../src/decisions/serving/query-decisions.ts";
import { roundHalfUp } from "../../src/decisions/statistics.ts";
import { getWisdom } from "../../src/decisions/wisdom/get-wisdom.ts";
import { specForm } from "../../src/decisions/wisdom/wisdom.ts";
import { decisionTextWriterOf } from "../../src/factories/decisions.ts";
import { verifies } from "../requirements/verifies.ts";

const root = new URL("../../", import.meta.url);
const example = fileURLToPath(new URL("examples/decisions", root));
/** Columns of tables are as wide as their longest cell: runs of blanks say nothing. */
const page = (name: string) => readFileSync(new URL(name, root), "utf8").replace(/ +/g, " ");
const guide = page("docs/guides/decisions.md");

/** The day of the guide. */
const now = Date.UTC(2026, 10, 28, 12);
const options = { policies: decisionPolicies(), now };
const MIN_DECISIONS = 2;

let log: DecisionLog;

beforeEach(() => {
  const folder = join(mkdtempSync(join(tmpdir(), "example-decisions-")), "decisions");
  cpSync(example, folder, { recursive: true, filter: (path) => !path.endsWith(".agent-compact") });
  log = createCstpYamlDecisionLog({ path: folder });
});

afterEach(() => log.close());

const daysOld = async (id: string) => (await getDecision(log, id, options)).standing.ageDays;
const signed = (gap: number) => `${gap > 0 ? "+" : ""}${roundHalfUp(gap, 2).toFixed(2)}`;
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

describe("the example log", () => {
  it("stands at the levels that the guide shows, each decision shown as it is served", async () => {
    verifies("decisions/level-full", "decisions/level-summary", "decisions/level-digest");
    const { decisions, levels, total, leftOut, errors } = await getCompacted(log, {}, options);
    expect(errors).toBeUndefined();
    expect(levels).toEqual({ full: 3, summary: 1, digest: 4, wisdom: 16 });
    for (const [level, count] of Object.entries(levels))
      expect(guide).toMatch(new RegExp(`\\n ${level} [^\\n█]* ${count} █`));
    expect(guide).toContain(`${total} of ${total + leftOut.wisdom} decisions shown.`);
    expect(guide).toContain(`${leftOut.wisdom} decisions old enough to be counted only.`);
    for (const { id, decision, summary, reasons = [], actualResult } of decisions.filter((one) => one.decision)) {
      expect(guide).toContain(`\n ${id} ${decision}`);
      expect(guide).toContain(` · ${await daysOld(id)} days ago (`);
      for (const { type, text } of reasons)
        if (summary === undefined) expect(guide).toContain(`because (${type}): ${text}`);
      if (actualResult !== undefined) expect(guide).toContain(`result: ${actualResult}`);
      if (summary !== undefined) expect(guide).toContain(`\n ${summary}\n`);
    }
    const ofArchitecture = decisions.filter(({ level, category }) => level === "digest" && category === "architecture");
    expect(ofArchitecture).toHaveLength(2);
    for (const { id, date, outcome, confidence, oneLine } of ofArchitecture) {
      expect(guide).toContain(`${id} ${await daysOld(id)} days (${date}) ${outcome} ${confidence} ${oneLine}\n`);
    }
  });

  it("is planned and compacted as the guide shows it, and no record is touched", async () => {
    verifies("decisions/process-preserve-raw");
    const read = () => log.read((reader) => reader.decisions(["5c1e07a2", "c07a5f24", "f05b64e1"]));
    const before = await read();
    const plan = await planDecisionCompaction(log, {}, options);
    expect(guide).toContain(`${plan.items.length} levels change (no cycle has run yet: before, all were full)`);
    for (const [move, count] of Object.entries(plan.counts))
      expect(guide).toContain(`${move.replace("->", " → ")} ${count} `);
    const [first, second] = plan.items;
    for (const item of [first, second])
      expect(guide).toMatch(new RegExp(`\\n ${item?.id} [^\\n]* full → ${item?.to} ${item?.priority.toFixed(2)}\\n`));
    const texts = decisionTextWriterOf({});
    const { run, texts: written } = await applyDecisionCompaction(log, plan, { ...options, texts });
    expect(guide).toContain(`Texts written: ${written.extractive} by code. The records are as they were.`);
    expect(run.levels).toEqual(plan.survey.levels);
    expect(await read()).toEqual(before);
    expect((await planDecisionCompaction(log, {}, options)).items).toEqual([]);
  });

  it("teaches what the guide says, figure by figure", async () => {
    verifies("rulings/wisdom-statistics", "decisions/example-wisdom-shape");
    const { categories, crossCategory, totalDecisions } = await getWisdom(
      log,
      { minDecisions: MIN_DECISIONS },
      options,
    );
    expect(guide).toContain(`Wisdom of ${totalDecisions} reviewed decisions of 90 days and more`);
    expect(categories.map(({ category }) => category)).toEqual([
      "architecture",
      "integration",
      "process",
      "security",
      "tooling",
    ]);
    for (const {
      category,
      decisions,
      successRate = 0,
      avgConfidence = 0,
      scored,
      principles,
      failureModes,
    } of categories) {
      const lines = [
        ` ${category} ${decisions} ${roundHalfUp(successRate * 100, 0)} % ${roundHalfUp(avgConfidence, 2).toFixed(2)} ${signed(scored?.calibrationGap ?? 0)} ${roundHalfUp(scored?.brierScore ?? 0, 3).toFixed(3)}\n`,
        ...principles.map(
          ({ text, confirmations, confirmingIds }) =>
            ` ✓ ${text}\n ${plural(confirmations, "confirmation")}: ${confirmingIds.join(", ")}\n`,
        ),
        ...failureModes.map(({ text, failures, decisions: holding, failingIds, learned }) =>
          [
            ` ✗ ${text}`,
            ...learned.map((lesson) => ` learned: ${lesson}`),
            ` failed ${plural(failures, "time")} of ${holding}: ${failingIds.join(", ")}`,
            "",
          ].join("\n"),
        ),
      ];
      for (const line of lines) expect(guide).toContain(line);
    }
    const [shared] = crossCategory;
    expect(crossCategory).toHaveLength(1);
    expect(guide).toContain(
      ` ✓ ${shared?.text}\n ${shared?.confirmations} confirmations in ${shared?.categories.join(", ")}: ${shared?.confirmingIds.join(", ")}\n`,
    );
    const tooling = specForm(await getWisdom(log, { category: "tooling", minDecisions: MIN_DECISIONS }, options));
    expect(guide).toContain(JSON.stringify(tooling));
    expect(guide).toContain(JSON.stringify(specForm(await getWisdom(log, { category: "architecture" }, options))));
  });

  it("is calibrated as the guide says, the same before and after a cycle", async () => {
    verifies("decisions/calibration-integration");
    const before = await getCalibration(log, {}, options);
    const { overall, byConfidenceBucket } = before;
    const two = (value: number | null) => roundHalfUp(value ?? 0, 2).toFixed(2);
    expect(guide).toContain(
      `${overall.totalDecisions} reviewed decisions in decisions, ${overall.reviewedDecisions} of them`,
    );
    expect(guide).toContain(
      `Stated ${two(overall.avgConfidence)}, came true ${two(overall.accuracy)}, gap ${signed(overall.calibrationGap ?? 0)}: well calibrated. Brier score ${overall.brierScore} `,
    );
    for (const { bucket, decisions, accuracy, expectedRate, gap, interpretation } of byConfidenceBucket)
      expect(guide).toContain(
        ` ${bucket} ${decisions} ${two(expectedRate)} ${two(accuracy)} ${signed(gap)} ${interpretation.replace("_", " ")}\n`,
      );
    await applyDecisionCompaction(log, await planDecisionCompaction(log, {}, options), options);
    expect(await getCalibration(log, {}, options)).toEqual(before);
  });

  it("follows the policies of the guide", async () => {
    verifies("decisions/phase-configurable-policies");
    const policies = decisionPolicies({ preserveStakes: ["critical"] }, [
      { name: "architecture", category: "architecture", thresholds: { summary: 60, digest: 365 } },
      { name: "security", category: "security", ageBasis: "review" },
    ]);
    const found = await getDecision(log, "60f1", { policies, now });
    expect(found).toMatchObject({ compactionLevel: "digest", policy: "architecture", standing: { ageDays: 172 } });
    expect(guide).toContain(
      "Level: digest, because it is 172 days old, and a digest is 60 to 365 under the policy architecture.",
    );
  });

  it("is superseded, reviewed and served as the guide says", async () => {
    verifies("field/superseded-shown-as-current");
    expect(await getDecision(log, "f05b", options)).toMatchObject({ standing: { supersededBy: "2ce7a83d" } });
    const { supersedes } = await recordDecision(
      log,
      { decision: "Rotate the keys of the office too", category: "security", confidence: 0.8, supersedes: ["2ce7"] },
      options,
    );
    expect(guide).toContain(`It takes the place of ${supersedes?.join(", ")}.`);
    const { compactionLevel } = await reviewDecision(log, { id: "d9f2648c", outcome: "failure" }, options);
    expect(compactionLevel).toBe("wisdom");
    expect(guide).toContain("Reviewed d9f2648c: failure. By its age it counts in wisdom from now on.");
  });
});
