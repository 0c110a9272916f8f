// The block `decisions`: read from file and environment, refused with its place, and turned into policies and a log.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { configJsonSchema, configTemplate, describeConfig } from "../../src/config/describe-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";

import { DEFAULT_DECISION_POLICY, policyFor } from "../../src/decisions/levels.ts";
import { openDecisionLog } from "../../src/decisions.ts";
import { conversationConfigOf } from "../../src/factories/conversation-config.ts";
import { decisionPoliciesOf, decisionTextWriterOf } from "../../src/factories/decisions.ts";
import { verifies } from "../requirements/verifies.ts";
import { configFile, failureOf, newFolder } from "./config-folder.ts";

const FULL = `
decisions:
  dir: notes/decisions
  schedule: "30 4 * * 1"
  policy:
    thresholds:
      full: 3
    min_decisions: 2
    preserve_stakes: [critical]
  policies:
    gpt-4.1 agent:
      agent: scout
      enabled: false
    security_work:
      category: security
      age_basis: review
      thresholds:
        digest: 365
      preserve_tags: [audit]
    both:
      agent: scout
      category: security
      min_decisions: "9"
`;

const load = (text: string, env: Readonly<Record<string, string>> = {}) => loadConfig({ file: configFile(text), env });

describe("a file", () => {
  it("is read, names of policies as they are written", async () => {
    const { config } = await load(FULL);
    expect(config.decisions).toEqual({
      dir: "notes/decisions",
      schedule: "30 4 * * 1",
      policy: { thresholds: { full: 3 }, minDecisions: 2, preserveStakes: ["critical"] },
      policies: {
        "gpt-4.1 agent": { agent: "scout", enabled: false },
        security_work: {
          category: "security",
          ageBasis: "review",
          thresholds: { digest: 365 },
          preserveTags: ["audit"],
        },
        both: { agent: "scout", category: "security", minDecisions: 9 },
      },
    });
  });

  it("may leave everything out", async () => {
    for (const text of ["", "decisions:", "decisions:\n  policy:\n  policies:\n"]) {
      const { config } = await load(text);
      expect(decisionPoliciesOf(config)).toEqual([DEFAULT_DECISION_POLICY]);
    }
  });

  it("is overridden by variables, field by field", async () => {
    const { config } = await load(FULL, {
      COMPACT_DECISIONS_SCHEDULE: "off",
      COMPACT_DECISIONS_POLICY_THRESHOLDS_FULL: "5",
      COMPACT_DECISIONS_POLICY_ENABLED: "false",
      COMPACT_DECISIONS_POLICY_PRESERVE_TAGS: "keep, audit",
    });
    expect(config.decisions).toMatchObject({
      schedule: "off",
      policy: { thresholds: { full: 5 }, enabled: false, minDecisions: 2, preserveTags: ["keep", "audit"] },
    });
  });

  it("is no business of conversations", async () => {
    const { config } = await load(FULL);
    expect(conversationConfigOf(config)).not.toHaveProperty("decisions");
  });
});

describe("what is wrong", () => {
  it.each([
    ["decisions:\n  dirs: x", "2: decisions.dirs is not a known key, did you mean dir?"],
    ["decisions: 7", "1: decisions must hold keys and values"],
    ["decisions:\n  dir: a\n  db: b", "3: decisions.db cannot stand beside dir: keep one"],
    ["decisions:\n  schedule: daily", "2: decisions.schedule must be a cron pattern of five fields, as"],
    ['decisions:\n  schedule: "0 25 * * *"', "2: decisions.schedule must be a cron pattern"],
    ...["* * * * * *", "0 0 3 * * *", "@daily", "@hourly", "2031-01-01T00:00:00", "3 * * *"].map(
      (pattern): [string, string] => [
        `decisions:\n  schedule: "${pattern}"`,
        "2: decisions.schedule must be a cron pattern of five fields, as",
      ],
    ),
    [
      "decisions:\n  policies:\n    default:\n      agent: x",
      "3: decisions.policies.default is the name of what governs the rest: take another",
    ],
    ["decisions:\n  policy:\n    enabled: maybe", "3: decisions.policy.enabled must be true or false"],
    [
      "decisions:\n  policy:\n    age_basis: reviews",
      "3: decisions.policy.age_basis must be one of: decision, review: did you mean review?",
    ],
    [
      "decisions:\n  policy:\n    min_decisions: 0",
      "3: decisions.policy.min_decisions must be a whole number from 1 to 100",
    ],
    [
      "decisions:\n  policy:\n    thresholds:\n      full: 0",
      "4: decisions.policy.thresholds.full must be a whole number from 1",
    ],
    [
      "decisions:\n  policy:\n    thresholds:\n      full: 30",
      "3: decisions.policy.thresholds must rise: full 30, summary 30, digest 90",
    ],
    [
      "decisions:\n  policy:\n    thresholds:\n      digest: 40\n  policies:\n    a.b:\n      agent: x\n      thresholds:\n        summary: 50",
      "8: decisions.policies.a.b.thresholds must rise: full 7, summary 50, digest 40",
    ],
    [
      "decisions:\n  policies:\n    free:\n      enabled: false",
      "3: decisions.policies.free must name an agent or a category",
    ],
    [
      "decisions:\n  policies:\n    one:\n      agent: x\n    two:\n      agent: x",
      "5: decisions.policies.two governs the same decisions as one: keep one",
    ],
    [
      "decisions:\n  policies:\n    one:\n      agents: x",
      "4: decisions.policies.one.agents is not a known key, did you mean agent?",
    ],
    ["decisions:\n  policies:\n    one: x", "3: decisions.policies.one must hold keys and values"],
    ["decisions:\n  policies: [x]", "2: decisions.policies must hold policy names"],
  ])("is said with its place: %j", async (text, message) => {
    expect(await failureOf(load(text))).toContain(`compact.yaml:${message}`);
  });

  it("in a variable is said with its name", async () => {
    const env = { COMPACT_DECISIONS_POLICY_MIN_DECISIONS: "many" };
    expect(await failureOf(loadConfig({ env }))).toContain(
      "decisions.policy.min_decisions must be a whole number from 1 to 100 (from the environment variable COMPACT_DECISIONS_POLICY_MIN_DECISIONS)",
    );
    const { warnings } = await loadConfig({ env: { COMPACT_DECISION_DIR: "x" } });
    expect(warnings).toEqual(["The variable COMPACT_DECISION_DIR is not read: did you mean COMPACT_DECISIONS_DIR?"]);
  });
});

