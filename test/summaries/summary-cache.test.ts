import { describe, expect, it } from "vitest";
import { createSummaryCache } from "../../src/summaries/summary-cache.ts";

const answer = (text: string) => ({ text, strategy: "brief" as const });

describe("the cache of summaries", () => {
  it("forgets what was used longest ago", () => {
    const cache = createSummaryCache({ maxEntries: 2 });
    cache.set("a", answer("1"));
    cache.set("b", answer("2"));
    expect(cache.get("a")?.text).toBe("1");
    cache.set("c", answer("3"));
    expect([cache.get("a")?.text, cache.get("b")?.text, cache.get("c")?.text]).toEqual(["1", undefined, "3"]);
  });

  it("is bounded by characters, and holds nothing that is larger than all of it", () => {
    const cache = createSummaryCache({ maxCharacters: 20 });
    cache.set("key1", answer("0123456789"));
    cache.set("key2", answer("01"));
    expect(cache.get("key1")).toBeDefined();
    cache.set("key3", answer("0123456789"));
    expect(cache.get("key1")).toBeUndefined();
    cache.set("large", answer("x".repeat(30)));
    expect(cache.get("large")).toBeUndefined();
    expect(cache.get("key3")).toBeDefined();
  });

  it("replaces an answer without counting it twice", () => {
    const cache = createSummaryCache({ maxCharacters: 20 });
    for (let n = 0; n < 50; n++) cache.set("key", answer(`answer ${n}`));
    expect(cache.get("key")?.text).toBe("answer 49");
  });
});
