// Which notes need not be compared with another memory, and that none that would be redundant to it is among them.
import { describe, expect, it } from "vitest";
import { createReach, isContained, overlapOf, severityOf } from "../../../src/memory-files/analysis/overlap.ts";

import { randomFrom } from "../../decisions/wisdom/records.ts";

const tokens = (count: number, from = 0): ReadonlySet<string> =>
  new Set(Array.from({ length: count }, (_, index) => `t${from + index}`));

describe("the reach of notes", () => {
  it("leaves out a note that shares next to nothing, and one that was never compared", () => {
    const reach = createReach(tokens(1000));
    reach.add("far.md", [overlapOf(tokens(60, 990), tokens(1000))]);
    reach.add("near.md", [overlapOf(tokens(60), tokens(1000))]);
    const after = tokens(500);
    expect(["far.md", "near.md", "unknown.md"].filter((note) => reach.mayMatch(note, after))).toEqual(["near.md"]);
  });

  it("holds every section that is redundant to the other memory or contained in it", () => {
    const random = randomFrom(7);
    const pick = (count: number, most: number) =>
      new Set(Array.from({ length: count }, () => `t${Math.floor(random() * most)}`));
    let found = 0;
    for (let round = 0; round < 3000; round += 1) {
      const before = pick(20 + Math.floor(random() * 80), 60);
      const after = new Set([...[...before].filter(() => random() < 0.6), ...pick(Math.floor(random() * 4), 80)]);
      const share = random();
      const section = new Set([...[...after].filter(() => random() < share), ...pick(Math.floor(random() * 9), 80)]);
      const reach = createReach(before);
      reach.add("note.md", [overlapOf(section, before)]);
      const overlap = overlapOf(section, after);
      if (severityOf(overlap) === undefined && !isContained(overlap)) continue;
      found += 1;
      expect(reach.mayMatch("note.md", after)).toBe(true);
    }
    expect(found).toBeGreaterThan(100);
  });
});
