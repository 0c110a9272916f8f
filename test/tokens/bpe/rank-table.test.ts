import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packRanks } from "../../../scripts/token-ranks/pack-ranks.ts";
import { createPieceMemo } from "../../../src/tokens/bpe/count-tokens.ts";
import { createRankTable, hashBytes } from "../../../src/tokens/bpe/rank-table.ts";

describe.each(["o200k_base", "cl100k_base"])("the packed ranks of %s", (encoding) => {
  const packed = readFileSync(new URL(`../../../src/tokens/ranks/${encoding}.ranks`, import.meta.url));

  it("are read from any alignment, and refused when something is missing", () => {
    const shifted = new Uint8Array(packed.length + 1);
    shifted.set(packed, 1);
    const bytes = Buffer.from(" the");
    const find = (file: Uint8Array): number => createRankTable(file).find(hashBytes(bytes, 0, 4), bytes, 0, 4);
    expect(find(shifted.subarray(1))).toBe(find(packed));
    for (const cut of [0, 7, 100, packed.length - 1])
      expect(() => createRankTable(packed.subarray(0, cut))).toThrow(/rank file/);
  });
});

describe("packing", () => {
  it("refuses a list with a gap", () => {
    expect(() => packRanks("YQ== 0\nYg== 2\n")).toThrow(/where 1 is due/);
  });
});

describe("the memo of pieces", () => {
  it("knows what it was told, also after it has started over many times", () => {
    const memo = createPieceMemo();
    for (let number = 1; number < 100_000; number++) {
      const bytes = Buffer.from(`piece ${number}`);
      const hash = hashBytes(bytes, 0, bytes.length);
      expect(memo.get(hash, bytes, 0, bytes.length) === 0).toBe(true);
      memo.set(hash, bytes, 0, bytes.length, number);
      if (memo.get(hash, bytes, 0, bytes.length) !== number) throw new Error(`forgot ${number} at once`);
    }
  });

  it("tells pieces of one hash apart", () => {
    const memo = createPieceMemo();
    const one = Buffer.from("one");
    const two = Buffer.from("two");
    memo.set(7, one, 0, 3, 1);
    memo.set(7, two, 0, 3, 2);
    expect([memo.get(7, one, 0, 3), memo.get(7, two, 0, 3), memo.get(7, one, 0, 2)]).toEqual([1, 2, 0]);
  });
});