it("what is in effect is told with where it comes from, policies included", async () => {
  const loaded = await load(FULL, { COMPACT_DECISIONS_POLICY_ENABLED: "false" });
  const fields = new Map(describeConfig(loaded).map((field) => [field.name, field]));
  expect(fields.get("decisions.schedule")).toMatchObject({ value: "30 4 * * 1", source: { kind: "file", line: 4 } });
  expect(fields.get("decisions.policy.enabled")).toMatchObject({ value: false, source: { kind: "variable" } });
  expect(fields.get("decisions.policy.thresholds.summary")).toMatchObject({ value: 30, source: { kind: "default" } });
  expect(fields.get("decisions.policies.gpt-4.1 agent.enabled")).toMatchObject({
    value: false,
    source: { kind: "file", line: 13 },
  });
  expect(fields.get("decisions.policies.security_work.thresholds.digest")).toMatchObject({ value: 365 });
});

describe("policies", () => {
  it("differ by agent and category, each with what it does not say from the block policy", async () => {
    verifies("decisions/phase-configurable-policies");
    const policies = decisionPoliciesOf((await load(FULL)).config);
    expect(policies.map(({ name }) => name)).toEqual(["both", "gpt-4.1 agent", "security_work", "default"]);
    expect(policyFor(policies, { agent: "scout", category: "security" })).toMatchObject({
      name: "both",
      minDecisions: 9,
      isEnabled: true,
      thresholds: { full: 3, summary: 30, digest: 90 },
      preserveStakes: ["critical"],
    });
    expect(policyFor(policies, { agent: "scout", category: "process" })).toMatchObject({ isEnabled: false });
    expect(policyFor(policies, { agent: "ada", category: "security" })).toMatchObject({
      ageBasis: "review",
      thresholds: { full: 3, summary: 30, digest: 365 },
      preserveTags: ["audit"],
    });
    expect(policyFor(policies, { agent: "ada", category: "process" })).toMatchObject({
      name: "default",
      minDecisions: 2,
    });
  });
});

describe("the pages", () => {
  it("show policies in the template that are valid where they stand", async () => {
    const lines = configTemplate().split("\n");
    const from = lines.indexOf("  # policies:");
    const policies = lines.slice(from, from + 8).map((line) => line.replace(/^ {2}# /, "  "));
    const { config } = await load(`decisions:\n${policies.join("\n")}`);
    expect(config.decisions?.policies).toEqual({
      security: { category: "security", preserveStakes: ["high", "critical"] },
      scout: { agent: "scout", thresholds: { full: 3 } },
    });
  });

  it("take any name below policies in the JSON Schema", () => {
    interface Schema {
      readonly properties: Readonly<Record<string, Schema>>;
      readonly additionalProperties: Schema;
    }
    const { decisions } = (configJsonSchema() as unknown as Schema).properties;
    const keys = Object.keys(decisions?.properties.policies?.additionalProperties.properties ?? {});
    expect(keys).toContain("min_decisions");
    expect(keys).toContain("agent");
  });
});

describe("a log", () => {
  it("is a folder or a database, opened at its first use", async () => {
    const folder = newFolder();
    const [dir, db] = [join(folder, "decisions"), join(folder, "decisions.db")];
    for (const [place, adapter] of [[{ dir }, "cstp-yaml"] as const, [{ db }, "sqlite"] as const]) {
      const log = openDecisionLog({ ...place, create: true });
      onTestFinished(() => log.close());
      expect(log.adapter).toBe(adapter);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that is not there and may not be made is not made", async () => {
    const folder = newFolder();
    for (const place of [{ dir: join(folder, "decisions") }, { db: join(folder, "decisions.db") }]) {
      const log = openDecisionLog(place);
      onTestFinished(() => log.close());
      await expect(log.read((reader) => reader.idsLike("", 1))).rejects.toMatchObject({ kind: "NotFound" });
    }
    expect(existsSync(join(folder, "decisions"))).toBe(false);
  });
});

describe("texts", () => {
  it("are by code unless a model is configured", async () => {
    expect(decisionTextWriterOf({})).toMatchObject({ model: "extractive" });
    const { config } = await load(
      "summarizer:\n  type: openai-compatible\n  base_url: http://127.0.0.1:9/v1\n  model: small-model",
    );
    expect(decisionTextWriterOf(config)).toMatchObject({ model: "small-model" });
  });

  it("of a provider without its key are an error of the configuration", async () => {
    const { config } = await load("summarizer:\n  type: anthropic\n  model: any");
    const before = process.env.ANTHROPIC_API_KEY;
    delete process.env.ANTHROPIC_API_KEY;
    onTestFinished(() => {
      if (before !== undefined) process.env.ANTHROPIC_API_KEY = before;
    });
    expect(() => decisionTextWriterOf(config)).toThrow(expect.objectContaining({ code: "NO_API_KEY" }));
  });
});
