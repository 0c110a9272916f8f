// The words of a sentence as they are compared, so that two sentences say the same when their tokens are equal:
// case, quotes, brackets and punctuation are gone; whatever a fact may hang on (numbers, signs, paths, question marks,
// the order of words) is there. When in doubt a token stays as it is written: a pair missed costs a little room, a pair
// wrongly made costs a memory.
import { isoDay, replaceDays } from "../language/dates.ts";
import { joinNumbers } from "../language/numbers.ts";

const SEPARATORS = /[\s()[\]{}"`、。]+/u;
/** "1,000" is one number. */
const BEHIND_COMMAS = /(?<=(?<!\d)[,;])|(?<=[,;])(?!\d)/u;
const CJK = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々";
const CJK_OR_NOT = new RegExp(`([${CJK}])|[^${CJK}]+`, "gu");
const HAS_CJK = new RegExp(`[${CJK}]`, "u");
const NAME_SIGN = /[\p{L}\p{N}_/\\@:=#&+~-]/u;
const HAS_NAME = /[\p{L}\p{N}]/u;
const SIGN = /[\p{S}/\\&%@#*?]/u;
const LEADING = /^[\p{P}]$/u;
/** Written in one way only by whoever means a name of code: the case of letters counts. */
const IS_CODE = /[^\p{L}\p{M}\p{N}'%+#-]/u;
/** "read-only" is "read only"; "Anna-Maria", "db-1" and "2026-03-01" are names. */
const COMPOUND = /^\p{L}\p{Ll}{1,40}(?:-\p{Ll}{2,40}){1,6}$/u;
const LONGEST_KNOWN = 40;
const MOST_KNOWN = 20_000;
/** Short answers that the words behind them do not belong to: "No, deploy" is not "no deploy". */
export const ANSWERS: ReadonlySet<string> = new Set(
  "no not yes nope yeah nein nicht ja non oui não nao sim sí si".split(" "),
);
/** In capitals a name, or another word, than in small letters: FOO is a variable, US is not us. Louder speech looks the same. */
const CAPITALS = /^\p{Lu}[\p{Lu}\p{N}]+$/u;

/** Tokens of one sentence. */
export type TokenReader = (sentence: string) => readonly string[];

/** Reads sentence after sentence; words that come again are looked up. */
export function createTokenReader(): TokenReader {
  const known = new Map<string, readonly string[]>();
  const tokensOf = (chunk: string, isLoud: boolean): readonly string[] => {
    const key = `${isLoud ? 1 : 0}${chunk}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const tokens = readChunk(chunk, isLoud);
    if (chunk.length <= LONGEST_KNOWN && known.size < MOST_KNOWN) known.set(key, tokens);
    return tokens;
  };
  return (sentence) => {
    const words: string[] = [];
    const isLoud = !/\p{Ll}/u.test(sentence);
    const chunks = withIsoDays(sentence)
      .split(SEPARATORS)
      .filter((chunk) => chunk !== "");
    for (const [at, chunk] of chunks.entries()) {
      // "Option A" and "A, B" name one; "A server" does not.
      const isName = chunk.startsWith("A") && /^A[,;:.!]*$/.test(chunk) && !opens(words, chunk, chunks[at + 1]);
      const isMinus = chunk === "-" && /\d$/.test(words.at(-1) ?? "") && /^\d/.test(chunks[at + 1] ?? "");
      if (isName || isMinus) words.push(chunk.slice(0, 1));
      else for (const token of tokensOf(chunk, isLoud)) words.push(token);
    }
    if (words.at(-1) === ".") words.pop();
    return rewrite(words);
  };
}

/** Days as `2026-03-01`, without a year as `--03-01`; not within a path or a name, and not where it may be no day. */
function withIsoDays(sentence: string): string {
  return replaceDays(sentence, (day) => {
    const { text, index, year, month, isDoubtful } = day;
    const isPart = NAME_SIGN.test(sentence[index - 1] ?? "") || NAME_SIGN.test(sentence[index + text.length] ?? "");
    if (isPart || isDoubtful || (year !== undefined && isoDay(day) === undefined)) return text;
    return isoDay(day) ?? `--${String(month).padStart(2, "0")}-${String(day.day).padStart(2, "0")}`;
  });
}

/** An article at the beginning, before a word in small letters, a number, or anything in a text of capitals alone. */
function opens(before: readonly string[], chunk: string, next = ""): boolean {
  return before.length === 0 && chunk === "A" && (/^[\p{Ll}\d]/u.test(next) || /^\p{Lu}{3}/u.test(next));
}

/** Of code: every character counts, only the room between words does not. */
export function literalTokens(line: string): readonly string[] {
  return line.split(/\s+/u).filter((word) => word !== "");
}

function readChunk(chunk: string, isLoud: boolean): readonly string[] {
  const tokens: string[] = [];
  const parts = /[,;]./.test(chunk) ? chunk.split(BEHIND_COMMAS) : [];
  if (parts.length > 1) return parts.flatMap((part) => readChunk(part, isLoud));
  if (!HAS_CJK.test(chunk)) addWord(chunk, tokens, isLoud);
  else {
    // A character of its own each: where words end only a reader of the language knows.
    for (const [part, cjk] of chunk.matchAll(CJK_OR_NOT)) {
      if (cjk === undefined) addWord(part, tokens, isLoud);
      else tokens.push(part);
    }
  }
  return tokens.flatMap(expand);
}

function addWord(chunk: string, tokens: string[], isLoud: boolean): void {
  if (!HAS_NAME.test(chunk)) {
    // Paths of their own.
    if (chunk === "." || chunk === "..") tokens.push(chunk);
    if (SIGN.test(chunk)) tokens.push(chunk === "&" ? "and" : chunk.replace(/\?{2,200}/, "?"));
    return;
  }
  const start = startOf(chunk);
  const end = endOf(chunk);
  const word = chunk.slice(start, end);
  const tail = chunk.slice(end);
  if (chunk[start - 1] === "!") tokens.push("!");
  if (COMPOUND.test(word)) tokens.push(...word.toLowerCase().split("-"));
  else if (word !== "") tokens.push(folded(word, isLoud));
  if (tail.includes("?")) tokens.push("?");
  else if (/[,;:.!]/.test(tail) && ANSWERS.has(word.toLowerCase())) tokens.push(".");
}

/** Behind quotes, dots and dashes that open nothing: a flag, a dot file, a negative number keep theirs. */
function startOf(chunk: string): number {
  let at = 0;
  for (; at < chunk.length && LEADING.test(chunk[at] ?? ""); at += 1) {
    const [sign, next = ""] = [chunk[at] ?? "", chunk[at + 1] ?? ""];
    if ("/\\@#%&*_".includes(sign)) break;
    if (sign === "-" && (next === "-" || HAS_NAME.test(next))) break;
    if (sign === "." && HAS_NAME.test(next)) break;
  }
  return at;
}

function endOf(chunk: string): number {
  let at = chunk.length;
  while (at > 0 && ".,;:!?'-".includes(chunk[at - 1] ?? "")) at -= 1;
  return at;
}

function folded(word: string, isLoud: boolean): string {
  // `-v` and `-V` are two flags.
  if (IS_CODE.test(word) || word.startsWith("-")) return word;
  if (!isLoud && CAPITALS.test(word)) return word;
  return /^\d+(?:\.\d+)?[A-Za-z]{1,3}$/.test(word) || /^[KMGT]i?[bB]$/.test(word) ? word : word.toLowerCase();
}

// Different spellings of one thing, written in one: contractions, number words, units, written dates, a few
// abbreviations; articles and empty words fall away. Only what cannot change a fact stands in these lists.

const ARTICLES = new Set(["a", "an", "the"]);
const EMPTY = new Set(["please", "kindly", "fyi", "btw"]);
/** No plain object: "constructor" is a word like others. */
const IRREGULAR: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    "can't": ["can", "not"],
    cannot: ["can", "not"],
    "won't": ["will", "not"],
    "shan't": ["shall", "not"],
    "ain't": ["is", "not"],
    "let's": ["let", "us"],
    "w/o": ["without"],
    "w/": ["with"],
  }),
);
const ENDINGS: Readonly<Record<string, string>> = { "'re": "are", "'ve": "have", "'ll": "will", "'m": "am" };
const IS_SHORT = new Set(["it", "that", "there", "here", "what", "who", "he", "she", "this", "where", "how"]);
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  `okay=ok repo=repository repos=repositories config=configuration configs=configurations db=database dbs=databases
  prod=production env=environment envs=environments vs=versus approx=approximately colour=color colours=colors
  behaviour=behavior behaviours=behaviors favour=favor centre=center organisation=organization
  organise=organize organised=organized optimise=optimize optimised=optimized optimisation=optimization
  initialise=initialize initialised=initialized normalise=normalize normalised=normalized
  serialise=serialize serialised=serialized authorise=authorize authorised=authorized
  authorisation=authorization cancelled=canceled labelled=labeled catalogue=catalog`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string]),
);

/** The words of one sentence, expanded, as its tokens. */
function rewrite(words: readonly string[]): readonly string[] {
  const kept = words.filter((word, at) => !EMPTY.has(word) && !(ARTICLES.has(word) && isWord(words[at + 1])));
  return joinNumbers(kept);
}

/** "a b" are two letters. */
function isWord(token = ""): boolean {
  return /[\p{L}\p{N}]{2}|\d/u.test(token);
}

/** One word as the words it is short for. */
function expand(word: string): readonly string[] {
  const known = IRREGULAR.get(word) ?? (word.includes("'") ? expandContraction(word) : undefined);
  if (known !== undefined) return known;
  return [spelled(word)];
}

function expandContraction(word: string): readonly string[] | undefined {
  if (word.endsWith("n't") && word.length > 4) return [word.slice(0, -3), "not"];
  const at = word.lastIndexOf("'");
  const [stem, ending] = [word.slice(0, at), word.slice(at)];
  const verb = ENDINGS[ending];
  if (verb !== undefined && stem !== "") return [stem, verb];
  return ending === "'s" && IS_SHORT.has(stem) ? [stem, "is"] : undefined;
}

function spelled(word: string): string {
  return SPELLINGS.get(word) ?? word;
}
