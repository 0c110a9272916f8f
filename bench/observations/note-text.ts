// Notes made of words that occur as words do: few of them everywhere, most of them rarely.

export const VOCABULARY = 20_000;
const WIDE = ["日本語", "缓存", "데이터", "設定", "结果"];
const SYLLABLES = ["ba", "co", "di", "fu", "ge", "ha", "ki", "lo", "mu", "ne", "pa", "ri", "so", "tu", "ve", "za"];

/** Mulberry32: the same numbers on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The word of a rank, 0 the most frequent. */
export function word(rank: number): string {
  let text = "";
  for (let rest = rank + 16; rest > 0; rest = Math.floor(rest / 16)) text += SYLLABLES[rest % 16] ?? "";
  return text;
}

const WORDS = Array.from({ length: VOCABULARY }, (_, rank) => word(rank));

export function noteText(random: () => number): { readonly title: string; readonly content: string } {
  const words = (count: number) => Array.from({ length: count }, () => WORDS[drawnRank(random)]).join(" ");
  const wide = random() < 0.01 ? ` ${WIDE[Math.floor(random() * WIDE.length)]}` : "";
  return { title: words(5), content: `${words(30 + Math.floor(random() * 40))}${wide}` };
}

/** The frequency of a word falls with its rank. */
function drawnRank(random: () => number): number {
  return Math.floor(VOCABULARY ** random()) - 1;
}
