// Stands in for a tokenizer nobody published: another counter's figure times a stated factor, rounded up.
import type { TokenCounter } from "./token-counter.ts";

/** `factor` is tokens of the model per token of `counter`. */
export function createScaledTokenCounter(counter: TokenCounter, factor: number): TokenCounter {
  return {
    name: `${counter.name} x ${factor}`,
    isExact: false,
    count: (text) => Math.ceil(counter.count(text) * factor),
  };
}
