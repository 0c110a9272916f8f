// What a client of the wire sends is stored, refused, or named as ignored: nothing is lost without a word.
import { describe, expect, it } from "vitest";
import { aged, fill, openCstpServer } from "./cstp-server.ts";

const RECORD = {
  decision: "Use queues between the shop and the ledger, so that no order is lost while one of them is down",
  summary: "Use queues",
  category: "architecture",
  confidence: 0,
  stakes: "high",
  context: "Orders were lost",
  reasons: [{ type: "empirical", text: "Two incidents", strength: 0 }],
  trace: [{ step: 1, thought: "Look at the incidents", result: null }],
  deliberation: { inputs: ["incidents"], steps: [{ id: 1, note: "" }], total_duration_ms: 12 },
  bridge: { structure: "a queue", function: "no order is lost", tolerance: ["twice"] },
  related_to: [{ id: "at-10", summary: "Another", distance: 0.2 }],
  kpi_indicators: ["lost orders"],
  mental_state: "calm",
  review_by: "2026-03-01",
  tags: ["orders"],
  pattern: "Queue between parts",
  pre_decision: { query_run: true, similar_found: 2 },
  recorded_by: "ada",
  project: "acme/shop",
  feature: "orders",
  pr: 17,
  file: "src/orders.ts",
  line: 42,
  commit: "0a1b2c3",
  preserve: true,
};
const camel = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const camelCase = (given: object) =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [camel(key), value]));

const REVIEW = {
  outcome: "partial",
  actual_result: "None was lost, some came twice",
  lessons: "Count them",
  review_notes: "Looked at with the shop",
  affected_kpis: { "lost orders": -12, late: null },
  reviewed_by: "bob",
};

describe("every field of a record", () => {
  it.each([
    ["in snake_case", RECORD],
    ["in camelCase", camelCase(RECORD)],
  ])("is stored under its key: %s", async (_, given) => {
    const { call } = await openCstpServer();
    const { id, ...answer } = await call("cstp.recordDecision", given);
    expect(answer).not.toHaveProperty("ignored");
    expect((await call("cstp.getDecision", { id })).decision).toMatchObject({ ...RECORD, id, status: "pending" });
  });

  it.each([
    ["in snake_case", REVIEW],
    ["in camelCase", camelCase(REVIEW)],
    ["by the parameter's name", { ...REVIEW, review_notes: undefined, notes: REVIEW.review_notes }],
  ])("of a review is stored under its key: %s", async (_, given) => {
    const { call, log } = await openCstpServer();
    await fill(log, [aged("at-10", 10, { affected_kpis: { old: 1 } })]);
    const answer = await call("cstp.reviewDecision", { id: "at-10", ...given });
    expect(answer).not.toHaveProperty("ignored");
    expect(answer.replaced).toMatchObject({ affected_kpis: { old: 1 } });
    expect((await call("cstp.getDecision", { id: "at-10" })).decision).toMatchObject({ ...REVIEW, status: "reviewed" });
  });
});

describe("a key that no parameter has", () => {
  it("is named by the answer of a write, also inside of a parameter", async () => {
    const { call } = await openCstpServer();
    const given = {
      decision: "x",
      category: "y",
      status: "pending",
      mood: "good",
      reasons: [{ text: "z", weight: 2 }],
    };
    const { id, ignored } = await call("cstp.recordDecision", { ...given, agent_team: null });
    expect(ignored).toEqual(["status", "mood", "reasons[0].weight"]);
    expect((await call("cstp.reviewDecision", { id, outcome: "success", severity: 2 })).ignored).toEqual(["severity"]);
    expect((await call("cstp.setPreserve", { id, why: "x" })).ignored).toEqual(["why"]);
    expect((await call("cstp.compact", { dryRun: true, why: "x" })).ignored).toEqual(["why"]);
    expect(await call("cstp.getCompacted", { why: "x" })).not.toHaveProperty("ignored");
  });

  it.each([
    [{ dryrun: true }, "dryrun is not a parameter, did you mean dryRun?"],
    [{ dry_runs: true }, "dry_runs is not a parameter, did you mean dryRun?"],
    [{ dryRun: false, dry_run: true }, "dryRun and dry_run are one parameter and say different things."],
    [{ preview: true }, "preview is not a parameter of cstp.compact; nothing was done."],
  ])("but is near to one runs no cycle: %j", async (params, message) => {
    const { rpc, log } = await openCstpServer();
    await fill(log, [aged("at-10", 10)]);
    expect((await rpc("cstp.compact", params)).error).toMatchObject({
      code: -32_602,
      message,
      data: { code: "INVALID_PARAMS" },
    });
    expect(await log.read((reader) => reader.runs(5))).toEqual([]);
  });
});
