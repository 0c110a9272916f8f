// Stands in for a tokenizer nobody published: another counter's figure times a stated factor, rounded up.
import type { LimitedTokenCounter } from "./token-counter.ts";

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
