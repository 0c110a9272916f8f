import { describe, expect, it } from "vitest";
import { findNearDuplicates } from "../../src/similarity/near-duplicates.ts";

import { wordTokens } from "../../src/text/words.ts";

/** The same everywhere, so that a failure can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Every second text is its neighbour with a few words exchanged. */
function makeTexts(count: number, length: number, exchanged: number): readonly string[] {
  const random = createRandom(7);
  const texts: string[] = [];
  for (let i = 0; i < count; i += 2) {
    const words = Array.from({ length }, () => `w${random(5000)}`);
    const other = [...words];
    for (let k = random(exchanged + 1); k > 0; k -= 1) other[random(length)] = `x${random(5000)}`;
    texts.push(words.join(" "), other.join(" "));
  }
  return texts;
}

/** All with all, with plain sets of strings. */
function comparePlainly(texts: readonly string[], threshold: number, size: number): ReadonlySet<string> {
  const sets = texts.map((text) => {
    const words = wordTokens(text);
    const length = Math.min(size, words.length);
    return new Set(words.slice(0, words.length - length + 1).map((_, at) => words.slice(at, at + length).join(" ")));
  });
  const pairs = new Set<string>();
  for (const [second, b] of sets.entries())
    for (const [first, a] of sets.slice(0, second).entries()) {
      const shared = [...a].filter((run) => b.has(run)).length;
      if (shared / (a.size + b.size - shared) >= threshold) pairs.add(`${first} ${second}`);
    }
  return pairs;
}

describe("findNearDuplicates", () => {
  it.each([
    [0.85, 2, 3],
    [0.7, 1, 10],
    [0.5, 3, 12],
    [0.95, 2, 1],
  ])("finds what comparing all with all finds, at %d with runs of %d", (threshold, shingle, exchanged) => {
    const texts = makeTexts(400, 60, exchanged);
    const expected = comparePlainly(texts, threshold, shingle);
    const found = findNearDuplicates(texts, { threshold, shingle });
    expect(expected.size).toBeGreaterThan(20);
    expect(new Set(found.map(({ first, second }) => `${first} ${second}`))).toEqual(expected);
  });

  it("pairs equal texts with the first of them", () => {
    const found = findNearDuplicates(["keep the lock", "other", "Keep the lock.", "KEEP THE LOCK", "", "..."]);
    expect(found).toEqual([
      { first: 0, second: 2, jaccard: 1 },
      { first: 0, second: 3, jaccard: 1 },
    ]);
  });

  it("finds pairs in Chinese and Japanese", () => {
    const text = "记忆系统设计包括衰减引擎和质量门控组件以及归档策略和检索接口的完整说明";
    expect(
      findNearDuplicates([text, `${text}。`, text.replace("归档", "备份"), "完全不同的内容"], { threshold: 0.7 }),
    ).toEqual([
      { first: 0, second: 1, jaccard: 1 },
      { first: 0, second: 2, jaccard: expect.closeTo(0.8, 1) },
    ]);
  });

  it("looks at a bounded number of neighbours where thousands look alike", () => {
    const texts = Array.from(
      { length: 4000 },
      (_, i) => `the nightly job wrote its report to the shared folder as always and run ${i}`,
    );
    const found = findNearDuplicates(texts, { threshold: 0.6, mostCompared: 8 });
    expect(found.length).toBeGreaterThan(4000);
    expect(found.length).toBeLessThanOrEqual(8 * 4000);
  });

  it("reads hostile texts", () => {
    const texts = [
      "a".repeat(1_000_000),
      "記".repeat(300_000),
      "a ".repeat(500_000),
      " ".repeat(1_000_000),
      "😀".repeat(100_000),
    ];
    expect(findNearDuplicates([...texts, ...texts])).toHaveLength(3);
  });
});
