// Policies of agents and categories: which one governs which decision, and that answers name it.
import { describe, expect, it } from "vitest";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { getDecision } from "../../../src/decisions/serving/get-decision.ts";
import { getCompacted } from "../../../src/decisions/serving/query-decisions.ts";
import { verifies } from "../../requirements/verifies.ts";
import { filled, logs } from "./logs.ts";
import { aged, NOW } from "./records.ts";

const policies = decisionPolicies({ thresholds: { full: 10 } }, [
  { name: "fast", category: "tooling", thresholds: { full: 1, summary: 2, digest: 3 } },
  { name: "ada", agent: "ada", preserveTags: ["core"], preserveStakes: ["critical"] },
  { name: "ada-tooling", agent: "ada", category: "tooling", isEnabled: false },
  { name: "reviews", category: "security", ageBasis: "review" },
]);
const options = { policies, now: NOW };

const RECORDS = [
  aged("plain", 8),
  aged("tool", 8, { category: "tooling" }),
  aged("ada-tool", 400, { category: "tooling", recorded_by: "ada" }),
  aged("ada-core", 400, { recorded_by: "ada", tags: ["core"] }),
  aged("ada-critical", 400, { recorded_by: "ada", stakes: "critical" }),
  aged("ada-other", 400, { recorded_by: "ada", stakes: "high", tags: ["cores"] }),
  aged("reviewed", 400, { category: "security", reviewed_at: "2026-02-10T12:00:00Z" }),
];

describe.each(logs)("policies over a %s log", (_, open) => {
  it("govern agent and category first, then agent, category and the rest", async () => {
    verifies("decisions/phase-configurable-policies");
    const log = await filled(open, RECORDS);
    const told = await Promise.all(
      RECORDS.map(async ({ id }) => {
        const { policy, compactionLevel, standing } = await getDecision(log, String(id), options);
        return [id, policy, compactionLevel, standing.preserved];
      }),
    );
    expect(told).toEqual([
      ["plain", "default", "full", false],
      ["tool", "fast", "wisdom", false],
      ["ada-tool", "ada-tooling", "full", false],
      ["ada-core", "ada", "full", true],
      ["ada-critical", "ada", "full", true],
      ["ada-other", "ada", "wisdom", false],
      ["reviewed", "reviews", "full", false],
    ]);
    const { decisions, levels } = await getCompacted(log, {}, options);
    expect(levels).toEqual({ full: 5, summary: 0, digest: 0, wisdom: 2 });
    expect(decisions.filter(({ preserved }) => preserved).map(({ id }) => id)).toEqual(["ada-core", "ada-critical"]);
    const { total } = await getCompacted(log, { includePreserved: false }, options);
    expect(total).toBe(3);
  });

  it("are named by answers: the one that governs all of it, and those that may govern some", async () => {
    verifies("decisions/phase-configurable-policies");
    const log = await filled(open, RECORDS);
    const named = async (request: { category?: string; agent?: string }) => {
      const { policy, otherPolicies = [] } = await getCompacted(log, request, options);
      return [policy.name, ...otherPolicies.map(({ name }) => name)];
    };
    expect(await named({})).toEqual(["default", "ada-tooling", "ada", "fast", "reviews"]);
    expect(await named({ category: "tooling" })).toEqual(["fast", "ada-tooling", "ada"]);
    expect(await named({ category: "tooling", agent: "bob" })).toEqual(["fast"]);
    expect(await named({ category: "tooling", agent: "ada" })).toEqual(["ada-tooling"]);
    expect(await named({ agent: "ada" })).toEqual(["ada", "ada-tooling"]);
    expect(await named({ category: "process" })).toEqual(["default", "ada"]);
    const { policy } = await getCompacted(log, { category: "security" }, options);
    expect(policy).toEqual({
      name: "reviews",
      category: "security",
      enabled: true,
      thresholds: { full: 10, summary: 30, digest: 90 },
      ageBasis: "review",
      preserveRules: { stakes: [], tags: [] },
      minDecisions: 5,
    });
  });
});

it.each(["default", " Default "])("no policy but the one that governs the rest is named %j", (name) => {
  expect(() => decisionPolicies({}, [{ name, category: "tooling" }])).toThrow(
    expect.objectContaining({ kind: "InvalidConfig", code: "INVALID_POLICY" }),
  );
});
