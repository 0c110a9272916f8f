// Limits of what is built of a text from outside: told by the text alone, and of nothing that is within a string.
import { describe, expect, it } from "vitest";
import { parseRecord } from "../../src/decisions/folder/parse-record.ts";
import { parseStructure } from "../../src/facts/tool-call.ts";
import { findExcess, parseJson } from "../../src/text/parse-json.ts";

const LIMITS = { depth: 3, values: 10 };

describe("the limits of a JSON text", () => {
  it.each([
    ["as deep as is taken", "[[[1]]]", undefined],
    ["deeper", "[[[[1]]]]", "depth"],
    ["deeper, and cut off", '{"a":[{"b":[', "depth"],
    ["side by side", "[[[]],[[]],[[]]]", undefined],
    ["brackets in a string", '["[[[[[[[[[[[[[", "\\\\", "\\"[[[["]', undefined],
    ["brackets behind an escaped backslash", '["\\\\", [[[[', "depth"],
    ["too many lists", `[${"[],".repeat(6)}1]`, "values"],
    ["too many numbers", "[1,1,1,1,1,1,1,1,1,1,1]", "values"],
    ["too many lines", "1\n".repeat(11), "values"],
    ["a string that its line cuts off", '{"a": "cut\n[[[[', "depth"],
  ])("%s", (_, text, excess) => {
    expect(findExcess(text, LIMITS)).toBe(excess);
  });

  it("are told in words, and are no fault of the JSON", () => {
    expect(() => parseJson("[[[[1]]]]", LIMITS)).toThrow("The JSON is nested more than 3 levels deep.");
    expect(() => parseJson("[1,1,1,1,1,1,1,1,1,1,1,1]", LIMITS)).toThrow("The JSON holds more than 10 values.");
    expect(() => parseJson("[", LIMITS)).toThrow(SyntaxError);
    expect(parseJson("[[[1]]]", LIMITS)).toEqual([[[1]]]);
  });

  it("hold for JSON in a text of a message, and for YAML", () => {
    expect(parseStructure("[".repeat(300_000) + "]".repeat(300_000))).toBeUndefined();
    expect(parseRecord(`a: ${"[".repeat(100_000)}`)).toHaveProperty("problem");
    expect(parseRecord(`it"s: ${"[[]],".repeat(200_000)}`)).toHaveProperty("problem");
    expect(parseRecord(`${"- ".repeat(1000)}1`)).toHaveProperty("problem");
  });
});
