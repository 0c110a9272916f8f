import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oneLine, quoteBlocks } from "../../src/text/quote.ts";

describe("a text on one line", () => {
  it("is the text, with spaces for line breaks", () => {
    expect(oneLine("  Round once,\n\tat the end. ", 80)).toBe("Round once, at the end.");
    expect(oneLine("x".repeat(80), 80)).toBe("x".repeat(80));
  });

  it("is cut at its limit, and says so", () => {
    expect(oneLine("Round once, at the end", 11)).toBe("Round once,…");
    expect(oneLine(`start ${" ".repeat(5_000)} end`, 20)).toBe("start…");
  });

  it("is cut between whole characters", () => {
    expect(oneLine(`abc${"👩‍👩‍👧"}d`, 5)).toBe("abc…");
  });

  it("is never longer than its limit and the ellipsis", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 1, max: 120 }), (text, limit) => {
        const line = oneLine(text, limit);
        expect(line.length).toBeLessThanOrEqual(limit + 1);
        expect(line).not.toMatch(/[\n\t]/u);
      }),
    );
  });
});

describe("quoted blocks", () => {
  it("stand whole below one another while they are short", () => {
    expect(quoteBlocks(["one", "two"], 10)).toBe("one\ntwo");
    expect(quoteBlocks([], 10)).toBe("");
  });

  it("are cut one by one, with what is left out counted", () => {
    expect(quoteBlocks(["abcdef", "xyz"], 4)).toBe("abcd\nxyz… (2 more characters)");
    expect(quoteBlocks(["x".repeat(2_000)], 500)).toBe(`${"x".repeat(500)}… (1,500 more characters)`);
  });

  it("take the room of twelve, however many there are", () => {
    const quote = quoteBlocks(Array<string>(20).fill("abcd"), 4);
    expect(quote).toBe(`${Array<string>(12).fill("abcd").join("\n")}… (32 more characters)`);
  });
});
