// Every method's answer has the form that its schema says, key by key, and every schema can be shown to a client.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { decisionPolicies } from "../../src/decisions/levels.ts";
import { createMemoryDecisionLog } from "../../src/decisions/memory-decision-log.ts";
import { decisionTextWriterOf } from "../../src/factories/decisions.ts";
import type { DecisionContext } from "../../src/operations/decisions/context.ts";
import { DECISION_METHODS, readParams } from "../../src/operations/decisions/methods.ts";
import { faultsResult, levelCounts, servedDecision, servedPolicy } from "../../src/operations/decisions/schemas.ts";
import { aged, fill, NOW } from "../http/cstp/cstp-server.ts";

const FULL = {
  context: "Jobs were lost",
  reasons: [{ type: "empirical", text: "Two incidents", strength: 0.5, confidence: 0.4 }, "It is simpler"],
  tags: ["jobs"],
  pattern: "One way to do a thing",
  lessons: "Alerts, too",
  actual_result: "It held",
  bridge: { structure: "a queue", function: "no job is lost", tolerance: ["twice"], enforcement: ["ack"] },
  deliberation: { inputs: ["x"] },
  trace: [{ step: 1 }],
  recorded_by: "ada",
};

async function context(agent = ""): Promise<DecisionContext> {
  const log = createMemoryDecisionLog();
  const ages = [1, 10, 40, 100, 101, 102, 103, 104];
  await fill(log, [
    ...ages.map((days, at) => aged(`at-${at + 10}`, days, { ...FULL, outcome: at === 7 ? "failure" : "success" })),
    ...ages.map((days, at) => aged(`of-${at + 10}`, days + 100, { ...FULL, category: "tooling" })),
    aged("bad-10", 0, { date: "soon", preserve: true }),
    aged("next-10", 5, { supersedes: ["at-10"] }),
  ]);
  return {
    log: async () => log,
    policies: decisionPolicies({}, [{ name: "tools", category: "tooling", minDecisions: 2 }]),
    texts: decisionTextWriterOf({}),
    now: () => NOW,
    agent,
  };
}

const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["cstp.compact", { dryRun: true }],
  ["cstp.compact", {}],
  ["cstp.getCompacted", {}],
  ["cstp.getCompacted", { level: "wisdom", limit: 2 }],
  ["cstp.setPreserve", { id: "at-10" }],
  ["cstp.setPreserve", { id: "nothing" }],
  ["cstp.getWisdom", {}],
  ["cstp.getWisdom", { format: "structured" }],
  ["cstp.recordDecision", { decision: "x", category: "y", supersedes: ["at-11"], reviewIn: "2w" }],
  ["cstp.reviewDecision", { id: "at-10", outcome: "partial" }],
  ["cstp.queryDecisions", { query: "jobs" }],
  ["cstp.queryDecisions", { compacted: true, limit: 1 }],
  ["cstp.getDecision", { id: "at-10" }],
  ["cstp.getCalibration", {}],
  ["cstp.getCalibration", { category: "nothing" }],
];

it("are nine, each called by a test", () => {
  const names = DECISION_METHODS.map(({ name }) => name);
  expect([...names].sort()).toEqual([...new Set(CALLS.map(([name]) => name))].sort());
  expect(names).toHaveLength(9);
});

describe.each(CALLS)("%s %j", (name, params) => {
  it("answers in the form of its schema, with no key beside it", async () => {
    const method = DECISION_METHODS.find((one) => one.name === name);
    if (method === undefined) throw new Error("no such method");
    const result: unknown = await method.run(readParams(method, params).params, await context());
    expect(method.result.parse(result)).toEqual(result);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });
});

describe.each(DECISION_METHODS.map((method) => [method.name, method] as const))("%s", (_, method) => {
  it("has schemas that clients of any language can be shown", () => {
    const shown = JSON.stringify([z.toJSONSchema(method.params), z.toJSONSchema(method.result)]);
    expect(shown).not.toMatch(/\\p\{|\(\?/);
    expect(method.description).toMatch(/\.$/);
    for (const name of method.exact ?? []) expect(Object.keys(method.params.shape)).toContain(name);
  });

  it("says what each parameter and each key of the result is", () => {
    for (const schema of [method.params, method.result])
      expect(Object.entries(schema.shape).filter(([, value]) => !isDescribed(value))).toEqual([]);
  });
});

it("the shapes that several results share say what each key is", () => {
  for (const { shape } of [servedDecision, servedPolicy, levelCounts, faultsResult.unwrap().element])
    expect(Object.entries(shape).filter(([, value]) => !isDescribed(value))).toEqual([]);
});

function isDescribed(schema: z.core.$ZodType): boolean {
  return /[A-Za-z]{3}/.test(z.toJSONSchema(schema).description ?? "");
}

describe("who asks", () => {
  it("is noted by a cycle", async () => {
    const method = DECISION_METHODS.find(({ name }) => name === "cstp.compact");
    const given = await context("ada");
    await method?.run({}, given);
    const [run] = await (await given.log()).read((reader) => reader.runs(1));
    expect(run?.trigger).toBe("ada");
  });
});

it("a review that is asked for in two weeks is noted with its day", async () => {
  const given = await context();
  const method = DECISION_METHODS.find(({ name }) => name === "cstp.recordDecision");
  if (method === undefined) throw new Error("no such method");
  const { params } = readParams(method, { id: "later-1", decision: "x", category: "y", review_in: "2w" });
  await method.run(params, given);
  const [stored] = await (await given.log()).read((reader) => reader.decisions(["later-1"]));
  expect(stored?.raw.review_by).toBe("2026-03-01");
});
