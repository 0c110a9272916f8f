// The decision logs of real projects, all of them: what they hold is imported whole, and what is no record is named.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DecisionFile } from "../../../src/decisions/import/decision-source.ts";
import { importDecisions } from "../../../src/decisions/import/import-decisions.ts";
import { readDecisionRecords } from "../../../src/decisions/import/read-decision-records.ts";
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import { readDecision } from "../../../src/decisions/read-decision.ts";
import { extractiveSummary, oneLine } from "../../../src/decisions/texts/extractive-texts.ts";

const CORPUS = process.env.AGENT_CORPUS;

describe.skipIf(!CORPUS)("real decision logs (in the folder AGENT_CORPUS)", () => {
  let folder = "";
  const files = (below: string, end: string): readonly DecisionFile[] =>
    readdirSync(join(folder, below), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(end))
      .sort()
      .map((name) => ({ name, text: readFileSync(join(folder, below, name), "utf8") }));
  const issues = (): DecisionFile => {
    const path = join(CORPUS ?? "", "decisions", "beads-issues-2026-01-13.jsonl.gz");
    return { name: "issues.jsonl", text: gunzipSync(readFileSync(path)).toString("utf8") };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-compact-decisions-"));
    for (const name of ["cstp-agent-decisions", "adr-agent-framework"]) {
      execFileSync("tar", ["xzf", join(CORPUS ?? "", "decisions", `${name}.tar.gz`), "-C", folder]);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("15 CSTP records", () => {
    const { records, faults } = readDecisionRecords(files("decisions", ".yaml"));
    expect([records.length, faults]).toEqual([15, []]);
  });

  it("42 pages of a folder of ADRs: 39 records, a README and two templates", () => {
    const pages = files("docs/decisions", ".md");
    const { records, faults } = readDecisionRecords(pages);
    expect([pages.length, records.length]).toEqual([42, 39]);
    expect(faults.map(({ id, code }) => `${id} ${code}`)).toEqual([
      "README.md NOT_A_RECORD",
      "adr-short-template.md NOT_A_RECORD",
      "adr-template.md NOT_A_RECORD",
    ]);
    for (const raw of records) {
      const { decision, faults: own } = readDecision(raw, { name: "x" });
      expect(own).toEqual([]);
      expect(decision?.decidedAt).toBeGreaterThan(0);
      expect(decision?.status).toMatch(/^(?:accepted|proposed|superseded|rejected|deprecated)$/);
      expect(decision?.context).toBeDefined();
    }
    const superseded = records.filter(({ status }) => status === "superseded");
    const ids = new Set(records.map(({ id }) => id));
    for (const { superseded_by: by } of superseded) expect(ids).toContain(by);
  });

  it("2,325 issues that were not deleted, and a second import adds none", async () => {
    const { records, faults } = readDecisionRecords([issues()]);
    expect([records.length, faults]).toEqual([2325, [expect.objectContaining({ code: "NOT_A_RECORD" })]]);
    // Nobody reviewed what was closed without a word on what came of it.
    expect(records.filter(({ status }) => status === "reviewed")).toEqual(records.filter((raw) => "outcome" in raw));
    expect(records.filter(({ outcome }) => outcome === "success")).toHaveLength(258);
    expect(records.filter(({ outcome }) => outcome === "abandoned")).toHaveLength(67);
    const log = createMemoryDecisionLog();
    expect(await importDecisions(log, records)).toMatchObject({ added: 2325, faults: [] });
    expect(await importDecisions(log, records)).toEqual({ added: 0, updated: 0, unchanged: 2325, faults: [] });
  });

  it("have texts that are within their bounds, and quote whole sentences", () => {
    const { records } = readDecisionRecords([...files("docs/decisions", ".md"), issues()]);
    for (const raw of records) {
      const { decision } = readDecision(raw, { name: "x" });
      if (decision === undefined) throw new Error("unread");
      expect([...oneLine(decision.text)].length).toBeLessThanOrEqual(80);
      const text = extractiveSummary(decision);
      expect(text.length).toBeLessThanOrEqual(600);
      expect(text).not.toMatch(/\n|\[object/);
    }
  });
});
