import { describe, expect, it } from "vitest";
import { oneLine } from "../../../src/decisions/texts/extractive-texts.ts";
import { verifies } from "../../requirements/verifies.ts";

const points = (text: string) => [...text].length;

describe("a text in one line", () => {
  it("of 80 characters stays as it is, one of 81 is 77 and three dots", () => {
    verifies("values/one-line-length");
    expect(oneLine("a".repeat(80))).toBe("a".repeat(80));
    expect(oneLine("a".repeat(81))).toBe(`${"a".repeat(77)}...`);
    expect(points(oneLine("😀".repeat(81)))).toBe(80);
    expect(oneLine("😀".repeat(80))).toBe("😀".repeat(80));
  });

  it("loses line breaks and double spaces", () => {
    expect(oneLine("  Use\r\n\tone   log\u2028per service ")).toBe("Use one log per service");
    expect(oneLine(" \n ")).toBe("");
  });

  it("is cut between words, and nothing dangles before the dots", () => {
    const cut = oneLine("Keep the guardrails as files, not in the vector store: exact matching is what policies need");
    expect(cut).toBe("Keep the guardrails as files, not in the vector store: exact matching is what...");
    expect(oneLine(`${"word ".repeat(14)}end - and more than that`)).toBe(`${"word ".repeat(14)}end...`);
    expect(oneLine(`${"word ".repeat(14)}(this and more than that)`)).toBe(`${"word ".repeat(14)}(this...`);
  });

  it("does not end in a word that promises more", () => {
    const head = "word ".repeat(13);
    expect(oneLine(`${head}view, without the map`)).toBe(`${head}view...`);
    expect(oneLine(`${head}end, and of a new kind of thing`)).toBe(`${head}end...`);
    expect(oneLine(`${head}team A before anybody else`)).toBe(`${head}team A...`);
    expect(oneLine("the ".repeat(40))).toBe("the...");
  });

  it("keeps the marks that belong to a name", () => {
    const cut = oneLine(`${"word ".repeat(14)}in C++ and more of the same`);
    expect(cut).toBe(`${"word ".repeat(14)}in C++...`);
  });

  it("cuts a first word that is longer than the line, but no later one", () => {
    expect(oneLine(`https://example.test/${"x".repeat(90)} is where it stands`)).toMatch(
      /^https:\/\/example\.test\/x{56}\.\.\.$/,
    );
    expect(oneLine(`See https://example.test/${"x".repeat(90)}`)).toBe("See...");
  });

  it("cuts scripts without spaces between characters", () => {
    expect(oneLine("决定".repeat(60))).toBe(`${"决定".repeat(38)}决...`);
    expect(oneLine(`Use 决定${"采用".repeat(60)}`)).toBe(`Use 决定${"采用".repeat(35)}采...`);
  });

  it("never cuts through a character", () => {
    const family = "👨‍👩‍👧‍👦";
    expect(oneLine(family.repeat(40))).toBe(`${family.repeat(11)}...`);
    expect(oneLine("é".normalize("NFD").repeat(60))).toBe(`${"é".normalize("NFD").repeat(38)}...`);
    for (const text of ["a😀".repeat(60), "🇩🇪".repeat(70), "क्षि".repeat(40), "ก็".repeat(60)]) {
      expect(oneLine(text).isWellFormed?.() ?? true).toBe(true);
      const characters = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)].map(
        (part) => part.segment,
      );
      const head = oneLine(text).slice(0, -3);
      expect(
        characters.slice(0, [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(head)].length).join(""),
      ).toBe(head);
    }
  });

  it("is at most 80 long for any text, and made of it", () => {
    let seed = 42;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed % below;
    };
    const pieces = ["word", " ", ",", "😀", "e\u0301", "定", "\n", "-", "C++", "👩‍💻", "ก็", "\ud800", "…", "لا"];
    for (let round = 0; round < 3000; round += 1) {
      const text = Array.from({ length: random(90) }, () => pieces[random(pieces.length)]).join("");
      const line = oneLine(text);
      const whole = text.replace(/\s+/g, " ").trim();
      expect(points(line)).toBeLessThanOrEqual(80);
      expect(line === whole || whole.startsWith(line.slice(0, -3))).toBe(true);
      expect(oneLine(text)).toBe(line);
    }
  });

  it("of a megabyte is done at once", () => {
    expect(points(oneLine("word ".repeat(400_000)))).toBeLessThanOrEqual(80);
    expect(oneLine("\u0301".repeat(400_000)).endsWith("...")).toBe(true);
  });
});
