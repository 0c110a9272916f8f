import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coverAt, cutAt, cutTail, headTail, toWellFormed } from "../../src/text/quote.ts";
import { isWellFormed, isWellFormedValue, toWellFormedValue } from "../../src/text/well-formed.ts";
import { verifies } from "../requirements/verifies.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Every place where a text may be cut, found by segmenting all of it. */
function boundaries(text: string): ReadonlySet<number> {
  return new Set([...[...segmenter.segment(text)].map(({ index }) => index), text.length]);
}

const characters = ["😀", "𠮷", "👨‍👩‍👧‍👦", "🇨🇭", "e\u0301", "\r\n", "한", "ก็", "नि", "👍🏽"] as const;

describe("cutting a text", () => {
  it.each(characters)("keeps %j whole at every length", (character) => {
    verifies("field/surrogate-pair-cut", "rulings/cutting-text");
    for (const filler of ["a", "界", "😀", "\n", "é"]) {
      const text = filler.repeat(9) + character + filler.repeat(9);
      const places = boundaries(text);
      for (let length = 0; length <= text.length; length += 1) {
        const head = cutAt(text, length);
        const tail = cutTail(text, length);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(places.has(head.length) && places.has(text.length - tail.length)).toBe(true);
        // The longest that fits: the next character would be too much.
        expect([...places].some((place) => place > head.length && place <= length)).toBe(false);
        expect([...places].some((place) => place < text.length - tail.length && text.length - place <= length)).toBe(
          false,
        );
      }
    }
  });

  it("is right for any text", () => {
    const text = fc.string({ unit: "grapheme-composite", maxLength: 300 });
    fc.assert(
      fc.property(text, fc.nat({ max: 400 }), (value, length) => {
        const head = cutAt(value, length);
        expect(head.length).toBeLessThanOrEqual(length);
        expect(boundaries(value).has(head.length)).toBe(true);
        const tail = cutTail(value, length);
        expect(tail.length).toBeLessThanOrEqual(length);
        expect(boundaries(value).has(value.length - tail.length)).toBe(true);
        expect(isWellFormed(head + tail)).toBe(true);
      }),
    );
  });

  it("cuts before a character that is longer than any window", () => {
    const tower = `ab${"\u0301".repeat(5_000)}c`;
    expect(cutAt(tower, 2_500)).toBe("a");
    expect(cutTail(tower, 2_500)).toBe("c");
  });

  it("parts head and tail, and says what is between", () => {
    expect(headTail("abcdefghij", 3, 2)).toEqual({ head: "abc", tail: "ij", omitted: 5 });
    expect(headTail("abc", 2, 1)).toEqual({ head: "abc", tail: "", omitted: 0 });
    expect(headTail("a😀b", 2, 1)).toEqual({ head: "a", tail: "b", omitted: 2 });
    expect(headTail("abc", 0, 0)).toEqual({ head: "", tail: "", omitted: 3 });
  });
});

describe("well-formed text", () => {
  it("replaces half pairs only", () => {
    expect(toWellFormed("a\ud83db😀\ude00")).toBe("a\ufffdb😀\ufffd");
    const fine = "a😀";
    expect(toWellFormed(fine)).toBe(fine);
  });

  it("looks into values, keys included, and copies only what changes", () => {
    const fine = { deep: ["😀", 1, null] };
    const value = { fine, "\ud83d": [{ text: "\udc00" }] };
    expect(isWellFormedValue(fine)).toBe(true);
    expect(isWellFormedValue(value)).toBe(false);
    const mended = toWellFormedValue(value) as typeof value;
    expect(mended).toEqual({ fine, "\ufffd": [{ text: "\ufffd" }] });
    expect(mended.fine).toBe(fine);
    expect(toWellFormedValue(fine)).toBe(fine);
  });
});

describe("the mark of a redaction", () => {
  it("is never cut in two, wherever a cut falls", () => {
    const text = "key=<REDACTED> end";
    for (let at = 1; at < text.length; at++) {
      expect(cutAt(text, at)).not.toMatch(/<R?E?D?A?C?T?E?D?$/);
      expect(coverAt(text, at)).not.toMatch(/<R?E?D?A?C?T?E?D?$/);
      expect(cutTail(text, at)).not.toMatch(/^R?E?D?A?C?T?E?D?>/);
    }
    expect([cutAt(text, 8), coverAt(text, 8), cutTail(text, 8)]).toEqual(["key=", "key=<REDACTED>", " end"]);
  });
});
