// THE ONE GUARD against false duplicates. Two texts say the same only when nothing but their dress differs: case,
// spacing, marks, quotes, articles, spellings of one number or date. One other number, name, negation, order of words or
// any word at all, and they are different facts. It errs on one side only: a pair that is missed costs a little
// room, a pair that is wrongly made costs a memory.
import { type Cue, cueOf } from "./cue-words.ts";
import { ANSWERS, createTokenReader, type TokenReader } from "./fact-tokens.ts";
import { readSentences } from "./text-units.ts";

/** May either text stand for the other? Symmetric, and transitive: texts that say the same have one `factKey`. */
export function saysTheSame(a: string, b: string): boolean {
  return a === b || factKey(a) === factKey(b);
}

/** Equal for texts that say the same, and for no others. A text without any word is only the same as itself. */
export function factKey(text: string): string {
  const key = factTokens(text).join(" ");
  return key === "" ? `\n${text.trim()}` : key;
}

/** Texts that stay, read once: gives the tokens of those sentences of another text that stand nowhere in them. */
export function createUnknownTokens(
  kept: readonly string[],
  reader: TokenReader = createTokenReader(),
): (text: string) => readonly string[] {
  const known = new Set(kept.flatMap((text) => readSentences(text, reader).map((sentence) => sentence.join(" "))));
  return (text) =>
    readSentences(text, reader)
      .filter((sentence) => !known.has(sentence.join(" ")))
      .flat();
}

/** What two texts differ in, the gravest first; `wording` for words of no such kind, `order` for the same words. */
export type FactDifference = "date" | "number" | "name" | "wording" | "order" | Cue;

/** Undefined where they say the same. Symmetric. */
export function differenceOf(a: string, b: string): FactDifference | undefined {
  if (saysTheSame(a, b)) return undefined;
  const different = unshared(factTokens(a), factTokens(b));
  if (different.length === 0) return "order";
  return gravestOf(different, `${a}\n${b}`);
}

/** The gravest kind among tokens of `text`; `wording` where they are of none, and where there are none. */
export function gravestOf(tokens: readonly string[], text: string): FactDifference {
  const names = namesOf(text);
  const kinds = new Set(tokens.map((token) => kindOf(token, names)));
  return GRAVEST.find((kind) => kinds.has(kind)) ?? "wording";
}

const GRAVEST: readonly FactDifference[] = ["negation", "date", "number", "modality", "direction", "task", "name"];

/** The words of a text as this guard compares them. */
export function factTokens(text: string, reader?: TokenReader): readonly string[] {
  const tokens: string[] = [];
  for (const sentence of readSentences(text, reader)) {
    // "No. Deploy on Friday." is not "No deploy on Friday."
    if (ANSWERS.has(tokens.at(-1) ?? "")) tokens.push(".");
    for (const token of sentence) tokens.push(token);
  }
  return tokens;
}

/** Tokens that one of the two has more often. */
function unshared(a: readonly string[], b: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const token of a) counts.set(token, (counts.get(token) ?? 0) + 1);
  for (const token of b) counts.set(token, (counts.get(token) ?? 0) - 1);
  return [...counts].filter(([, count]) => count !== 0).map(([token]) => token);
}

function kindOf(token: string, names: ReadonlySet<string>): FactDifference {
  if (/^(?:\d{4}|-)-\d\d-\d\d/.test(token)) return "date";
  if (/\d/.test(token) && !/\p{L}{2}/u.test(token)) return "number";
  const cue = cueOf(token);
  if (cue !== undefined) return cue;
  return names.has(token) || /[\d_/\\@=:$.]/.test(token) ? "name" : "wording";
}

/** Words with a capital inside a sentence, in small letters. */
function namesOf(text: string): ReadonlySet<string> {
  const found = text.matchAll(/(?<=[\p{L}\p{N},;:'")-][ \t]{1,3}["'`*(]{0,3})\p{Lu}[\p{L}\p{N}]{0,60}/gu);
  return new Set([...found].map(([name]) => name.toLowerCase()));
}
