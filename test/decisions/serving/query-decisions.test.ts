// Finding decisions by words and standing, and reading one as it was recorded.
import { describe, expect, it } from "vitest";
import { getDecision } from "../../../src/decisions/serving/get-decision.ts";
import { type DecisionQuery, queryDecisions } from "../../../src/decisions/serving/query-decisions.ts";
import { verifies } from "../../requirements/verifies.ts";
import { filled, logs } from "../levels/logs.ts";
import { aged, options } from "../levels/records.ts";

const CONTEXT = "What was known at the time. ".repeat(40);

describe.each(logs)("a query over a %s log", (_, open) => {
  const records = [
    aged("a", 1, { decision: "Use gRPC between services", tags: ["wire"], context: CONTEXT }),
    aged("b", 12, { decision: "Keep C++ for the codec", lessons: "Fast enough for db-1", context: CONTEXT }),
    aged("c", 40, { decision: "Über allem: 検索エンジンを使う", status: "reviewed", context: CONTEXT }),
    aged("d", 100, { decision: "Drop gRPC for batch jobs", category: "tooling", context: CONTEXT }),
    aged("e", 100, { decision: "Ask twice", status: "pending" }),
  ];

  it("finds decisions that hold all words, in any field and without case", async () => {
    const log = await filled(open, records);
    const ids = async (request: DecisionQuery) =>
      (await queryDecisions(log, request, options)).decisions.map(({ id }) => id);
    expect(await ids({})).toEqual(["a", "b", "c", "d", "e"]);
    expect(await ids({ query: "GRPC" })).toEqual(["a", "d"]);
    expect(await ids({ query: "(grpc), wire!" })).toEqual(["a"]);
    expect(await ids({ query: 'c++ "db-1"' })).toEqual(["b"]);
    expect(await ids({ query: "über 検索" })).toEqual(["c"]);
    expect(await ids({ query: "grpc missing" })).toEqual([]);
    expect(await ids({ query: "%" })).toEqual([]);
    expect(await ids({ query: "grpc", category: "tooling" })).toEqual(["d"]);
    expect(await ids({ status: "pending" })).toEqual(["e"]);
    expect(await ids({ level: "wisdom" })).toEqual(["d"]);
    expect(await ids({ query: "  ", limit: 2 })).toEqual(["a", "b"]);
    await expect(ids({ query: "x".repeat(1001) })).rejects.toMatchObject({ code: "QUERY_TOO_LONG" });
  });

  it("serves each whole and tells its level, or at its level and leaves wisdom out", async () => {
    verifies("decisions/phase-time-based-levels", "decisions/query-integration");
    const log = await filled(open, records);
    const whole = await queryDecisions(log, {}, options);
    expect(whole.decisions.map(({ level, compactionLevel }) => [level, compactionLevel])).toEqual([
      ["full", "full"],
      ["full", "summary"],
      ["full", "digest"],
      ["full", "wisdom"],
      ["full", "full"],
    ]);
    expect(whole.decisions.every(({ decision }) => decision !== undefined)).toBe(true);
    expect(whole.digests).toEqual([]);
    expect(whole.leftOut).toEqual({ byLimit: 0, before: 0, wisdom: 0, otherLevels: 0 });
    const compacted = await queryDecisions(log, { compacted: true }, options);
    expect(compacted.decisions.map(({ id, level, compactionLevel }) => [id, level, compactionLevel])).toEqual([
      ["a", "full", "full"],
      ["b", "summary", "summary"],
      ["c", "digest", "digest"],
      ["e", "full", "full"],
    ]);
    expect(compacted.leftOut).toEqual({ byLimit: 0, before: 0, wisdom: 1, otherLevels: 0 });
    expect(compacted.levels).toEqual({ full: 2, summary: 1, digest: 1, wisdom: 1 });
    expect(compacted.decisions.filter((item) => JSON.stringify(item).includes("What was known"))).toHaveLength(1);
    expect(JSON.stringify(compacted.decisions).length).toBeLessThan(JSON.stringify(whole.decisions).length / 2);
    const asked = await queryDecisions(log, { compacted: true, level: "wisdom" }, options);
    expect(asked.decisions.map((item) => Object.keys(item))).toEqual([
      ["id", "level", "category", "date", "outcome", "actualConfidence", "confidence", "compactionLevel"],
    ]);
  });

  it("goes page by page", async () => {
    const log = await filled(open, records);
    const first = await queryDecisions(log, { query: "grpc", limit: 1 }, options);
    expect(first.leftOut).toEqual({ byLimit: 1, before: 0, wisdom: 0, otherLevels: 0 });
    const second = await queryDecisions(log, { query: "grpc", limit: 1, cursor: first.nextCursor }, options);
    expect(second.decisions.map(({ id }) => id)).toEqual(["d"]);
    expect(second.leftOut).toEqual({ byLimit: 0, before: 1, wisdom: 0, otherLevels: 0 });
    expect(second.nextCursor).toBeUndefined();
  });

  it("reads one decision as it was recorded, by its id or an unambiguous beginning", async () => {
    const record = { ...aged("abcd1234", 40), mood: { is: "calm" }, preserve: false };
    const log = await filled(open, [record, aged("abcd9999", 1), aged("abc", 1), aged("wxyz0000", -1.5)]);
    expect(await getDecision(log, "abcd1", options)).toEqual({
      id: "abcd1234",
      decision: record,
      compactionLevel: "digest",
      standing: { status: "reviewed", reviewed: true, preserved: false, superseded: false, ageDays: 40 },
      policy: "default",
    });
    expect((await getDecision(log, "abc", options)).id).toBe("abc");
    expect((await getDecision(log, " wxyz ", options)).standing.ageDays).toBe(-2);
    const refused = (id: string) => expect(getDecision(log, id, options)).rejects;
    await refused("abcd").toMatchObject({
      kind: "InvalidInput",
      code: "AMBIGUOUS_ID",
      data: { candidates: ["abcd1234", "abcd9999"] },
    });
    await refused("wxy").toMatchObject({ code: "AMBIGUOUS_ID", data: { candidates: ["wxyz0000"] } });
    await refused("nowhere").toMatchObject({ kind: "NotFound", code: "UNKNOWN_DECISION" });
    await refused("").toMatchObject({ kind: "InvalidInput", code: "INVALID_ID" });
  });
});
