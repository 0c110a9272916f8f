// The ranks that are shipped hold what is published, to the byte. Made by scripts/token-ranks/write-ranks.ts.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packRanks } from "../../scripts/token-ranks/pack-ranks.ts";
import { createRankTable, hashBytes } from "../../src/tokens/bpe/rank-table.ts";

describe.each(["o200k_base", "cl100k_base"])("the packed ranks of %s", (encoding) => {
  const list = readFileSync(
    new URL(`../node_modules/gpt-tokenizer/data/${encoding}.tiktoken`, import.meta.url),
    "utf8",
  );
  const packed = readFileSync(new URL(`../../src/tokens/ranks/${encoding}.ranks`, import.meta.url));

  it("are the published list, packed", () => {
    expect(packed.equals(packRanks(list))).toBe(true);
  });

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
});
