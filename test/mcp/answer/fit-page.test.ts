import { describe, expect, it } from "vitest";
import { answerLimit, finishWithin, fitPage, largestWithin } from "../../../src/mcp/answer.ts";
import { isPieceStart, pieceFrom } from "../../../src/mcp/page-text.ts";
import { countTokens } from "../tools/tool-context.ts";

const limitOf = (maxTokens: number) => ({ maxTokens, count: countTokens });
const answerOf = (words: readonly string[]) => ({ text: words.join(" "), structured: { words } });

describe("fitPage", () => {
  const items = Array.from({ length: 40 }, (_, index) => `word${index}`);

  it("shows the most items that fit, counted exactly", () => {
    for (let max = 30; max < 300; max += 7) {
      const { structured } = fitPage({ items, build: answerOf }, limitOf(max));
      const { length } = structured.words as readonly string[];
      expect(finishWithin(answerOf(items.slice(0, length)), limitOf(max))).toBeDefined();
      if (length < items.length) {
        expect(finishWithin(answerOf(items.slice(0, length + 1)), limitOf(max))).toBeUndefined();
      }
    }
  });

  it("counts the structured part as well as the text", () => {
    const build = (words: readonly string[]) => ({ text: "short", structured: { words } });
    const { structured } = fitPage({ items, build }, limitOf(60));
    expect(countTokens(JSON.stringify(structured))).toBeLessThanOrEqual(60);
    expect((structured.words as readonly string[]).length).toBeLessThan(40);
  });

  it("shortens the first item when it does not fit alone, and refuses with what would do", () => {
    const long = ["word ".repeat(5000)];
    const shorten = (text: string, units: number) => text.slice(0, units);
    const { text } = fitPage({ items: long, build: answerOf, shorten, longest: (one) => one.length }, limitOf(100));
    expect(countTokens(text)).toBeLessThanOrEqual(100);
    expect(countTokens(text)).toBeGreaterThan(80);
    expect(() => fitPage({ items: long, build: answerOf }, limitOf(100))).toThrow(
      expect.objectContaining({ code: "MAX_TOKENS_TOO_SMALL", kind: "InvalidInput" }),
    );
  });

  it("does not count a size that is far too large", () => {
    let counted = 0;
    const count = (text: string) => {
      counted += text.length;
      return countTokens(text);
    };
    const text = "word ".repeat(200_000);
    const build = (units: number) => ({ text: text.slice(0, units), structured: {} });
    const found = largestWithin(1, text.length, build, { maxTokens: 500, count });
    expect(found?.size).toBeGreaterThan(2000);
    expect(counted).toBeLessThan(200_000);
  });

  it("takes the usual limit where none above 0 is asked for", () => {
    const context = { maxTokens: 8000, count: countTokens };
    expect([undefined, 0, -5, 0.5, Number.NaN, 700.9].map((asked) => answerLimit(asked, context).maxTokens)).toEqual([
      8000, 8000, 8000, 8000, 8000, 700,
    ]);
  });
});

describe("pieceFrom", () => {
  it("puts pieces together to the whole text, whole characters wherever one fits", () => {
    const text = `ab${"👨‍👩‍👧‍👦"}e\u0301${"界".repeat(5)}😀😀`;
    for (let units = 1; units < 30; units++) {
      let together = "";
      while (together.length < text.length) {
        const piece = pieceFrom(text, together.length, units);
        expect(piece).not.toBe("");
        expect(piece.isWellFormed()).toBe(true);
        together += piece;
        expect(isPieceStart(text, together.length)).toBe(true);
      }
      expect(together).toBe(text);
    }
    expect(pieceFrom(text, 2, 12)).toBe("👨‍👩‍👧‍👦");
    expect([isPieceStart("😀", 1), isPieceStart("a", 2), pieceFrom("a", 1, 5), pieceFrom("a", 0, 0)]).toEqual([
      false,
      false,
      "",
      "",
    ]);
  });
});
