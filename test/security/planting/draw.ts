// Made-up characters from a seed: the same secrets in every run, and none of them written down in the repository.

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";

export const ALPHABETS = {
  hex: `${DIGITS}abcdef`,
  digits: DIGITS,
  lower: LOWER,
  base32: `${UPPER}234567`,
  words: `${LOWER}${UPPER}${DIGITS}`,
  base64: `${LOWER}${UPPER}${DIGITS}+/`,
  urlSafe: `${LOWER}${UPPER}${DIGITS}-_`,
} as const;

export type Alphabet = keyof typeof ALPHABETS;

/** `length` characters; letters and digits are both among them where the alphabet has both. */
export type Draw = (alphabet: Alphabet, length: number) => string;

export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return (alphabet, length) => {
    const characters = ALPHABETS[alphabet];
    for (;;) {
      const text = Array.from({ length }, () => characters[next(characters.length)]).join("");
      if (isMixed(text, characters) && /^[^-_+/].*[^-_+/]$/.test(text)) return text;
    }
  };
}

function isMixed(text: string, characters: string): boolean {
  const has = (pattern: RegExp) => !pattern.test(characters) || pattern.test(text);
  return has(/[a-z]/) && has(/[A-Z]/) && has(/[0-9]/);
}
