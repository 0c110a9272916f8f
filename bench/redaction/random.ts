// Characters by chance, the same for the same seed: what stands in a secret, never a secret itself.

export const DIGITS = "0123456789";
export const HEX = `${DIGITS}abcdef`;
export const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const UPPER = LOWER.toUpperCase();
export const ALNUM = DIGITS + LOWER + UPPER;
export const BASE64 = `${ALNUM}+/`;
export const BASE64URL = `${ALNUM}-_`;

export interface Random {
  /** 0 <= n < `below`. */
  whole(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** As long as asked, of the alphabet, with at least one digit where the alphabet has digits and there is room. */
  text(length: number, alphabet?: string): string;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const whole = (below: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
  const text = (length: number, alphabet = ALNUM): string => {
    const made = Array.from({ length }, () => alphabet[whole(alphabet.length)]).join("");
    const lacks = length >= 8 && alphabet.includes("0") && !/\d/.test(made);
    return lacks ? text(length, alphabet) : made;
  };
  return { whole, text, pick: (list) => list[whole(list.length)] as (typeof list)[number] };
}
