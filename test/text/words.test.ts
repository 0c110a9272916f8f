import { describe, expect, it } from "vitest";
import { wordTokens } from "../../src/text/words.ts";

describe("wordTokens", () => {
  it.each([
    ["Use PostgreSQL 16, don't é café", ["use", "postgresql", "16", "don", "t", "é", "café"]],
    ["你好世界", ["你好", "好世", "世界"]],
    ["用Redis缓存", ["用", "redis", "缓存"]],
    ["東京タワー", ["東京", "京タ", "タワ", "ワー"]],
    ["한국어", ["한국", "국어"]],
    ["Ｆｕｌｌ cafe\u0301", ["full", "café"]],
    ["𠮷野家", ["𠮷野", "野家"]],
    ["... 🚀 !", []],
  ])("%j", (text, tokens) => {
    expect(wordTokens(text)).toEqual(tokens);
  });
});
