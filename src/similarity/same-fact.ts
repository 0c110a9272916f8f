// THE ONE GUARD against false duplicates. Two texts say the same only when nothing but their dress differs: case,
// spacing, marks, quotes, articles, spellings of one number or date. One other number, name, negation, order of words or
// any word at all, and they are different facts. It errs on one side only: a pair that is missed costs a little
// room, a pair that is wrongly made costs a memory.
import { type Cue, cueOf, mayTakeBack } from "./cue-words.ts";
import { ANSWERS, createTokenReader, type TokenReader } from "./fact-tokens.ts";
import { type ReadText, readUnits, type Tokens, type Unit } from "./text-units.ts";

/** May either text stand for the other? Symmetric, and transitive: texts that say the same have one `factKey`. */
export function saysTheSame(a: string, b: string): boolean {
  return a === b || factKey(a) === factKey(b);
}

/** Equal for texts that say the same, and for no others. A text without any word is only the same as itself. */
export function factKey(text: string, reader?: TokenReader): string {
  return keyOfRead(readUnits(text, reader), text);
}

function keyOfRead({ sentences }: ReadText, text: string): string {
  const key = tokensOfRead(sentences).join(" ");
  return key === "" ? `\n${text.trim()}` : key;
}

/**
 * Would nothing be lost if `text` left and `kept` stayed? Each paragraph and item of `text` must stand in `kept`, word
 * for word but for its dress, sentences beside each other, below the same headings and items; below others besides only
 * where these take nothing back. Order and repeats do not count.
 */
export function addsNothing(text: string, kept: string): boolean {
  return saysTheSame(text, kept) || keptFacts([kept]).holds(text);
}

/** Texts that stay, read once to be asked about many others. */
export interface KeptFacts {
  /** Would nothing be lost if `text` left? As `addsNothing`, each paragraph and item in whichever of the texts. */
  holds(text: string): boolean;
  /** Tokens of those sentences of `text` that stand nowhere in the texts. */
  unknownTokens(text: string): readonly string[];
}

export function keptFacts(kept: readonly string[], reader: TokenReader = createTokenReader()): KeptFacts {
  const read = kept.map((text) => readUnits(text, reader));
  const whole = new Set(read.map((text, at) => keyOfRead(text, kept[at] ?? "")));
  const known = bySentence(read.flatMap(({ units }) => units));
  const sentences = new Set(read.flatMap((text) => text.sentences.map(keyOf)));
  const isKept = (unit: Unit): boolean =>
    known.get(keyOf(unit.sentences[0]))?.some((place) => holds(place, unit)) === true;
  return {
    holds(text) {
      const wanted = readUnits(text, reader);
      if (whole.has(keyOfRead(wanted, text))) return true;
      const { units } = wanted;
      return units.length > 0 && units.every(isKept);
    },
    unknownTokens: (text) =>
      readUnits(text, reader)
        .sentences.filter((sentence) => !sentences.has(keyOf(sentence)))
        .flat(),
  };
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
/** Of one sentence in several places, so many are looked at; more are taken for unknown. */
const MOST_PLACES = 50;

/** The words of a text as this guard compares them. */
export function factTokens(text: string, reader?: TokenReader): readonly string[] {
  return tokensOfRead(readUnits(text, reader).sentences);
}

function tokensOfRead(sentences: readonly Tokens[]): readonly string[] {
  const tokens: string[] = [];
  for (const sentence of sentences) {
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
