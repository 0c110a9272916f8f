// Counts with OpenAI's published encodings, exactly. The encoding is opened at the first count; see bpe/.
import { type EncodingName, openEncoding } from "./bpe/open-encoding.ts";
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
