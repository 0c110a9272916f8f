// The numbers of a text, by their value: `1,500` and `1500` are one, and so are `three` and `3`.

const NUMBER = /\d{1,40}(?:[.,'’_]\d{3}(?!\d)){0,8}(?:[.,]\d{1,20})?/g;
const WORDS = new Map(
  "two three four five six seven eight nine ten eleven twelve".split(" ").map((word, at) => [word, String(at + 2)]),
);

/** Days are one thing each, and looked for as such: the 02 of one is no 2. */
const DAY = /\d{4}-\d{2}-\d{2}(?:[T ][\d:.]{4,18}(?:Z|[+-]\d{2}:?\d{2})?)?/g;

export function numbersOf(written: string): ReadonlySet<string> {
  const text = written.replace(DAY, " ");
  const found = new Set<string>();
  for (const match of text.matchAll(NUMBER)) found.add(plainNumber(match[0]));
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const value = WORDS.get(word);
    if (value !== undefined) found.add(value);
  }
  return found;
}

function plainNumber(written: string): string {
  const digits = written.replace(/[.,'’_](?=\d{3}(?!\d))/g, "").replace(",", ".");
  return digits.replace(/^0+(?=\d)/, "");
}
