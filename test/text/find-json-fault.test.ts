// Where a text stops being JSON: agrees with JSON.parse on whether, and knows the end from a fault.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonFault } from "../../src/text/json.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("findJsonFault", () => {
  it.each([
    ["", 0, true, "a value"],
    ["[1,", 3, true, "a list"],
    ['{"a"', 4, true, "an object"],
    ['{"a":"b\\u12', 11, true, "a string"],
    ['{"a":"b\\', 8, true, "a string"],
    ["[tru", 4, true, "a value"],
    ["[trux]", 1, false, "a list"],
    ["[1,]", 3, false, "a list"],
    ['{"a":1,}', 7, false, "an object"],
    ['["a\nb"]', 3, false, "a string"],
    ['["\\x"]', 2, false, "a string"],
    ["[01]", 2, false, "a list"],
    ["{} {}", 3, false, "a value"],
    ["[1}", 2, false, "a list"],
  ])("%j", (text, offset, isEnd, inside) => {
    expect(findJsonFault(text)).toEqual({ offset, isEnd, inside });
  });

  it("agrees with JSON.parse on damaged texts", () => {
    const damage = fc.record({
      value: fc.json(),
      at: fc.nat(),
      text: fc.constantFrom("", ",", "}", "]", '"', "\\", "x", "1", " ", ":"),
    });
    fc.assert(
      fc.property(damage, ({ value, at, text }) => {
        const place = at % (value.length + 1);
        const damaged = value.slice(0, place) + text + value.slice(place + 1);
        expect(findJsonFault(damaged) === undefined).toBe(isJson(damaged));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  it("calls every cut of a text an end", () => {
    const text = '{"a": [1.5e3, "b\\u00e9\\n", {"c": null}], "d": "x"}';
    for (let length = 0; length < text.length; length++) {
      const fault = findJsonFault(text.slice(0, length));
      // "1." and "1e" are whole numbers followed by something that is none.
      if (!/[.e]$/.test(text.slice(0, length)) || fault?.isEnd === true)
        expect(fault).toMatchObject({ isEnd: true, offset: length });
    }
  });

  it("is not stopped by depth", () => {
    expect(findJsonFault("[".repeat(200_000))).toMatchObject({ isEnd: true, offset: 200_000 });
  });
});
