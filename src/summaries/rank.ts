// The one place that ranks: which pieces of which units a room holds. A piece is worth what its unit is worth, times
// what plain signs say of it: where it stands in its message, how much it names, whether later words come back to it,
// of whom it speaks. The more of a unit is kept, the less another piece of it is worth, so short texts stay whole and
// long ones keep their best.
import { isPasted } from "../language/sentences.ts";
import { says } from "../language/words.ts";
import { flat } from "../text/quote.ts";
import { isBare, isBigram, piecesOf, wordTokens } from "../text/words.ts";
import type { Stepwise } from "../tokens/stepwise.ts";
import { type Author, isUsersOwn, type Unit } from "./units.ts";

export interface RankedPiece {
  /** Index of its unit. */
  readonly unit: number;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly words: readonly string[];
  /** Worth after what of its unit comes before it; what is sorted by. */
  readonly worth: number;
}

/** Pieces by unit. */
export type Chosen = Map<number, RankedPiece[]>;

/** Tokens of a unit after which another piece of it is worth half. */
const HALF = 40;
/** Weights of the signs. They were set once on seven sessions; on others the score hardly moves when one is halved or doubled. */
const SIGNS = {
  information: 1,
  referred: 1,
  conclusion: 0.7,
  opening: 0.4,
  name: 1.5,
  figure: 1.5,
  self: 1.5,
  other: -1.5,
  code: 0.3,
  question: 0.5,
  announcement: 0.3,
  /** The newest is worth this much more than the oldest. */
  recency: 1,
} as const;

