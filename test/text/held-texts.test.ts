// Finding many texts in one pass gives what asking for each by itself would give.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldTexts } from "../../src/text/words.ts";

describe("the texts that a long text holds", () => {
  it("are those that it includes", () => {
    const word = fc.constantFrom("a", "ab", "port 8443 ", "src/pay/ledger.ts ", "é", "👍🏽", "x".repeat(40));
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(""));
    fc.assert(
      fc.property(
        text,
        fc.array(text, { maxLength: 12 }),
        fc.array(fc.tuple(fc.nat(300), fc.nat(200))),
        (long, others, cuts) => {
          const wanted = [...others, ...cuts.map(([from, length]) => long.slice(from, from + length))];
          const expected = new Set(wanted.filter((needle) => long.includes(needle)));
          expect(heldTexts(long, wanted)).toEqual(expected);
        },
      ),
      { numRuns: 2000, seed: 20310102 },
    );
  });

  it("are found at the very beginning and end, however long", () => {
    const long = `${"first ".repeat(50)}${"middle ".repeat(50)}${"last ".repeat(50)}`;
    const wanted = [long, long.slice(0, 8), long.slice(-8), long.slice(-96), long.slice(0, 97), `${long}!`, ""];
    expect([...heldTexts(long, wanted)].sort()).toEqual(wanted.filter((needle) => long.includes(needle)).sort());
  });
});
