import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import { isNestedDeeper } from "../../src/text/json.ts";
import { isWellFormedValue, toWellFormedValue } from "../../src/text/well-formed.ts";
import { verifies } from "../requirements/verifies.ts";

describe("well-formed values", () => {
  it("looks into keys and values at any depth, and copies only what changes", () => {
    const whole = { kept: ["a"] };
    const value = { whole, list: [{ "key \ud83d": "\udc00 x" }, "y"] };
    expect(isWellFormedValue(value)).toBe(false);
    expect(isWellFormedValue(whole)).toBe(true);
    const mended = toWellFormedValue(value) as typeof value;
    expect(mended).toEqual({ whole, list: [{ "key \ufffd": "\ufffd x" }, "y"] });
    expect(mended.whole).toBe(whole);
    expect(toWellFormedValue(whole)).toBe(whole);
    expect(toWellFormedValue("\ud83d")).toBe("\ufffd");
  });

  it("mends what stands in several places in each of them", () => {
    const shared = { text: "\ud83d" };
    const value = { first: { inner: shared }, second: shared };
    expect(toWellFormedValue(value)).toEqual({ first: { inner: { text: "\ufffd" } }, second: { text: "\ufffd" } });
    expect(toWellFormedValue({ second: shared, first: { inner: shared } })).toEqual(toWellFormedValue(value));
  });

  it("ends on a value that holds itself", () => {
    const value: Record<string, unknown> = { text: "\ud83d" };
    value.self = value;
    expect(isWellFormedValue(value)).toBe(false);
    expect(toWellFormedValue(value)).toMatchObject({ text: "\ufffd" });
  });
});

describe("an error", () => {
  it("quotes a name that was cut anywhere without half a character", () => {
    verifies("field/surrogate-pair-cut");
    const name = "😀".repeat(9).slice(0, 5);
    const error = new CompactError("NotFound", `There is no ${name}.`, { hint: `Not ${name}.` });
    expect([error.message, error.hint]).toEqual(["There is no 😀😀\ufffd.", "Not 😀😀\ufffd."]);
  });
});

describe("nesting", () => {
  it("counts objects and arrays in one another", () => {
    expect(isNestedDeeper("text", 0)).toBe(false);
    expect(isNestedDeeper([{ a: [] }], 3)).toBe(false);
    expect(isNestedDeeper([{ a: [] }], 2)).toBe(true);
    expect(isNestedDeeper({ wide: Array.from({ length: 10_000 }, () => ({})) }, 3)).toBe(false);
  });

  it("ends on a value that holds itself", () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    expect(isNestedDeeper(value)).toBe(true);
  });
});