/** "Now let me run the tests": a longer sentence before a call tells something, too. */
const MOST_ANNOUNCED = 24;
/** However little speaks for a piece, it is not worth nothing. */
const LEAST = 0.05;
const LONGEST_READ = 20_000;
const QUESTION = /[?？]["'”’)*_\s]*$/u;
/** A capital inside of a sentence. */
const NAME = /(?<=[\p{Ll},;:'’"“(]\s?)\p{Lu}[\p{L}'’]+/gu;

interface Words {
  /** Number of units that say a word. */
  readonly spread: ReadonlyMap<string, number>;
  /** Last unit that says it; and the last in which a person or the assistant does. */
  readonly last: ReadonlyMap<string, number>;
  readonly lastSpoken: ReadonlyMap<string, number>;
}

/** All pieces, the most valuable first. In steps: a day's session has tens of thousands. */
export function* rankPieces(
  units: readonly Unit[],
  worthOf: (unit: Unit) => number,
  count: (text: string) => number,
): Stepwise<readonly RankedPiece[]> {
  const words = yield* readWords(units);
  const ranked: RankedPiece[] = [];
  const said = new Set<string>();
  for (let index = units.length - 1; index >= 0; index -= 1) {
    const unit = units[index] as Unit;
    const base = worthOf(unit) * (1 + SIGNS.recency * (index / Math.max(1, units.length - 1)));
    const pieces = withoutRepeats(unit, readPieces(unit, index, words, units.length, count), said);
    pieces.sort((a, b) => b.worth - a.worth || a.start - b.start);
    let tokens = 0;
    for (const { key: _, ...piece } of pieces) {
      tokens += piece.tokens;
      ranked.push({ ...piece, worth: (piece.worth * base) / (1 + tokens / HALF) });
    }
    yield;
  }
  return ranked.sort((a, b) => b.worth - a.worth || b.unit - a.unit || a.start - b.start);
}

/** Shorter ones are repeated by chance. */
const LEAST_REPEAT = 20;

/** Said again later: once is enough, and the later place tells more. A rule quotes what was said; a user's message stays whole unless all of it is. */
function withoutRepeats(unit: Unit, pieces: readonly ReadPiece[], said: Set<string>): ReadPiece[] {
  if (unit.section === "rules") return [...pieces];
  const fresh = pieces.filter(({ key }) => key.length <= LEAST_REPEAT || !said.has(key));
  for (const { key } of pieces) said.add(key);
  return isUsersOwn(unit) && fresh.length > 0 ? [...pieces] : fresh;
}

function* readWords(units: readonly Unit[]): Stepwise<Words> {
  const spread = new Map<string, number>();
  const last = new Map<string, number>();
  const lastSpoken = new Map<string, number>();
  for (const [index, { text, author }] of units.entries()) {
    for (const word of new Set(wordTokens(text.slice(0, LONGEST_READ)))) {
      spread.set(word, (spread.get(word) ?? 0) + 1);
      last.set(word, index);
      if (author === "user" || author === "assistant") lastSpoken.set(word, index);
    }
    yield;
  }
  return { spread, last, lastSpoken };
}

interface ReadPiece extends RankedPiece {
  /** The text as it is compared. */
  readonly key: string;
}

function readPieces(
  whole: Unit,
  unit: number,
  words: Words,
  units: number,
  count: (text: string) => number,
): ReadPiece[] {
  const { text, author, isWhole, isBeforeCall, detailFrom, pieceAt } = whole;
  const pieces = isWhole === true ? [{ start: 0, end: text.length, isCode: false }] : piecesOf(text, detailFrom === 0);
  return pieces.flatMap(({ start, end, isCode }, at) => {
    const said = text.slice(start, end);
    if (!isUsersOwn(whole) && isBare(said)) return [];
    const tokens = count(said);
    const own = [...new Set(wordTokens(said.slice(0, LONGEST_READ)))];
    const worth =
      1 +
      SIGNS.information * informationOf(own, tokens, words, units) +
      SIGNS.referred * referredOf(own, unit, author, words, units) +
      placeOf(whole, at, pieces.length) +
      speechOf(whole, said, words, units);
    const special = pieceAt?.(start);
    // Of a pasted trace the words around it say what it is for.
    const isDetail =
      isCode || (author === "user" && isPasted(said)) || (detailFrom !== undefined && start >= detailFrom);
    const asks = QUESTION.test(said) && at < pieces.length - 1;
    const announces = isBeforeCall === true && at === pieces.length - 1 && tokens <= MOST_ANNOUNCED;
    const factor =
      (isDetail ? SIGNS.code : 1) *
      (asks ? SIGNS.question : 1) *
      (announces ? SIGNS.announcement : 1) *
      (special?.factor ?? 1);
    const key = flat(said);
    return [
      {
        unit,
        start,
        end,
        tokens: tokens + (special?.tokens ?? 0),
        words: own,
        worth: Math.max(LEAST, worth * factor),
        key,
      },
    ];
  });
}

/** Where it stands: what a message concludes with says most. */
function placeOf({ isTalk }: Unit, at: number, pieces: number): number {
  if (isTalk === true) return 0;
  const place = pieces === 1 ? 1 : at / (pieces - 1);
  return SIGNS.conclusion * place ** 2 + (at === 0 ? SIGNS.opening : 0);
}

/** Rare words a token: what cannot be guessed. */
function informationOf(own: readonly string[], tokens: number, { spread }: Words, units: number): number {
  let sum = 0;
  for (const word of own) {
    // Of neighbouring pairs each says half of what a word does.
    const share = isBigram(word) ? 0.5 : word.length > 2 ? 1 : 0;
    sum += share * Math.min(5, Math.log((units + 1) / (spread.get(word) ?? 1)));
  }
  return sum / Math.max(6, tokens);
}

/** How many of its rarer words come back later; of a tool's words, in what people say. */
function referredOf(own: readonly string[], unit: number, author: Author, words: Words, units: number): number {
  const later = author === "tool" || author === "thought" ? words.lastSpoken : words.last;
  const isRare = (word: string) =>
    (word.length > 3 || isBigram(word)) && (words.spread.get(word) ?? 1) <= Math.max(3, units * 0.1);
  const found = own.filter((word) => isRare(word) && (later.get(word) ?? 0) > unit).length;
  return Math.min(3, found) / 3;
}

/** Names, figures, and of whom it speaks: "I moved to Porto in May" tells more than "you are so kind", "let me look" nothing. */
function speechOf({ author, isTalk }: Unit, said: string, { spread }: Words, units: number): number {
  if (author === "tool") return 0;
  const speaks = author === "user" || isTalk === true;
  const isTelling = (word: string) => (spread.get(word.toLowerCase()) ?? 1) <= Math.max(3, units * 0.1);
  const names = said.match(NAME)?.filter(isTelling).length ?? 0;
  const figures = said.match(/\d+/gu)?.filter(isTelling).length ?? 0;
  return (
    SIGNS.name * Math.min(2, names) +
    SIGNS.figure * Math.min(2, figures) +
    (speaks && says(said, "speaker") ? SIGNS.self : 0) +
    (says(said, "listener") ? SIGNS.other : 0)
  );
}
