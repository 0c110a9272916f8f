import { describe, expect, it } from "vitest";
import { oneLine, snippetOf } from "../../../src/observations/reading/row-view.ts";
import { verifies } from "../../requirements/verifies.ts";

describe("snippetOf", () => {
  it("cuts by code point, says so, and leaves a text that fits as it is", () => {
    expect(snippetOf("界".repeat(300))).toBe("界".repeat(300));
    expect(snippetOf("界".repeat(301))).toBe(`${"界".repeat(300)}...`);
    expect(snippetOf("😀".repeat(301))).toBe(`${"😀".repeat(300)}...`);
    expect(snippetOf("short")).toBe("short");
    expect(snippetOf("")).toBe("");
  });

  it("is one line whatever parts the lines", () => {
    const breaks = ["\n", "\r\n", "\r", "\u2028", "\u2029", "\v", "\f", "\u0085", "\u001b", "\0", "\t", "\u202e"];
    expect(snippetOf(breaks.map((sign, index) => `${index}${sign}`).join(""))).toBe("0 1 2 3 4 5 6 7 8 9 10 11");
    expect(snippetOf(`${"\n".repeat(100_000)}text${"\n".repeat(100_000)}end`)).toBe("text...");
    expect(oneLine("  a\n\n b  ")).toBe("a b");
  });

  it("never ends inside a character, and is well-formed", () => {
    verifies("field/surrogate-pair-cut");
    const family = "👨‍👩‍👧‍👦";
    for (let length = 280; length < 312; length++) {
      const shown = snippetOf(`${"a".repeat(length)}${family.repeat(20)}`);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.replace(/^a+/, "").replace("...", "").replaceAll(family, "")).toBe("");
      expect([...shown.replace("...", "")].length).toBeLessThanOrEqual(300);
    }
    expect(snippetOf(`e${"\u0301".repeat(1_000_000)}`)).toHaveLength(303);
    expect(snippetOf("\ud800 lone")).toBe("\ufffd lone");
  });
});
