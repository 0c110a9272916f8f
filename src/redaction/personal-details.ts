// Personal details, found only when asked for: e-mail addresses, telephone numbers, payment cards. Shapes only;
// names and postal addresses are not covered.
import type { Span } from "./spans.ts";

const EMAIL =
  /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,3}\.[A-Za-z]{2,24}(?![A-Za-z0-9])/g;
/** International with a plus, or three groups as in 555-123-4567: plain digits could be anything. */
const PHONE = /(?<![\w.+-])(?:\+\d{1,3}(?:[ .()-]{0,2}\d{1,4}){3,6}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})(?![\w-])/g;
const CARD = /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])/g;

export function findPersonalDetails(text: string): readonly Span[] {
  return [...spansOf(text, EMAIL), ...spansOf(text, PHONE), ...spansOf(text, CARD, passesLuhn)];
}

function spansOf(text: string, pattern: RegExp, accepts?: (found: string) => boolean): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    if (accepts?.(match[0]) ?? true) spans.push({ start: match.index, end: match.index + match[0].length });
  }
  return spans;
}

function passesLuhn(found: string): boolean {
  const digits = found.replace(/\D/g, "");
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && !/^(\d)\1+$/.test(digits);
}
