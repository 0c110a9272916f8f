// Counts with OpenAI's published encodings, through the package gpt-tokenizer. The encoding is loaded at the
// first count, synchronously; this file guards it against long unbroken runs and control-token text.
import { CompactError } from "../errors.ts";
import { findRunCuts } from "./long-runs.ts";
import { memoize } from "./memo-token-counter.ts";
import type { TokenCounter } from "./token-counter.ts";

export type GptEncoding = "o200k_base" | "cl100k_base";

type CountText = (text: string) => number;

interface EncodingModule {
  countTokens(text: string, options: { disallowedSpecial: ReadonlySet<string> }): number;
  setMergeCacheSize(size: number): void;
}

/** Of pieces. The package's default of 100,000 makes each hit walk the cache: 27 s for 1 MB of accented letters. */
const MERGE_CACHE_SIZE = 1_000;

/**
 * A counter for one encoding. Exact as long as no run of letters, blanks or signs is longer than a few hundred
 * bytes; a longer one is counted in slices (error at most 15 %). A lone surrogate counts as U+FFFD.
 * @throws CompactError `MissingDependency` at the first count where the encoding cannot be loaded.
 */
export function createGptTokenCounter(options: { readonly encoding: GptEncoding }): TokenCounter {
  const { encoding } = options;
  let countPiece: CountText | undefined;
  return memoize({
    name: encoding,
    isExact: true,
    count(text) {
      countPiece ??= loadEncoding(encoding);
      return countInPieces(text, countPiece);
    },
  });
}

function countInPieces(text: string, countPiece: CountText): number {
  let total = 0;
  let start = 0;
  for (const cut of findRunCuts(text)) {
    total += countPiece(text.slice(start, cut));
    start = cut;
  }
  return total + countPiece(start === 0 ? text : text.slice(start));
}

function loadEncoding(encoding: GptEncoding): CountText {
  // `require`, not `import()`: counting is synchronous, and nobody should pay 2 MB of ranks for importing us.
  const nodeModule = globalThis.process?.getBuiltinModule?.("node:module");
  if (nodeModule === undefined) throw missing(encoding, undefined);
  try {
    const require = nodeModule.createRequire(import.meta.url);
    const loaded = require(`gpt-tokenizer/encoding/${encoding}`) as EncodingModule;
    loaded.setMergeCacheSize(MERGE_CACHE_SIZE);
    // No control token is disallowed, and none allowed: their text is ordinary text.
    const disallowedSpecial: ReadonlySet<string> = new Set();
    return (text) => loaded.countTokens(text, { disallowedSpecial });
  } catch (cause) {
    throw missing(encoding, cause);
  }
}

function missing(encoding: GptEncoding, cause: unknown): CompactError {
  return new CompactError("MissingDependency", `The token encoding ${encoding} could not be loaded`, {
    code: "MISSING_ENCODING",
    hint: "Run on Node 20.19 or later with the package gpt-tokenizer installed, or pass your own tokenCounter.",
    data: { encoding },
    cause,
  });
}
