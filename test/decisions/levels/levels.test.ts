// Which level a decision of which age and standing gets, in every log.
import { describe, expect, it } from "vitest";
import { compactDecisions } from "../../../src/decisions/compaction/compact-decisions.ts";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { setPreserve } from "../../../src/decisions/review-decision.ts";
import { getDecision } from "../../../src/decisions/serving/get-decision.ts";
import { getCompacted, queryDecisions } from "../../../src/decisions/serving/query-decisions.ts";

import { DAY_MS } from "../../../src/time.ts";
import { verifies } from "../../requirements/verifies.ts";
import { filled, logs } from "./logs.ts";
import { aged, options } from "./records.ts";

const MINUTE = 1 / 1440;
const SECOND = MINUTE / 60;
const MILLISECOND = SECOND / 1000;

/** As the query, the page of each level and the single record tell them; they must agree. */
async function levelsOf(log: DecisionLog, under = options): Promise<Readonly<Record<string, string>>> {
  const { decisions } = await queryDecisions(log, { limit: 500 }, under);
  const levels = Object.fromEntries(decisions.map(({ id, compactionLevel }) => [id, compactionLevel]));
  for (const { id } of decisions) {
    expect((await getDecision(log, id, under)).compactionLevel).toBe(levels[id]);
  }
  for (const level of ["full", "summary", "digest", "wisdom"]) {
    const { decisions: ofLevel } = await getCompacted(log, { level, limit: 500 }, under);
    expect(ofLevel.map(({ id }) => id).sort()).toEqual(
      Object.keys(levels)
        .filter((id) => levels[id] === level)
        .sort(),
    );
  }
  return levels;
}

/** Records named by the level that is expected. */
async function expectLevels(
  open: () => Promise<DecisionLog>,
  records: readonly (readonly [RawDecision, string])[],
  under = options,
): Promise<DecisionLog> {
  const log = await filled(
    open,
    records.map(([record]) => record),
  );
  expect(await levelsOf(log, under)).toEqual(Object.fromEntries(records.map(([{ id }, level]) => [id, level])));
  return log;
}

describe.each(logs)("levels in a %s log", (_, open) => {
  it("begin at whole days, to the millisecond", async () => {
    verifies("values/level-boundaries");
    await expectLevels(open, [
      [aged("a", 7 - SECOND), "full"],
      [aged("b", 7), "summary"],
      [aged("c", 30 - MINUTE), "summary"],
      [aged("d", 30), "digest"],
      [aged("e", 90 - 60 * MINUTE), "digest"],
      [aged("f", 90), "wisdom"],
      [aged("g", -3), "full"],
      [aged("h", 7 - MILLISECOND), "full"],
      [aged("i", 30 - MILLISECOND), "summary"],
      [aged("j", 90 - MILLISECOND), "digest"],
    ]);
  });

  it("spread twelve decisions evenly", async () => {
    verifies("values/level-counts");
    const ages = [0, 3, 6, 7, 15, 29, 30, 60, 89, 90, 180, 365];
    const log = await filled(
      open,
      ages.map((days) => aged(`d${days}`, days)),
    );
    expect(await compactDecisions(log, {}, options)).toMatchObject({
      compacted: 12,
      preserved: 0,
      levels: { full: 3, summary: 3, digest: 3, wisdom: 3 },
    });
  });

  it("go by dates with and without time and zone; what cannot be read stays full", async () => {
    verifies("values/decision-dates");
    const { date: _, ...undated } = aged("missing", 0);
    const log = await expectLevels(open, [
      [aged("before", 0, { date: "2026-02-08" }), "summary"],
      [aged("after", 0, { date: "2026-02-09" }), "full"],
      [aged("offset", 0, { date: "2026-02-09T01:00:00+14:00" }), "summary"],
      [aged("word", 0, { date: "foo" }), "full"],
      [aged("slashes", 0, { date: "2026/01/01" }), "full"],
      [undated, "full"],
    ]);
    const { errors } = await getCompacted(log, {}, options);
    expect(errors?.map(({ id, code }) => `${id} ${code}`)).toEqual(["slashes UNREADABLE_DATE", "word UNREADABLE_DATE"]);
  });

  it("never shorten what is preserved or not reviewed, and take no text for a mark", async () => {
    verifies("values/preserve-and-open-stay-full", "decisions/process-protect");
    const log = await expectLevels(open, [
      [aged("kept", 365, { preserve: true }), "full"],
      [aged("open", 365, { status: "pending" }), "full"],
      [aged("decided", 365, { status: "decided" }), "full"],
      [aged("capital", 365, { status: "Reviewed" }), "full"],
      [aged("unclear", 365, { preserve: "false" }), "full"],
      [aged("old", 365, { preserve: false }), "wisdom"],
    ]);
    const mark = { id: "old", preserve: "false" as unknown as boolean };
    await expect(setPreserve(log, mark, options)).rejects.toMatchObject({
      kind: "InvalidInput",
      code: "INVALID_PRESERVE",
    });
    expect((await getDecision(log, "old", options)).decision.preserve).toBe(false);
    const { errors } = await getCompacted(log, {}, options);
    expect(errors).toMatchObject([{ id: "unclear", code: "UNREADABLE_PRESERVE" }]);
  });

  it("go by standing before age, for decisions in force and others, at every boundary", async () => {
    verifies("field/standing-decision-fades", "rulings/level-ranges");
    const days = [6.99, 7, 29.99, 30, 89.99, 90, 400];
    const due = ["full", "summary", "summary", "digest", "digest", "wisdom", "wisdom"];
    const log = await expectLevels(open, [
      ...days.map((day, at) => [aged(`plain-${day}`, day), due[at] ?? ""] as const),
      ...days.map((day) => [aged(`open-${day}`, day, { status: "pending", outcome: null }), "full"] as const),
      ...days.map((day) => [aged(`kept-${day}`, day, { preserve: true }), "full"] as const),
      [aged("late", 120, { reviewed_at: "2026-02-14T12:00:00Z" }), "wisdom"],
    ]);
    await setPreserve(log, { id: "plain-400", preserve: true }, options);
    expect((await levelsOf(log))["plain-400"]).toBe("full");
    await setPreserve(log, { id: "plain-400", preserve: false }, options);
    expect((await levelsOf(log))["plain-400"]).toBe("wisdom");
    const byReview = { ...options, policies: decisionPolicies({ ageBasis: "review" }) };
    expect((await levelsOf(log, byReview)).late).toBe("full");
  });

  it("count days of 24 hours, over a change of the clock and a leap day", async () => {
    verifies("field/standing-decision-fades");
    const summer = { ...options, now: Date.parse("2028-03-27T10:00:00+02:00") };
    await expectLevels(
      open,
      [
        [aged("wall-clock", 0, { date: "2028-03-20T10:00:00+01:00" }), "full"],
        [aged("hours", 0, { date: "2028-03-20T09:00:00+01:00" }), "summary"],
        [aged("leap-30", 0, { date: "2028-02-26T08:00:00Z" }), "digest"],
        [aged("leap-29", 0, { date: "2028-02-26T08:00:01Z" }), "summary"],
      ],
      summer,
    );
    const leap = Date.parse("2028-02-29T12:00:00Z");
    for (const [after, level] of [
      [7, "summary"],
      [30, "digest"],
      [90, "wisdom"],
    ] as const) {
      const then = { ...options, now: leap + after * DAY_MS };
      await expectLevels(open, [[aged("leap", 0, { date: "2028-02-29T12:00:00Z" }), level]], then);
    }
  });
});
