import { describe, expect, it } from "vitest";
import { retryAfterOf } from "../../src/http-client.ts";

const noon = Date.parse("2026-03-03T12:00:00Z");
const read = (headers: unknown) => retryAfterOf(headers, () => noon);

describe("a wish to wait", () => {
  it.each<[string, unknown, number | undefined]>([
    ["whole seconds", { "retry-after": "2" }, 2_000],
    ["parts of a second", { "retry-after": "0.25" }, 250],
    ["no time at all", { "retry-after": "0" }, 0],
    ["a number", { "retry-after": 3 }, 3_000],
    ["any case", { "Retry-After-MS": "40" }, 40],
    ["a date, by our clock", { "retry-after": "Tue, 03 Mar 2026 12:00:09 GMT" }, 9_000],
    ["a date gone by", { "retry-after": "Tue, 03 Mar 2026 11:00:00 GMT" }, 0],
    [
      "a date by the clock of a server an hour ahead",
      {
        "retry-after": "Tue, 03 Mar 2026 13:00:09 GMT",
        date: "Tue, 03 Mar 2026 13:00:00 GMT",
      },
      9_000,
    ],
    ["a negative number", { "retry-after": "-5" }, 0],
    ["words", { "retry-after": "in a moment" }, undefined],
    ["an endless number", { "retry-after": "9".repeat(400) }, undefined],
    ["no headers", undefined, undefined],
    ["a list", { "retry-after": ["1"] }, undefined],
  ])("is read from %s", (_, headers, expected) => {
    expect(read(headers)).toBe(expected);
  });
});
