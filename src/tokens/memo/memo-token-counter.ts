// Puts a bounded memo before a counter, so that recounting a history costs look-ups instead of encoding.

import type { TokenCounter } from "../token-counter.ts";
import { type BoundedMemo, createBoundedMemo } from "./bounded-memo.ts";

const MEMOIZED = Symbol("memoized");

/** The same counter with a memo from text to count. A counter that has one comes back as it is. */
export function memoize(counter: TokenCounter, memo: BoundedMemo = createBoundedMemo()): TokenCounter {
  if (MEMOIZED in counter) return counter;
  const count = (text: string): number => {
    if (text === "") return 0;
    const known = memo.get(text);
    if (known !== undefined) return known;
    const tokens = counter.count(text);
    memo.set(text, tokens);
    return tokens;
  };
  const { countMessage, countSteps } = counter;
  return {
    name: counter.name,
    isExact: counter.isExact,
    count,
    ...(countMessage && { countMessage: (view, message) => countMessage.call(counter, view, message) }),
    ...(countSteps && { countSteps: (text) => countSteps.call(counter, text) }),
    [MEMOIZED]: true,
  } as TokenCounter;
}
