// Finds every occurrence of many words in one pass over the text: an automaton over ASCII that ignores case. What a
// word may mean is decided by its rules, which look only around it, so a text without any of the words costs one pass.

/** Called with the word's index in the list and the offsets of its occurrence, in the order in which they end. */
export type OnWord = (word: number, start: number, end: number) => void;

const LETTERS = 128;

interface Automaton {
  /** Next state by state and letter. */
  readonly next: Int32Array;
  /** By state: the words that end there. */
  readonly ends: readonly (readonly number[] | undefined)[];
  /** By state: 1 when a word ends there. */
  readonly isEnd: Uint8Array;
}

/** @param words lower-case ASCII. */
export function createKeywordScan(words: readonly string[]): (text: string, onWord: OnWord) => void {
  const { next, ends, isEnd } = build(words);
  return (text, onWord) => {
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      state = unit < LETTERS ? (next[state * LETTERS + unit] ?? 0) : 0;
      if (isEnd[state] === 0) continue;
      for (const word of ends[state] ?? []) onWord(word, index + 1 - (words[word]?.length ?? 0), index + 1);
    }
  };
}

function build(words: readonly string[]): Automaton {
  const children: Map<number, number>[] = [new Map()];
  const ends: number[][] = [[]];
  for (const [index, word] of words.entries()) {
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const unit = word.charCodeAt(at);
      let child = children[state]?.get(unit);
      if (child === undefined) {
        child = children.length;
        children[state]?.set(unit, child);
        children.push(new Map());
        ends.push([]);
      }
      state = child;
    }
    ends[state]?.push(index);
  }
  return withFallbacks(children, ends);
}

/** Breadth first: where a word breaks off, go on with its longest tail that begins another word. */
function withFallbacks(children: readonly ReadonlyMap<number, number>[], ends: number[][]): Automaton {
  const next = new Int32Array(children.length * LETTERS);
  const fallback = new Int32Array(children.length);
  const queue = [0];
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at] ?? 0;
    const behind = fallback[state] ?? 0;
    for (let unit = 0; unit < LETTERS; unit++) {
      const child = children[state]?.get(unit);
      const elsewhere = state === 0 ? 0 : (next[behind * LETTERS + unit] ?? 0);
      if (child !== undefined) {
        fallback[child] = elsewhere;
        ends[child]?.push(...(ends[elsewhere] ?? []));
        queue.push(child);
      }
      next[state * LETTERS + unit] = child ?? elsewhere;
    }
    // Filled last: the root's own row must be whole before others fall back on it.
    foldCase(next, state);
  }
  return { next, ends, isEnd: Uint8Array.from(ends, (list) => (list.length > 0 ? 1 : 0)) };
}

function foldCase(next: Int32Array, state: number): void {
  for (let unit = 65; unit <= 90; unit++) {
    next[state * LETTERS + unit] = next[state * LETTERS + unit + 32] ?? 0;
  }
}
