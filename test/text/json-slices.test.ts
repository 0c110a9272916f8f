import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skipValue, sliceArray } from "../../src/text/json.ts";

describe("slices of a JSON array", () => {
  it("are exact, spacing and number spelling included", () => {
    const source = '{ "model": "m]", "messages" : [ {"a": 1.0e3} ,"x\\"]",\n[1, 2], 1.50 ] }';
    const slices = sliceArray(source, ["messages"]);
    expect(slices?.elements.map(({ start, end }) => source.slice(start, end))).toEqual([
      '{"a": 1.0e3}',
      '"x\\"]"',
      "[1, 2]",
      "1.50",
    ]);
    expect(source.slice(slices?.start, slices?.end)).toBe('[ {"a": 1.0e3} ,"x\\"]",\n[1, 2], 1.50 ]');
  });

  it.each<[string, string, readonly string[], readonly string[] | undefined]>([
    ["a bare array", " [1,2] ", [], ["1", "2"]],
    ["a byte order mark", "\ufeff[1]", [], ["1"]],
    ["an empty array", "[ ]", [], []],
    ["the last of equal keys", '{"a":[1],"a":[2]}', ["a"], ["2"]],
    ["a key written with escapes", '{"\\u0061":[1]}', ["a"], ["1"]],
    ["a path of two keys", '{"a":{"b":[1]}}', ["a", "b"], ["1"]],
    ["a key inside another value", '{"x":{"a":[9]},"a":[1]}', ["a"], ["1"]],
    ["backslashes before a quote", '["\\\\","\\\\\\""]', [], ['"\\\\"', '"\\\\\\""']],
    ["no array", '{"a":1}', ["a"], undefined],
    ["no such key", '{"b":[1]}', ["a"], undefined],
    ["an array that does not end", "[1,2", [], undefined],
    ["a string that does not end", '["a', [], undefined],
    ["no JSON", "hello", [], undefined],
    ["nothing", "", [], undefined],
  ])("%s", (_, source, path, expected) => {
    const elements = sliceArray(source, path)?.elements;
    expect(elements?.map(({ start, end }) => source.slice(start, end))).toEqual(expected);
  });

  it("are the elements of any JSON text", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 0, max: 3 }), (values, indent) => {
        const source = JSON.stringify({ before: "[", messages: values, after: "]" }, null, indent);
        const elements = sliceArray(source, ["messages"])?.elements ?? [];
        const parsed = elements.map(({ start, end }) => JSON.parse(source.slice(start, end)) as unknown);
        expect(parsed).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  it("takes nesting of any depth", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    expect(sliceArray(`{"a":[${deep},1]}`, ["a"])?.elements).toHaveLength(2);
    expect(skipValue(deep, 0)).toBe(deep.length);
  });
});
