import { describe, expect, it } from "vitest";
import { decideTrigger } from "../../src/conversation/stages/trigger.ts";
import { verifies } from "../requirements/verifies.ts";

const window = {
  maxContextTokens: 128_000,
  budget: 126_500,
  policy: { triggerPct: 0.85 },
  isManual: false,
  isEnabled: true,
};

describe("decideTrigger", () => {
  it.each([
    [96_000, false],
    [107_525, false],
    [108_799, false],
    [108_800, true],
    [126_501, true],
  ])("at %i of 128,000 tokens: %s", (tokens, triggered) => {
    verifies("values/trigger-boundary", "rulings/trigger-and-budget");
    expect(decideTrigger({ ...window, tokens }).triggered).toBe(triggered);
  });

  it("acts over the budget even where the share of the window is not reached", () => {
    verifies("values/trigger-over-budget-below-percent");
    const decision = decideTrigger({ ...window, policy: { triggerPct: 0.99 }, tokens: 126_600 });
    expect(decision).toEqual({ triggered: true, reason: "over_budget" });
  });

  it("waits for growth after a landing above the target, but never over the budget", () => {
    expect(decideTrigger({ ...window, tokens: 110_000, waitUntil: 112_000 })).toEqual({
      triggered: false,
      reason: "waiting_for_growth",
    });
    expect(decideTrigger({ ...window, tokens: 112_000, waitUntil: 112_000 }).triggered).toBe(true);
    expect(decideTrigger({ ...window, tokens: 126_501, waitUntil: 130_000 }).triggered).toBe(true);
  });

  it("does nothing when switched off, unless asked by hand", () => {
    expect(decideTrigger({ ...window, tokens: 127_000, isEnabled: false })).toEqual({
      triggered: false,
      reason: "disabled",
    });
    expect(decideTrigger({ ...window, tokens: 10, isManual: true, isEnabled: false }).triggered).toBe(true);
  });
});
