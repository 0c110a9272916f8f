// Remembers accepted answers by the whole request, so that the same remainder is not paid for twice (a plan and its
// carrying out, two sessions with the same start). Bounded by entries and by characters; the least recently used goes.
import type { Strategy } from "./summarizer.ts";

export interface AcceptedAnswer {
  readonly text: string;
  /** Strategy it was written for. */
  readonly strategy: Strategy;
}

export interface SummaryCache {
  get(key: string): AcceptedAnswer | undefined;
  set(key: string, answer: AcceptedAnswer): void;
}

export interface SummaryCacheBounds {
  readonly maxEntries?: number;
  /** UTF-16 units of all keys and answers. */
  readonly maxCharacters?: number;
}

/** Keys are compared as whole texts, so no two requests can be taken for one another. */
export function createSummaryCache({
  maxEntries = 32,
  maxCharacters = 4_000_000,
}: SummaryCacheBounds = {}): SummaryCache {
  const entries = new Map<string, AcceptedAnswer>();
  let characters = 0;
  const drop = (key: string) => {
    const answer = entries.get(key);
    if (answer === undefined) return;
    entries.delete(key);
    characters -= key.length + answer.text.length;
  };
  return {
    get(key) {
      const answer = entries.get(key);
      if (answer === undefined) return undefined;
      entries.delete(key);
      entries.set(key, answer);
      return answer;
    },
    set(key, answer) {
      drop(key);
      if (key.length + answer.text.length > maxCharacters) return;
      entries.set(key, answer);
      characters += key.length + answer.text.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && characters <= maxCharacters) return;
        drop(oldest);
      }
    },
  };
}
