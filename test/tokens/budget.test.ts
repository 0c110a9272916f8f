import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import { budgetOf } from "../../src/tokens/budget.ts";
import { verifies } from "../requirements/verifies.ts";

describe("budgetOf", () => {
  it("is the window without the buffer and the reserved output", () => {
    verifies("conversation/budget-with-buffer-reserve", "field/output-not-reserved");
    const window = { maxContextTokens: 128_000, hardCapBuffer: 1_500, reservedOutputTokens: 0 };
    expect(budgetOf(window)).toBe(126_500);
    expect(budgetOf({ ...window, reservedOutputTokens: 16_000 })).toBe(110_500);
  });

  it.each([
    { maxContextTokens: 1_500, hardCapBuffer: 1_500, reservedOutputTokens: 0 },
    { maxContextTokens: 10_000, hardCapBuffer: 1_500, reservedOutputTokens: 9_000 },
    { maxContextTokens: Number.NaN, hardCapBuffer: 0, reservedOutputTokens: 0 },
    { maxContextTokens: 1_000, hardCapBuffer: -1, reservedOutputTokens: 0 },
  ])("refuses %o as a configuration", (parts) => {
    let caught: unknown;
    try {
      budgetOf(parts);
    } catch (error) {
      caught = error;
    }
    expect(CompactError.isInstance(caught) && caught.kind).toBe("InvalidConfig");
  });
});
