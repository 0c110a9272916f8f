// Which of the given texts stand in what a compaction leaves, by a plain search.

/** Of a long message its beginning counts. */
export const USER_UNITS = 500;

export interface Held {
  readonly of: number;
  readonly held: number;
  readonly lost: readonly string[];
}

export function heldIn(text: string, values: readonly string[]): Held {
  const plain = simplify(text);
  const lost = values.filter((value) => !plain.includes(simplify(value)));
  return { of: values.length, held: values.length - lost.length, lost };
}

/** Quoted text has its own delimiters neutralised and its line breaks may be spaces. */
function simplify(text: string): string {
  return text
    .replace(/<(?=\/?COMPACT-)/gi, "‹")
    .replace(/\s+/g, " ")
    .trim();
}
