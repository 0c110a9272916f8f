// Different spellings of one thing, written in one: contractions, number words, units, written dates, a few
// abbreviations; articles and empty words fall away. Only what cannot change a fact stands in these lists.
import { joinDates } from "./written-dates.ts";
import { joinNumbers } from "./written-numbers.ts";

const ARTICLES = new Set(["a", "an", "the"]);
const EMPTY = new Set(["please", "kindly", "fyi", "btw"]);
const IRREGULAR: Readonly<Record<string, readonly string[]>> = {
  "can't": ["can", "not"],
  cannot: ["can", "not"],
  "won't": ["will", "not"],
  "shan't": ["shall", "not"],
  "ain't": ["is", "not"],
  "let's": ["let", "us"],
  "w/o": ["without"],
  "w/": ["with"],
};
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
export function rewrite(words: readonly string[]): readonly string[] {
  const kept = words.filter((word, at) => !EMPTY.has(word) && !(ARTICLES.has(word) && isWord(words[at + 1])));
  return joinDates(joinNumbers(kept));
}

/** "a b" are two letters. */
function isWord(token = ""): boolean {
  return /[\p{L}\p{N}]{2}|\d/u.test(token);
}

/** One word as the words it is short for. */
export function expand(word: string): readonly string[] {
  const known = IRREGULAR[word] ?? (word.includes("'") ? expandContraction(word) : undefined);
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
