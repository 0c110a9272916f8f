import { describe, expect, it } from "vitest";
import { readJsonValues } from "../../src/text/json.ts";

describe("reading JSON Lines", () => {
  it("takes several values on a line, blank lines, and tells where each stands", () => {
    const text = '{"a":1}\n\n {"b":2}{"c":[3]} \r\n"d"\n';
    const { values, faults } = readJsonValues(text);
    expect(values.map(({ value, line }) => [value, line])).toEqual([
      [{ a: 1 }, 1],
      [{ b: 2 }, 3],
      [{ c: [3] }, 3],
      ["d", 4],
    ]);
    expect(values.map(({ start, end }) => text.slice(start, end))).toEqual(['{"a":1}', '{"b":2}', '{"c":[3]}', '"d"']);
    expect(faults).toEqual([]);
  });

  it("reports a torn last line and keeps what is whole", () => {
    const { values, faults } = readJsonValues('{"a":1}\n{"b":2}{"c":"cut \\');
    expect(values.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(faults).toEqual([{ line: 2, reason: "torn" }]);
  });

  it("reports garbage by line and reads on", () => {
    const { values, faults } = readJsonValues('{"a":1}\n<<<<<<< HEAD\n\0\0\0\n{"b":2}\n');
    expect(values.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(faults).toEqual([
      { line: 2, reason: "unreadable" },
      { line: 3, reason: "unreadable" },
    ]);
  });

  it("does not part a line at separators that JSON allows inside strings", () => {
    expect(readJsonValues('{"a":"x\u2028y"}\n').values).toHaveLength(1);
    expect(readJsonValues("\ufeff[1]").values[0]?.value).toEqual([1]);
    expect(readJsonValues("")).toEqual({ values: [], faults: [] });
  });
});
