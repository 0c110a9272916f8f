// What clients write for the same thing: either spelling of a key, scalars as text, null and blanks for nothing.
import { describe, expect, it } from "vitest";
import type { DecisionOperation } from "../../src/operations/decisions/context.ts";
import { readParams } from "../../src/operations/decisions/methods.ts";
import {
  getCompactedMethod,
  getDecisionMethod,
  getWisdomMethod,
  queryDecisionsMethod,
} from "../../src/operations/decisions/reading.ts";
import {
  compactMethod,
  recordDecisionMethod,
  reviewDecisionMethod,
  setPreserveMethod,
} from "../../src/operations/decisions/writing.ts";

const read = (method: DecisionOperation, given: Readonly<Record<string, unknown>>) => readParams(method, given).params;

describe("keys", () => {
  it("are read in camelCase and in snake_case", () => {
    for (const given of [{ minDecisions: 3 }, { min_decisions: 3 }]) {
      expect(read(getWisdomMethod as never, given)).toEqual({ minDecisions: 3 });
    }
    expect(read(getCompactedMethod as never, { include_preserved: false })).toEqual({ includePreserved: false });
    expect(read(compactMethod as never, { dry_run: true })).toEqual({ dryRun: true });
  });

  it.each(["decisionId", "decision_id", "id"])("%s names a decision", (key) => {
    expect(read(getDecisionMethod as never, { [key]: "abcd1234" })).toEqual({ decisionId: "abcd1234" });
  });

  it("may be sent twice with one value; null stands for nothing under each", () => {
    const given = { id: "first", decision_id: "first", decisionId: "first" };
    expect(read(getDecisionMethod as never, given)).toEqual({ decisionId: "first" });
    expect(read(getDecisionMethod as never, { id: "last", decisionId: null })).toEqual({ decisionId: "last" });
    expect(read(compactMethod as never, { dryRun: true, dry_run: "true" })).toEqual({ dryRun: true });
  });

  it.each<[DecisionOperation, object, string]>([
    [compactMethod as never, { dryRun: false, dry_run: true }, "dryRun and dry_run are one parameter"],
    [getDecisionMethod as never, { id: "last", decisionId: "first" }, "id and decisionId are one parameter"],
    [
      reviewDecisionMethod as never,
      { id: "abcd", outcome: "success", notes: "a", review_notes: "b" },
      "notes and review_notes are one parameter",
    ],
    [
      queryDecisionsMethod as never,
      { category: "a", filters: { category: "b" } },
      "category stands beside filters and in them",
    ],
  ])("that contradict each other are refused: %#", (method, given, message) => {
    expect(() => read(method, given as never)).toThrow(message);
  });

  it.each(["dryrun", "DRY_RUN", "dry-run", "Dryrun", "dryRn", "dyrRun", "dryRunn"])(
    "that are plainly a parameter misspelt are refused: %s",
    (key) => {
      expect(() => read(compactMethod as never, { [key]: true })).toThrow(
        `${key} is not a parameter, did you mean dryRun?`,
      );
      expect(read(compactMethod as never, { [key]: null })).toEqual({});
    },
  );

  it.each<[DecisionOperation, string, string]>([
    [getCompactedMethod as never, "lvel", "level"],
    [getCompactedMethod as never, "includePreservd", "includePreserved"],
    [getCompactedMethod as never, "categry", "category"],
    [recordDecisionMethod as never, "mental_sate", "mentalState"],
    [reviewDecisionMethod as never, "actual_results", "actualResult"],
    [getWisdomMethod as never, "min-decisions", "minDecisions"],
  ])("of every method: %#", (method, key, meant) => {
    expect(() => read(method, { [key]: "x" })).toThrow(`${key} is not a parameter, did you mean ${meant}?`);
  });

  it("that other servers know are no slips", () => {
    const others = { retrievalMode: "hybrid", bridge_side: "both", includeReasons: true, top_k: 5, has_outcome: true };
    expect(read(queryDecisionsMethod as never, { query: "x", ...others })).toEqual({ query: "x" });
    const record = { decision: "x", category: "y", status: "pending", date: "2026-01-01", reviewed_by: "ada" };
    expect(read(recordDecisionMethod as never, record)).toEqual({ decision: "x", category: "y" });
  });

  it.each(["preview", "simulate", "what_if", "dry"])("that ask for a trial never run for real: %s", (key) => {
    expect(() => read(compactMethod as never, { [key]: true })).toThrow(
      /is not a parameter.*(?:nothing was done|dryRun)/,
    );
    expect(() => read(setPreserveMethod as never, { id: "abcd", [key]: "true" })).toThrow("nothing was done");
    expect(read(setPreserveMethod as never, { id: "abcd", [key]: false })).toEqual({ decisionId: "abcd" });
    expect(read(getDecisionMethod as never, { id: "abcd", [key]: true })).toEqual({ decisionId: "abcd" });
  });

  it("that no parameter has are ignored, also those that every object inherits", () => {
    expect(read(compactMethod as never, { bridge_side: "both", __proto__: { dryRun: true } })).toEqual({});
    expect(read(compactMethod as never, JSON.parse('{"__proto__":{"dryRun":true},"constructor":1}'))).toEqual({});
  });

  it("in a block of filters count as if they stood beside it", () => {
    const given = { query: "queue", filters: { category: "tooling", status: ["reviewed"], min_confidence: 0.5 } };
    expect(read(queryDecisionsMethod as never, given)).toEqual({
      query: "queue",
      category: "tooling",
      status: "reviewed",
    });
  });
});

