import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupUnits } from "../../src/providers/units.ts";
import { verifies } from "../requirements/verifies.ts";
import { damaged, formatHistories } from "./histories.ts";

const runs = { numRuns: 150 };

describe.each(formatHistories)("any history of $format.name", ({ format, historyOf }) => {
  const history = historyOf();

  it("is valid as drawn, and detected as its own", () => {
    fc.assert(
      fc.property(history, (messages) => {
        expect(format.validate(messages, { allowOpenTail: true })).toEqual([]);
        expect(format.matches(messages) || messages.every(isPlain)).toBe(true);
      }),
      runs,
    );
  });

  it("is healed by leaving it alone: the very same list", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const healed = format.heal(messages);
        expect(healed.repairs).toEqual([]);
        expect(healed.messages).toBe(messages);
      }),
      runs,
    );
  });

  it("has every message in exactly one unit, in order", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const units = groupUnits(messages.map(format.view));
        const indices = units.flatMap((unit) => unit.messages);
        expect(indices.toSorted((a, b) => a - b)).toEqual(messages.map((_, index) => index));
        const firsts = units.map((unit) => unit.messages[0] ?? -1);
        expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
      }),
      runs,
    );
  });

  it("stays valid when any units leave, with and without a summary in their place", () => {
    verifies("field/cut-inside-a-tool-call-batch", "rulings/turns-and-tool-pairs");
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.boolean()), fc.boolean(), (messages, coin, hasSummary) => {
        const units = groupUnits(messages.map(format.view));
        const kept = units.filter(() => coin.next().value === true);
        const recent = kept.flatMap((unit) => unit.messages).sort((a, b) => a - b);
        if (recent.length === 0 && !hasSummary) return;
        const layers = { pinned: [], recent: recent.map((index) => messages[index]) };
        const placed = format.place(hasSummary ? { ...layers, summary: "What came before." } : layers);
        expect(format.validate(placed.messages, { allowOpenTail: true })).toEqual([]);
        if (hasSummary) expect(format.summaryText(placed.messages[placed.summaryIndex])).toBe("What came before.");
      }),
      runs,
    );
  });

  it("keeps roles alternating where Anthropic's do, whatever leaves", () => {
    if (format.name !== "anthropic") return;
    verifies("field/wrong-first-or-last-role");
    const roleOf = (message: unknown) => (message as { role: string }).role;
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.boolean()), fc.boolean(), (messages, coin, hasSummary) => {
        const kept = groupUnits(messages.map(format.view)).filter(() => coin.next().value === true);
        const indices = kept.flatMap((unit) => unit.messages).sort((a, b) => a - b);
        if (indices.length === 0) return;
        const gaps = new Set([...indices.keys()].filter((at) => indices[at] !== (indices[at - 1] ?? -1) + 1));
        const layers = { pinned: [], recent: indices.map((index) => messages[index]), gaps };
        const placed = format.place(hasSummary ? { ...layers, summary: "What came before." } : layers).messages;
        expect(format.validate(placed, { allowOpenTail: true })).toEqual([]);
        expect(format.isFiller(placed.at(-1))).toBe(false);
        for (const [at, message] of placed.entries()) {
          const before = placed[at - 1];
          if (before === undefined || roleOf(before) !== roleOf(message)) continue;
          const place = messages.indexOf(message);
          expect(messages[place - 1], "only the caller's own neighbours share a role").toBe(before);
        }
      }),
      runs,
    );
  });

  it("survives damage: healed it is valid, and healing again changes nothing", () => {
    verifies("field/history-damaged-on-arrival", "rulings/damaged-input");
    fc.assert(
      fc.property(damaged(history), (messages) => {
        const healed = format.heal(messages);
        if (healed.messages.length === 0) return;
        expect(format.validate(healed.messages, { allowOpenTail: true })).toEqual([]);
        const again = format.heal(healed.messages);
        expect(again.repairs).toEqual([]);
        expect(again.messages).toBe(healed.messages);
      }),
      { numRuns: 400 },
    );
  });
});

describe.each(formatHistories)("any JSON given to $format.name", ({ format }) => {
  it("is read, grouped, judged and healed without throwing", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), (values) => {
        const units = groupUnits(values.map(format.view));
        expect(units.flatMap((unit) => unit.messages)).toHaveLength(values.length);
        format.matches(values);
        const healed = format.heal(values);
        for (const value of values) format.mapResults(value, (text) => text);
        if (healed.messages.length > 0) expect(format.validate(healed.messages, { allowOpenTail: true })).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** A list of such messages is every provider's. */
function isPlain(message: unknown): boolean {
  return typeof (message as { content?: unknown }).content === "string";
}
