// Puts a bounded memo before a counter, so that recounting a history costs look-ups instead of encoding.
import type { TokenCounter } from "./token-counter.ts";

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
    ...(countSteps && {
      *countSteps(text: string) {
        const known = memo.get(text);
        if (known !== undefined) return known;
        const steps = countSteps.call(counter, text);
        for (;;) {
          const step = steps.next();
          if (step.done !== true) yield;
          else {
            memo.set(text, step.value);
            return step.value;
          }
        }
      },
    }),
    [MEMOIZED]: true,
  } as TokenCounter;
}

// A memo from text to a number that cannot grow without bound. Two generations instead of a strict LRU: no
// bookkeeping per hit, and a sequential scan somewhat larger than one generation still finds its entries.

interface BoundedMemo {
  get(text: string): number | undefined;
  set(text: string, value: number): void;
}

interface MemoBounds {
  /** Entries of one generation; up to twice as many are held. */
  readonly maxEntries: number;
  /** UTF-16 units of all keys of one generation. */
  readonly maxCharacters: number;
}

/** Sized to a session: 20,000 messages of a few parts each fit in one generation. */
const SESSION_BOUNDS: MemoBounds = { maxEntries: 50_000, maxCharacters: 8_000_000 };

export function createBoundedMemo(bounds: MemoBounds = SESSION_BOUNDS): BoundedMemo {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let characters = 0;

  function insert(text: string, value: number): void {
    if (text.length > bounds.maxCharacters) return;
    if (young.size >= bounds.maxEntries || characters + text.length > bounds.maxCharacters) {
      old = young;
      young = new Map();
      characters = 0;
    }
    young.set(text, value);
    characters += text.length;
  }

  return {
    get(text) {
      const recent = young.get(text);
      if (recent !== undefined) return recent;
      const earlier = old.get(text);
      if (earlier !== undefined) insert(text, earlier);
      return earlier;
    },
    set(text, value) {
      if (!young.has(text)) insert(text, value);
    },
  };
}
