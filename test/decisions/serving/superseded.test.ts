// A decision whose place was taken is never served as current, however far apart the two stand.
import { describe, expect, it } from "vitest";
import { getDecision } from "../../../src/decisions/serving/get-decision.ts";
import { getCompacted, queryDecisions } from "../../../src/decisions/serving/query-decisions.ts";

import { getWisdom } from "../../../src/decisions/wisdom/get-wisdom.ts";
import { verifies } from "../../requirements/verifies.ts";
import { filled, logs } from "../levels/logs.ts";
import { aged, options } from "../levels/records.ts";

describe.each(logs)("superseded decisions of a %s log", (_, open) => {
  const others = Array.from({ length: 500 }, (_, at) => aged(`other-${at}`, 10 + at / 100));

  it("are flagged on the page of another level, and of another page", async () => {
    verifies("field/superseded-shown-as-current");
    const log = await filled(open, [
      aged("rest", 45, { decision: "use REST" }),
      ...others,
      aged("grpc", 2, { decision: "use gRPC", supersedes: ["rest"] }),
      aged("soap", 100, { decision: "use SOAP", status: "reviewed", superseded_by: "rest" }),
      aged("alone", 60, { status: "superseded" }),
    ]);
    const first = await getCompacted(log, { limit: 50 }, options);
    expect(first.decisions[0]).toMatchObject({ id: "grpc", level: "full", supersedes: ["rest"] });
    expect(first.decisions[0]).not.toHaveProperty("superseded");
    const digests = await getCompacted(log, { level: "digest", limit: 50 }, options);
    expect(digests.decisions).toMatchObject([
      { id: "rest", oneLine: "use REST", superseded: true, supersededBy: "grpc" },
    ]);
    const wisdom = await getCompacted(log, { level: "wisdom" }, options);
    expect(wisdom.decisions).toMatchObject([{ id: "soap", superseded: true, supersededBy: "rest" }]);
    const { decisions } = await queryDecisions(log, { query: "use" }, options);
    expect(decisions.map(({ id, superseded }) => [id, superseded])).toEqual([
      ["grpc", undefined],
      ["rest", true],
      ["soap", true],
    ]);
    expect((await getDecision(log, "rest", options)).standing).toMatchObject({
      superseded: true,
      supersededBy: "grpc",
    });
    expect((await getDecision(log, "alone", options)).standing).toEqual({
      status: "superseded",
      reviewed: false,
      preserved: false,
      superseded: true,
      ageDays: 60,
    });
  });

  it("confirm no principle, and count by what came of them", async () => {
    verifies("field/superseded-shown-as-current");
    const rest = ["rest-1", "rest-2"].map((id) => aged(id, 200, { pattern: "Use REST everywhere" }));
    const rpc = ["rpc-1", "rpc-2"].map((id) => aged(id, 100, { pattern: "Use gRPC between services" }));
    const open1 = aged("open", 300, { status: "pending", outcome: undefined });
    const failed = aged("failed", 150, { outcome: "failure" });
    const principles = async (records: readonly object[]) => {
      const log = await filled(open, [
        ...rest,
        ...rpc.slice(1),
        open1,
        failed,
        ...records.map((record) => ({ ...record })),
      ]);
      const { categories } = await getWisdom(log, {}, options);
      return categories.map(({ decisions, successRate, principles }) => [
        decisions,
        successRate,
        principles.map(({ text }) => text).sort(),
      ]);
    };
    const [first] = rpc;
    expect(await principles([{ ...first }])).toEqual([[5, 0.8, ["Use REST everywhere", "Use gRPC between services"]]]);
    expect(await principles([{ ...first, supersedes: ["rest-1", "rest-2"] }])).toEqual([
      [5, 0.8, ["Use gRPC between services"]],
    ]);
  });
});
