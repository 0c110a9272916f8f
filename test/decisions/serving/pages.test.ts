// How long lists are paged and filtered, and that an answer always says how much it does not hold.
import { describe, expect, it } from "vitest";
import { getCompacted, queryDecisions } from "../../../src/decisions/serving/query-decisions.ts";

import type { ServedDecisions } from "../../../src/decisions/serving/served.ts";
import { filled, logs } from "../levels/logs.ts";
import { aged, options } from "../levels/records.ts";

/** Its sums hold whatever the limit and the page. */
function expectWholeSums({ total, levels, leftOut, decisions }: ServedDecisions): void {
  expect(total).toBe(decisions.length);
  const all = levels.full + levels.summary + levels.digest + levels.wisdom;
  expect(total + leftOut.byLimit + leftOut.before + leftOut.wisdom + leftOut.otherLevels).toBe(all);
}

describe.each(logs)("pages of decisions from a %s log", (_, open) => {
  it("come page by page, latest first by the time and not by the day, equals by id", async () => {
    const minutes = Array.from({ length: 23 }, (_, at) => aged(`m${String(at).padStart(2, "0")}`, 1 + at / 1440));
    const same = ["Z", "b", "a", "z"].map((id) => aged(id, 2));
    const undated = aged("undated", 0, { date: "soon" });
    const log = await filled(open, [...same, undated, ...minutes.toReversed(), aged("old", 100)]);
    const ids: string[] = [];
    let cursor: string | undefined;
    let before = 0;
    do {
      const page = await getCompacted(log, { limit: 5, cursor }, options);
      expectWholeSums(page);
      expect(page.leftOut.before).toBe(before);
      ids.push(...page.decisions.map(({ id }) => id));
      before += page.total;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const expected = [...minutes.map(({ id }) => id), "Z", "a", "b", "z", "undated"];
    expect(ids).toEqual(expected);
  });

  it("are of one request: a cursor is refused under other parameters, and taken with another limit", async () => {
    const records = Array.from({ length: 6 }, (_, at) => aged(`r${at}`, 1 + at, { category: "tooling" }));
    const log = await filled(open, records);
    const { nextCursor: cursor } = await getCompacted(log, { category: "tooling", limit: 2 }, options);
    expect((await getCompacted(log, { category: " tooling ", limit: 9, cursor }, options)).total).toBe(4);
    const others = [
      getCompacted(log, { cursor }, options),
      getCompacted(log, { cursor, category: "process" }, options),
      getCompacted(log, { cursor, category: "tooling", agent: "ada" }, options),
      getCompacted(log, { cursor, category: "tooling", level: "full" }, options),
      getCompacted(log, { cursor, category: "tooling", includePreserved: false }, options),
      queryDecisions(log, { cursor, category: "tooling" }, options),
      queryDecisions(log, { cursor, category: "tooling", compacted: true, query: "decision" }, options),
      queryDecisions(log, { cursor, category: "tooling", compacted: true, status: "reviewed" }, options),
    ];
    for (const other of others) {
      await expect(other).rejects.toMatchObject({
        kind: "InvalidInput",
        code: "INVALID_CURSOR",
        message: "The cursor is of an answer to a request with other parameters.",
      });
    }
  });

  it("keep whole sums when records come and go between two pages", async () => {
    const log = await filled(
      open,
      Array.from({ length: 9 }, (_, at) => aged(`r${at}`, 1 + at)),
    );
    const first = await getCompacted(log, { limit: 4 }, options);
    await log.write(async (writer) => {
      for (const id of ["r0", "r1", "r2", "r3", "r4"]) await writer.change(id, { date: "2025-01-01" });
      await writer.add(aged("new", 0));
    });
    const second = await getCompacted(log, { limit: 3, cursor: first.nextCursor }, options);
    expectWholeSums(second);
    expect(second.decisions.map(({ id }) => id)).toEqual(["r5", "r6", "r7"]);
    expect(Math.min(...Object.values(second.leftOut))).toBeGreaterThanOrEqual(0);
    const third = await getCompacted(log, { limit: 3, cursor: second.nextCursor }, options);
    expectWholeSums(third);
    expect(third.decisions.map(({ id }) => id)).toEqual(["r8"]);
    expect(third.nextCursor).toBeUndefined();
  });

  it("are those of a category, an agent, a level; blanks and null do not restrict", async () => {
    const log = await filled(open, [
      aged("a", 1, { category: "tooling", recorded_by: "ada" }),
      aged("b", 12, { category: "tooling", recorded_by: "bob" }),
      aged("c", 12, { recorded_by: "ada" }),
    ]);
    const ids = async (request: Parameters<typeof getCompacted>[1]) =>
      (await getCompacted(log, request, options)).decisions.map(({ id }) => id);
    expect(await ids({ category: "tooling" })).toEqual(["a", "b"]);
    expect(await ids({ agent: "ada" })).toEqual(["a", "c"]);
    expect(await ids({ category: "tooling", agent: "ada", level: "full" })).toEqual(["a"]);
    expect(await ids({ category: " ", agent: null, level: null, limit: null, cursor: "" })).toEqual(["a", "b", "c"]);
    expect(await ids({ limit: -5 })).toEqual(["a"]);
    expect(await ids({ limit: 1e9 })).toEqual(["a", "b", "c"]);
    const { leftOut } = await getCompacted(log, { level: "summary", limit: 1 }, options);
    expect(leftOut).toEqual({ byLimit: 1, before: 0, wisdom: 0, otherLevels: 1 });
  });

  it("are refused for a level, a limit or a cursor that is none", async () => {
    const log = await filled(open, [aged("a", 1)]);
    const refused = (request: Parameters<typeof getCompacted>[1]) =>
      expect(getCompacted(log, request, options)).rejects;
    await refused({ level: "brief" }).toMatchObject({
      kind: "InvalidInput",
      code: "UNKNOWN_LEVEL",
      hint: "Use one of: full, summary, digest, wisdom.",
    });
    await refused({ limit: Number.NaN }).toMatchObject({ code: "INVALID_LIMIT" });
    for (const cursor of ["nonsense", btoa("{}"), btoa('{"id":"a","before":-1}'), "é", "x".repeat(100_000)]) {
      await refused({ cursor }).toMatchObject({ kind: "InvalidInput", code: "INVALID_CURSOR" });
    }
  });
});
