import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenize, wordsWith } from "../../../src/memory-files/analysis/overlap.ts";
import { estimateTokens } from "../../../src/memory-files/analysis/section-report.ts";
import { verifies } from "../../requirements/verifies.ts";

const anyText = fc
  .array(
    fc.constantFrom("a", "Zq", " ", "é", "中", "文", "カ", "한", "1", "99", "_", "\n", "😀", "İ", "[", "`", "{", "@"),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(""));

describe("the estimate of the specification", () => {
  it.each([
    ["", 0],
    ["hello", 0],
    ["hello world", 1],
    ["a b c d", 3],
    ["你好世界", 5],
    ["中".repeat(10), 13],
    ["中中中one two", 5],
    ["2026-01-01", 0],
    ["x1y2 3", 1],
    ["word ".repeat(600), 450],
    ["word ".repeat(667), 500],
    ["word ".repeat(668), 501],
    ["word\n".repeat(600), 450],
  ])("%j", (text, tokens) => {
    verifies("values/token-formula");
    expect(estimateTokens(text)).toBe(tokens);
  });

  it("is that of a plain count", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cjk = (text.match(/[\u4e00-\u9fff]/g) ?? []).length;
        const words = (text.match(/[a-zA-Z]+/g) ?? []).length;
        expect(estimateTokens(text)).toBe(Math.floor((26 * cjk + 15 * words) / 20));
      }),
    );
  });
});

describe("the tokens of the specification", () => {
  it.each([
    ["Use PostgreSQL 16 a b v2 foo_bar don't é café", "use postgresql 16 v2 foo bar don caf"],
    ["你好世界", "你好 好世 世界"],
    ["用Redis缓存", "用 redis 缓存"],
    ["東京タワー", "東京 京タ タワ ワー"],
    ["한국어", "한국 국어"],
    ["중 a 中", "중 中"],
    ["Порт 8443, не 9000", "порт 8443 не 9000"],
    ["المنفذ، لا", "المنفذ لا"],
    ["नहीं हैं।", "नहीं हैं"],
    ["ไม่ได้", "ไม ม่ ่ไ ได ด้"],
    ["same Same SAME", "same"],
    ["", ""],
    [null, ""],
  ])("%j", (text, tokens) => {
    verifies("values/word-splitting");
    expect([...tokenize(text)].join(" ")).toBe(tokens);
  });
});

describe("what is new", () => {
  it("is told in words, though pairs of characters are compared", () => {
    expect(wordsWith(["力体", "体现", "port"], "export 能力体现 port")).toEqual(["能力体现", "port"]);
    expect(wordsWith([], "")).toEqual([]);
  });
});