describe("scalars", () => {
  it.each([
    ["30", 30],
    [" 30 ", 30],
    ["-1", -1],
    ["+5", 5],
    [30, 30],
  ])("%j is a number", (limit, expected) => {
    expect(read(getCompactedMethod as never, { limit })).toEqual({ limit: expected });
  });

  it.each(["abc", "1.5", "1e3", "0x10", 1.5, true, [], {}, "30 " + "days"])("%j is no whole number", (limit) => {
    expect(() => read(getCompactedMethod as never, { limit })).toThrow("limit must be a whole number");
  });

  it.each([
    ["false", false],
    ["FALSE", false],
    [" true ", true],
    ["0", false],
    [1, true],
    [false, false],
  ])("%j is true or false", (dryRun, expected) => {
    expect(read(compactMethod as never, { dryRun })).toEqual({ dryRun: expected });
  });

  it.each(["yes", "off", 2, [], {}])("%j is neither", (dryRun) => {
    expect(() => read(compactMethod as never, { dryRun })).toThrow("dryRun must be true or false");
  });

  it.each([null, "", "  "])("%j is as if it were absent", (nothing) => {
    const given = { limit: nothing, category: nothing, level: nothing, includePreserved: nothing };
    expect(read(getCompactedMethod as never, given)).toEqual({});
  });

  it("0 stays 0", () => {
    const given = {
      decision: "x",
      category: "y",
      confidence: 0,
      reasons: [{ type: "analysis", text: "z", strength: 0 }],
    };
    expect(read(recordDecisionMethod as never, given)).toEqual(given);
    expect(read(recordDecisionMethod as never, { ...given, confidence: "0" })).toEqual(given);
  });

  it("names of levels and outcomes are read in any case", () => {
    expect(read(getCompactedMethod as never, { level: "Digest" })).toEqual({ level: "digest" });
    expect(read(reviewDecisionMethod as never, { id: "abcd", outcome: " SUCCESS " })).toMatchObject({
      outcome: "success",
    });
  });
});

describe("preserve", () => {
  it.each([true, false])("is %j", (preserve) => {
    expect(read(setPreserveMethod as never, { id: "abcd", preserve })).toEqual({ decisionId: "abcd", preserve });
  });

  it.each(["false", "true", "", 0, 1, [], {}])("is never %j", (preserve) => {
    expect(() => read(setPreserveMethod as never, { id: "abcd", preserve })).toThrow("preserve must be true or false");
  });

  it("of a new decision is no text either", () => {
    const given = { decision: "x", category: "y", preserve: "false" };
    expect(() => read(recordDecisionMethod as never, given)).toThrow("preserve must be true or false");
  });
});

describe("what is kept and not used", () => {
  it("stays as it was sent, blanks and nulls included", () => {
    const given = {
      decision: "x",
      category: "y",
      deliberation: { inputs: [null, ""], steps: 3 },
      trace: [{ a: null }],
    };
    expect(read(recordDecisionMethod as never, given)).toEqual(given);
  });
});

describe("an id", () => {
  it.each([undefined, null, {}])("that is %j is required", (id) => {
    const expected = id === undefined || id === null ? "decisionId is required" : "decisionId must be a text";
    expect(() => read(getDecisionMethod as never, { id })).toThrow(expected);
  });

  it.each(["../../etc/passwd", "a/b", "a\\b", "a\nb", "a\u0000b", "..", "x".repeat(201), ""])(
    "%j is refused",
    (decisionId) => {
      expect(() => read(getDecisionMethod as never, { decisionId })).toThrow(/^decisionId must be an id/);
    },
  );

  it.each(["abcd1234", "bd-17", "0012-use-grpc", "日本-1", "a b", "v1.2"])("%j is one", (decisionId) => {
    expect(read(getDecisionMethod as never, { decisionId })).toEqual({ decisionId });
  });
});

describe("lists and objects", () => {
  it("are read without the nulls and blanks that stand for nothing", () => {
    const given = {
      decision: "x",
      category: "y",
      reasons: [{ type: "", text: "why", strength: null }, "", null],
      bridge: { structure: "a queue", function: "", tolerance: [null] },
      tags: ["a", ""],
    };
    expect(read(recordDecisionMethod as never, given)).toEqual({
      decision: "x",
      category: "y",
      reasons: [{ text: "why" }],
      bridge: { structure: "a queue", tolerance: [] },
      tags: ["a"],
    });
  });

  it("say which part of them is wrong", () => {
    const given = {
      decision: "x",
      category: "y",
      confidence: 2,
      tags: ["a", 1],
      reasons: [{ strength: 2, text: "z" }],
    };
    expect(() => read(recordDecisionMethod as never, given)).toThrow(
      /confidence must be a number from 0 to 1; reasons\[0\]\.strength must be a number from 0 to 1; tags\[1\] must be a text/,
    );
  });

  it("never quote what was sent", () => {
    const given = { decision: 7, category: ["the secret words"], context: { text: "the secret words" } };
    try {
      read(recordDecisionMethod as never, given);
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify([(error as Error).message, error])).not.toContain("secret");
    }
  });
});
