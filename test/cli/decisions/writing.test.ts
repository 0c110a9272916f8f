// `decisions record|review|preserve|compact`: what is written, what is told, what is refused.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { verifies } from "../../requirements/verifies.ts";
import { newFolder, snapshot } from "../command-line.ts";
import { decisions, EVERY_KIND, folderWith, json, record, reviewed } from "./decision-folder.ts";

const yamlFiles = (cwd: string) => Object.keys(snapshot(cwd)).filter((name) => name.endsWith(".yaml"));
const RECORD = ["record", "Use Postgres for the ledger", "--category", "architecture", "--confidence", "0.8"];

describe("decisions record", () => {
  it("writes what was said, into a folder or a database that is made for it", async () => {
    const cwd = newFolder();
    const more = [
      ...["--reason", "empirical:Three load tests passed", "--reason", "constraint: one region", "--stakes", "high"],
      ...["--context", "The ledger", "--pattern", "Boring technology first", "--tag", "db", "--tag", "ledger"],
      ...["--agent", "planner", "--preserve"],
    ];
    const { code, stdout } = await decisions(cwd, [...RECORD, ...more, "--decisions", "log"]);
    expect(code).toBe(0);
    const [, id = ""] = /^Recorded ([0-9a-f]{8}) in log: Use Postgres for the ledger$/m.exec(stdout) ?? [];
    expect(stdout).toContain(`agent-compact decisions review ${id} --outcome success --decisions log`);
    const [file = ""] = yamlFiles(cwd);
    expect(file).toMatch(new RegExp(`^log/\\d{4}/\\d\\d/\\d{4}-\\d\\d-\\d\\d-decision-${id}\\.yaml$`));
    expect(parse(readFileSync(join(cwd, file), "utf8"))).toMatchObject({
      ...{ id, decision: "Use Postgres for the ledger", category: "architecture", confidence: 0.8, status: "pending" },
      reasons: [
        { type: "empirical", text: "Three load tests passed" },
        { type: "constraint", text: "one region" },
      ],
      ...{ stakes: "high", context: "The ledger", pattern: "Boring technology first", tags: ["db", "ledger"] },
      ...{ recorded_by: "planner", preserve: true },
    });
    expect(await json(cwd, [...RECORD, "--db", "log.db"])).toMatchObject({
      status: "pending",
      compactionLevel: "full",
    });
    expect((await json(cwd, ["list", "--db", "log.db"])).decisions).toHaveLength(1);
  });

  it("keeps a confidence of 0, and supersedes", async () => {
    const cwd = folderWith([reviewed("aaaa0001", 3)]);
    const answer = await json(cwd, [
      ...["record", "Use gRPC", "--category", "architecture", "--confidence", "0", "--supersedes", "aaaa"],
    ]);
    expect(answer).toMatchObject({ supersedes: ["aaaa0001"], record: { confidence: 0 } });
    expect((await decisions(cwd, ["list"])).stdout).toContain(`[superseded by ${answer.id}]`);
  });

  it("tells nothing with --quiet", async () => {
    const { code, stdout, stderr } = await decisions(newFolder(), [...RECORD, "--quiet"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it.each([
    [["record", "X", "--category", "a"], "required option '--confidence <share>' not specified"],
    [["record", "X", "--confidence", "1"], "required option '--category <name>' not specified"],
    [["record", "X", "--category", "a", "--confidence", "80"], 'not "80". For 80 %: 0.8.'],
    [["record", "X", "--category", "a", "--confidence", "80%"], "For 80 %: 0.8."],
    [["record", "X", "--category", "a", "--confidence", "-0.1"], "--confidence must be a number from 0 to 1"],
    [["record", "X", "--category", "", "--confidence", "1"], "--category is empty."],
    [["record", " ", "--category", "a", "--confidence", "1"], "The decision is empty."],
    [[...RECORD, "--reason", "because"], "--reason must be TYPE:TEXT"],
    [[...RECORD, "--reason", "analisys:x"], "Types: analysis, empirical"],
    [[...RECORD, "--reason", "analysis:"], "--reason must be TYPE:TEXT"],
    [[...RECORD, "--stakes", "huge"], "--stakes must be one of low, medium, high, critical"],
    [[...RECORD, "--supersedes", "zzzz9999"], "Decision not found: zzzz9999"],
  ])("refuses %j and writes nothing", async (words, message) => {
    const cwd = folderWith([record("aaaa0001", 1)]);
    const { code, stdout, stderr } = await decisions(cwd, words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(yamlFiles(cwd)).toHaveLength(1);
  });
});

describe("decisions review", () => {
  it("writes the outcome, and says what becomes of the decision", async () => {
    const cwd = folderWith([record("aaaa0001", 50)]);
    const words = [
      "review",
      "aaaa",
      "--outcome",
      "failure",
      "--result",
      "It fell over",
      "--lessons",
      "Measure",
      "--notes",
      "late",
    ];
    const { stdout } = await decisions(cwd, [...words, "--agent", "reviewer"]);
    expect(stdout).toContain("Reviewed aaaa0001: failure. By its age it is shown as a digest from now on.");
    expect(stdout).toContain("agent-compact decisions preserve aaaa0001");
    const [file = ""] = yamlFiles(cwd);
    expect(parse(readFileSync(join(cwd, file), "utf8"))).toMatchObject({
      ...{ status: "reviewed", outcome: "failure", actual_result: "It fell over", lessons: "Measure" },
      ...{ review_notes: "late", reviewed_by: "reviewer" },
    });
    const again = await json(cwd, ["review", "aaaa0001", "--outcome", "success"]);
    expect(again).toMatchObject({ outcome: "success", replaced: { outcome: "failure", lessons: "Measure" } });
  });

  it("shows the review that it replaced, whole", async () => {
    const old = {
      actual_result: "It fell over",
      lessons: "Measure \u001b[2J",
      review_notes: "late",
      reviewed_by: "ada",
    };
    const cwd = folderWith([
      reviewed("aaaa0001", 50, { outcome: "failure", reviewed_at: "2026-01-02T10:00:00Z", ...old }),
    ]);
    const { stdout } = await decisions(cwd, ["review", "aaaa0001", "--outcome", "success"]);
    expect(stdout).toContain(
      "It replaced this review, which nothing else keeps: failure, 2026-01-02, by ada\n    result: It fell over\n    lessons: Measure",
    );
    expect(stdout).toContain("    notes: late\n");
    expect(stdout).not.toContain("\u001b");
  });

  it("shows what a record of another status said of its outcome, too", async () => {
    const cwd = folderWith([record("aaaa0001", 50, { status: "done", outcome: "partial", lessons: "Measure" })]);
    expect(await json(cwd, ["review", "aaaa0001", "--outcome", "success"])).toMatchObject({
      replaced: { outcome: "partial", lessons: "Measure" },
    });
    const first = folderWith([record("aaaa0001", 50)]);
    const { stdout } = await decisions(first, ["review", "aaaa0001", "--outcome", "success"]);
    expect(stdout).not.toContain("replaced");
  });

  it("refuses an outcome that is none, and an id that nobody has", async () => {
    const cwd = folderWith([record("aaaa0001", 50)]);
    const before = snapshot(cwd);
    const bad = await decisions(cwd, ["review", "aaaa0001", "--outcome", "great"]);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain("--outcome must be one of success, partial, failure, abandoned");
    expect((await decisions(cwd, ["review", "bbbb0001", "--outcome", "success"])).code).toBe(2);
    expect(yamlFiles(cwd).map((file) => snapshot(cwd)[file])).toEqual(yamlFiles(cwd).map((file) => before[file]));
  });
});

describe("decisions preserve", () => {
  it("keeps a decision in full at any age, and lets it go again", async () => {
    const cwd = folderWith([reviewed("aaaa0001", 200)]);
    const levels = async () => (await json(cwd, ["list"])).levels;
    expect(await levels()).toMatchObject({ full: 0, wisdom: 1 });
    const kept = await decisions(cwd, ["preserve", "aaaa0001"]);
    expect(kept.stdout).toContain("To undo: agent-compact decisions preserve aaaa0001 --off");
    expect(await levels()).toMatchObject({ full: 1, wisdom: 0 });
    expect(await json(cwd, ["preserve", "aaaa", "--off"])).toMatchObject({
      preserve: false,
      compactionLevel: "wisdom",
    });
    expect(await levels()).toMatchObject({ full: 0, wisdom: 1 });
    const unknown = await decisions(cwd, ["preserve", "zzzz"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("Decision not found: zzzz\n  Their ids: agent-compact decisions list");
  });
});

describe("decisions compact", () => {
  it("says what would change, does it, and has nothing to do the second time", async () => {
    verifies("decisions/process-trigger");
    const cwd = folderWith(EVERY_KIND);
    const dry = await decisions(cwd, ["compact", "--dry-run"]);
    expect(dry.stdout).toContain("10 decisions in decisions, 1 of them preserved");
    expect(dry.stdout).toMatch(/full → summary\s+2 {2}architecture 1, process 1/);
    expect(dry.stdout).toContain("Decide about part bbbb0001");
    expect(dry.stdout).toContain("Texts to write: 4.");
    expect(dry.stdout).toContain("Nothing was changed. To run it: agent-compact decisions compact");
    const done = await decisions(cwd, ["compact"]);
    expect(done.stdout).toContain("6 levels changed");
    expect(done.stdout).toContain("Texts written: 4 by code. The records are as they were.");
    const again = await json(cwd, ["compact"]);
    expect(again).toMatchObject({
      changed: [],
      changedTotal: 0,
      dryRun: false,
      texts: { llm: 0, extractive: 0, failed: 0 },
    });
    expect((await decisions(cwd, ["compact"])).stdout).toContain("No level has changed since the last cycle.");
    const nothing = await decisions(cwd, ["compact", "--dry-run"]);
    expect(nothing.stdout).toContain("Texts to write: none. The records stay as they are.\n");
    expect(nothing.stdout).not.toContain("--json");
  });

  it("carries out a plan from a file, and refuses it once it is stale", async () => {
    const cwd = folderWith(EVERY_KIND);
    const out = await decisions(cwd, ["compact", "--plan-out", "plan.json", "--category", "process"]);
    expect(out.stdout).toContain("To carry it out: agent-compact decisions compact --plan plan.json");
    const quiet = await decisions(cwd, ["compact", "--plan-out", "quiet.json", "--quiet"]);
    expect(quiet.stdout).toBe("quiet.json\n");
    const plan = JSON.parse(readFileSync(join(cwd, "plan.json"), "utf8"));
    expect(plan.counts).toEqual({ "full->summary": 1, "full->digest": 1 });
    expect(await json(cwd, ["compact", "--plan", "plan.json"])).toMatchObject({ changedTotal: 2 });
    const dry = await json(cwd, ["compact", "--dry-run"]);
    expect(dry).toMatchObject({ compacted: 10, dryRun: true, items: expect.any(Array) });
    const stale = await decisions(cwd, ["compact", "--plan", "plan.json"]);
    expect({ code: stale.code, stdout: stale.stdout }).toEqual({ code: 4, stdout: "" });
    expect(await json(cwd, ["compact", "--dry-run"])).toMatchObject({ version: 2, counts: { "full->summary": 1 } });
  });

  it.each([
    [["compact", "--plan", "p.json", "--dry-run"], "--plan carries a plan out"],
    [["compact", "--plan", "p.json", "--category", "a"], "A plan says which decisions it is of."],
    [["compact", "--plan", "none.json"], "none.json does not exist."],
    [["compact", "--plan", "p.json"], "p.json is not JSON."],
    [
      ["compact", "--plan", "q.json"],
      "The plan cannot be read: version is missing.\n  Make the plan again with --plan-out FILE, and change nothing in it.",
    ],
    [["compact", "--plan-out", "-", "--json"], "both write to stdout"],
    [["compact", "--plan-out", "no/where.json"], "does not exist"],
  ])("refuses %j", async (words, message) => {
    const cwd = folderWith(EVERY_KIND);
    writeFileSync(join(cwd, "p.json"), "no plan");
    writeFileSync(join(cwd, "q.json"), "{}");
    const { code, stdout, stderr } = await decisions(cwd, words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(existsSync(join(cwd, "-"))).toBe(false);
  });

  it("leaves records and calibration as they were, to the last digit", async () => {
    verifies("decisions/process-preserve-raw", "decisions/calibration-integration");
    const cwd = folderWith(EVERY_KIND);
    const state = async () => [await json(cwd, ["calibration"]), yamlFiles(cwd).map((file) => snapshot(cwd)[file])];
    const before = await state();
    await decisions(cwd, ["compact"]);
    expect(await state()).toEqual(before);
  });
});
