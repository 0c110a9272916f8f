// Opens an encoding once a process, at the first count: reads its rank file from beside the code, or takes the bytes a
// caller has provided where there are no files.
import { CompactError } from "../../errors.ts";
import { createTextCounter, type TextCounter } from "./count-tokens.ts";
import { createPieceMemo } from "./piece-memo.ts";
import { createRankTable } from "./rank-table.ts";
import { createCl100kSplitter } from "./split/cl100k.ts";
import { createO200kSplitter } from "./split/o200k.ts";

export type EncodingName = "o200k_base" | "cl100k_base";

/** From the built file (dist/, dist/cli/) and from this source file, one of them is where the build put the ranks. */
const PLACES = ["./ranks/", "../ranks/"];

const opened = new Map<EncodingName, TextCounter>();

/** @throws CompactError `MissingDependency` where the rank file cannot be read. */
export function openEncoding(name: EncodingName): TextCounter {
  return opened.get(name) ?? provideRanks(name, readRanks(name));
}

/**
 * Opens an encoding from the bytes of its rank file (`dist/ranks/<name>.ranks` of this package).
 * @throws CompactError `InvalidInput` when the bytes are no whole rank file.
 */
export function provideRanks(name: EncodingName, bytes: Uint8Array): TextCounter {
  const findPieceEnd = name === "o200k_base" ? createO200kSplitter() : createCl100kSplitter();
  const counter = createTextCounter({ table: createRankTable(bytes), findPieceEnd, memo: createPieceMemo() });
  opened.set(name, counter);
  return counter;
}

function readRanks(name: EncodingName): Uint8Array {
  // Counting is synchronous, so the file is read by a built-in that needs no import.
  const files = globalThis.process?.getBuiltinModule?.("node:fs");
  let cause: unknown;
  for (const place of files === undefined ? [] : PLACES) {
    try {
      return files?.readFileSync(new URL(`${place}${name}.ranks`, import.meta.url)) as Uint8Array;
    } catch (error) {
      cause = error;
    }
  }
  throw new CompactError("MissingDependency", `The ranks of the token encoding ${name} could not be read`, {
    code: "MISSING_ENCODING",
    hint: `Where the package is bundled or runs in a browser, fetch agent-compact/ranks/${name}.ranks and pass its bytes to provideTokenRanks of agent-compact/tokens; or pass your own tokenCounter.`,
    data: { encoding: name },
    cause,
  });
}
