// Rounding, half up on the decimal.
import { describe, expect, it } from "vitest";
import { roundHalfUp } from "../../../src/decisions/statistics.ts";
import { randomFrom } from "../wisdom/records.ts";

describe("rounding half up", () => {
  it.each([
    [1.005, 2, 1.01],
    [0.0625, 3, 0.063],
    [0.0625, 4, 0.0625],
    [0.0625, 2, 0.06],
    [0.125, 2, 0.13],
    [2.675, 2, 2.68],
    [0.1 + 0.2, 1, 0.3],
    [0.225 - 1e-17, 2, 0.23],
    [4 / 7, 3, 0.571],
    [4 / 7, 2, 0.57],
    [2 / 3, 2, 0.67],
    [0.004999, 2, 0],
    [-0.0625, 3, -0.063],
    [-0.0001, 3, 0],
    [0, 3, 0],
    [1, 0, 1],
    [123456.5, 0, 123457],
  ])("%d at %i is %d", (value, decimals, expected) => {
    expect(roundHalfUp(value, decimals)).toBe(expected);
  });

  it("is never minus nothing", () => {
    expect(Object.is(roundHalfUp(-0.00001, 3), 0)).toBe(true);
  });

  it("takes every exact half up, and what is below it down", () => {
    const random = randomFrom(5);
    for (let round = 0; round < 2000; round += 1) {
      const whole = Math.floor(random() * 1000);
      expect(roundHalfUp(Number(`${whole}5e-4`), 3)).toBe((whole + 1) / 1000);
      expect(roundHalfUp(Number(`${whole}4999e-7`), 3)).toBe(whole / 1000);
    }
  });
});
