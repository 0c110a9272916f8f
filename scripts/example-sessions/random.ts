// Numbers that look random and are the same in every run. The seed is the only input; no clock is read.

export interface Random {
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  /** `length` characters of `alphabet`. */
  text(length: number, alphabet: string): string;
  hex(length: number): string;
  uuid(): string;
}

const HEX = "0123456789abcdef";
export const LETTERS_AND_DIGITS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** A linear congruential generator (period 2^32), of which only the upper bits are used. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const text = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet[whole(0, alphabet.length - 1)] ?? "").join("");
  const hex = (length: number): string => text(length, HEX);
  const uuid = (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-${text(1, "89ab")}${hex(3)}-${hex(12)}`;
  return { whole, text, hex, uuid };
}
