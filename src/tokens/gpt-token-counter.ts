// Counts with OpenAI's published encodings, exactly. The encoding is opened at the first count; see bpe/.
import { CompactError } from "../errors.ts";
import { createPieceMemo, createTextCounter, type TextCounter } from "./bpe/count-tokens.ts";
import { createRankTable } from "./bpe/rank-table.ts";
import { createCl100kSplitter, createO200kSplitter } from "./bpe/split.ts";
import type { LimitedTokenCounter } from "./token-counter.ts";

export type GptEncoding = EncodingName;

/**
 * A counter for one encoding, equal to OpenAI's own tiktoken. A lone surrogate counts as U+FFFD.
 * @throws CompactError `MissingDependency` at the first count where the encoding's ranks cannot be read.
 */
export function createGptTokenCounter(options: { readonly encoding: GptEncoding }): LimitedTokenCounter {
  const { encoding } = options;
  return {
    name: encoding,
    isExact: true,
    count: (text) => (text === "" ? 0 : openEncoding(encoding).count(text, Number.POSITIVE_INFINITY)),
    countAtMost(text, limit) {
      const tokens = text === "" ? 0 : openEncoding(encoding).count(text, limit);
      return tokens > limit ? limit + 1 : tokens;
    },
    countSteps: (text) => openEncoding(encoding).steps(text),
  };
}

// Opens an encoding once a process, at the first count: reads its rank file from beside the code, or takes the bytes a
// caller has provided where there are no files.

export type EncodingName = "o200k_base" | "cl100k_base";

/** From the built file (dist/, dist/cli/) and from this source file, one of them is where the build put the ranks. */
const PLACES = ["./ranks/", "../ranks/"];

const opened = new Map<EncodingName, TextCounter>();

/** @throws CompactError `MissingDependency` where the rank file cannot be read. */
function openEncoding(name: EncodingName): TextCounter {
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

// Stands in for a tokenizer nobody published: another counter's figure times a stated factor, rounded up.

/** `factor` is tokens of the model per token of `counter`. */
export function createScaledTokenCounter(counter: LimitedTokenCounter, factor: number): LimitedTokenCounter {
  const scale = (tokens: number): number => Math.ceil(tokens * factor);
  return {
    name: `${counter.name} x ${factor}`,
    isExact: false,
    count: (text) => scale(counter.count(text)),
    countAtMost(text, limit) {
      // One more than fits, so that the rounded product is above the limit whenever the text is.
      const tokens = scale(counter.countAtMost(text, Math.floor(limit / factor) + 1));
      return tokens > limit ? limit + 1 : tokens;
    },
    *countSteps(text) {
      const steps = counter.countSteps?.(text);
      if (steps === undefined) return scale(counter.count(text));
      for (;;) {
        const step = steps.next();
        if (step.done === true) return scale(step.value);
        yield;
      }
    },
  };
}
