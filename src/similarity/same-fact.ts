// THE ONE GUARD against false duplicates. Two texts say the same only when nothing but their dress differs: case,
// spacing, marks, quotes, articles, spellings of one number or date. One other number, name, negation, order of words or
// any word at all, and they are different facts. It errs on one side only: a pair that is missed costs a little
// room, a pair that is wrongly made costs a memory.
import { type Cue, cueOf, mayTakeBack } from "./cues/cue-words.ts";
import { ANSWERS } from "./normal/fact-tokens.ts";
import { readUnits, type Tokens, type Unit } from "./normal/read-units.ts";

/** May either text stand for the other? Symmetric, and transitive: texts that say the same have one `factKey`. */
export function saysTheSame(a: string, b: string): boolean {
  return a === b || factKey(a) === factKey(b);
}

/** Equal for texts that say the same, and for no others. A text without any word is only the same as itself. */
export function factKey(text: string): string {
  const key = flatTokens(text).join(" ");
  return key === "" ? `\n${text.trim()}` : key;
}

/**
 * Would nothing be lost if `text` left and `kept` stayed? Each paragraph and item of `text` must stand in `kept`, word
 * for word but for its dress, sentences beside each other, below the same headings and items; below others besides only
 * where these take nothing back. Order and repeats do not count.
 */
export function addsNothing(text: string, kept: string): boolean {
  if (saysTheSame(text, kept)) return true;
  const known = bySentence(readUnits(kept).units);
  const { units } = readUnits(text);
  return (
    units.length > 0 && units.every((unit) => known.get(keyOf(unit.sentences[0]))?.some((other) => holds(other, unit)))
  );
}

/** What two texts differ in, the gravest first; `wording` for words of no such kind, `order` for the same words. */
export type FactDifference = "date" | "number" | "name" | "wording" | "order" | Cue;

/** Undefined where they say the same. Symmetric. */
export function differenceOf(a: string, b: string): FactDifference | undefined {
  if (saysTheSame(a, b)) return undefined;
  const different = unshared(flatTokens(a), flatTokens(b));
  if (different.length === 0) return "order";
  const names = namesOf(`${a}\n${b}`);
  const kinds = new Set(different.map((token) => kindOf(token, names)));
  return GRAVEST.find((kind) => kinds.has(kind)) ?? "wording";
}

const GRAVEST: readonly FactDifference[] = ["negation", "date", "number", "modality", "direction", "task", "name"];
/** Of one sentence in several places, so many are looked at; more are taken for unknown. */
const MOST_PLACES = 50;

function flatTokens(text: string): readonly string[] {
  const tokens: string[] = [];
  for (const sentence of readUnits(text).sentences) {
    // "No. Deploy on Friday." is not "No deploy on Friday."
    if (ANSWERS.has(tokens.at(-1) ?? "")) tokens.push(".");
    for (const token of sentence) tokens.push(token);
  }
  return tokens;
}

function keyOf(tokens: Tokens = []): string {
  return tokens.join(" ");
}

interface Place {
  readonly unit: Unit;
  readonly at: number;
}

function bySentence(units: readonly Unit[]): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const unit of units) {
    for (const [at, sentence] of unit.sentences.entries()) {
      const key = keyOf(sentence);
      const known = places.get(key);
      if (known === undefined) places.set(key, [{ unit, at }]);
      else if (known.length < MOST_PLACES) known.push({ unit, at });
    }
  }
  return places;
}

function holds({ unit, at }: Place, wanted: Unit): boolean {
  const isSaid = wanted.sentences.every((sentence, index) => {
    const other = unit.sentences[at + index];
    return other !== undefined && keyOf(other) === keyOf(sentence);
  });
  return isSaid && isBelow(unit.context, wanted.context);
}

function isBelow(context: readonly Tokens[], wanted: readonly Tokens[]): boolean {
  const more = context.length - wanted.length;
  if (more < 0 || context.slice(0, more).some(mayTakeBack)) return false;
  return wanted.every((level, index) => keyOf(level) === keyOf(context[more + index]));
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
