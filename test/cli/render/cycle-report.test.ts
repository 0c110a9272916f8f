// What a cycle tells of texts that the model failed on.
import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { renderCycleReport } from "../../../src/cli/decisions/compact.ts";
import { applyDecisionCompaction } from "../../../src/decisions/compaction/apply-decision-compaction.ts";
import { planDecisionCompaction } from "../../../src/decisions/compaction/plan-decision-compaction.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import type { TextWriter } from "../../../src/decisions/texts/text-writer.ts";
import { aged, fill, NOW } from "../../http/cstp/cstp-server.ts";

const failing: TextWriter = {
  strategy: "brief",
  model: "a-model",
  write: async () => ({ text: "by code", source: "extractive", hasFailed: true }),
};

async function told(count: number): Promise<string> {
  const log = createMemoryDecisionLog();
  await fill(
    log,
    Array.from({ length: count }, (_, at) => aged(`id-${at}`, 10)),
  );
  const options = { policies: decisionPolicies(), now: NOW };
  const plan = await planDecisionCompaction(log, {}, options);
  const report = await applyDecisionCompaction(log, plan, { ...options, texts: failing });
  const view = { shown: "log", unknown: "", colors: picocolors.createColors(false), texts: new Map<string, string>() };
  return renderCycleReport(report, plan, view);
}

describe("a cycle whose model failed", () => {
  it("says so of one text and of several", async () => {
    expect(await told(1)).toContain("The model failed on 1 text: code writes it until the next cycle asks again.");
    expect(await told(2)).toContain("The model failed on 2 texts: code writes them until the next cycle asks again.");
  });
});
