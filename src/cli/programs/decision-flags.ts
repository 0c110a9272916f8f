// Values of flags that only the commands over a decision log have.
import { badFlag, filledText, quoted } from "../flags.ts";

export const STAKES = ["low", "medium", "high", "critical"];

/** A parser for commander: 0 to 1, in decimals. `80` and `80%` are refused, with what was probably meant. */
export function shareOfOne(flag: string): (value: string) => number {
  return (value) => {
    const text = value.trim();
    const number = /^(?:\d{1,3}(?:\.\d{0,15})?|\.\d{1,15})$/.test(text) ? Number(text) : Number.NaN;
    if (number >= 0 && number <= 1) return number;
    const percent = /^(\d{1,3})\s?%?$/.exec(text)?.[1];
    const meant = percent !== undefined && Number(percent) <= 100 ? ` For ${percent} %: ${Number(percent) / 100}.` : "";
    throw badFlag(`${flag} must be a number from 0 to 1, not ${quoted(value)}.${meant}`);
  };
}

/** A flag that may be given several times. */
export function eachFilled(flag: string): (value: string, before: readonly string[] | undefined) => readonly string[] {
  const filled = filledText(flag);
  return (value, before = []) => [...before, filled(value)];
}
