// The key under which near-identical wordings of one principle meet: what is equal for texts that say the same
// (similarity/same-fact.ts), without empty words and with one form for the forms of a word. The order of words counts, and
// so does every number, date, name, negation and whatever else a fact turns on. When in doubt two wordings stay two.
import { factKey } from "../../similarity/same-fact.ts";
import { baseForm } from "./inflection.ts";

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const EMPTY = new Set("just simply really actually basically very quite also indeed we".split(" "));
/** Written in capitals for loudness, not as a name. */
const LOUD = new Set("NEVER NOT NO ALWAYS MUST SHOULD ONLY ALL EVERY BEFORE AFTER FIRST DO AND OR".split(" "));
/** What people write where they have nothing to say. */
const SAYS_NOTHING = new Set(
  `none n/a na nil null nothing tbd todo unknown no yes ok done closed fixed implemented resolved completed complete
  success failure lesson lessons pattern not\u00a0applicable no\u00a0lesson no\u00a0lesson\u00a0learn
  no\u00a0lesson\u00a0yet nothing\u00a0new nothing\u00a0to\u00a0add`
    .split(/[ \n]+/u)
    .map((text) => text.replaceAll("\u00a0", " ")),
);
const HYPHEN = /[-\u2010\u2011]/;
/** "Search-First": words of letters alone, in no path, flag or name with a number. */
const COMPOUND = /^["'([*]{0,3}\p{L}{2,40}(?:[-\u2010\u2011]\p{L}{2,40}){1,6}["')\].,;:!?*]{0,4}$/u;
/** A word with a capital inside a sentence. */
const INNER_CAPITAL = /(?<=[\p{L}\p{N},;:'")-][ \t]{1,3}["'`*(]{0,3})\p{Lu}[\p{Ll}\p{M}]{1,60}(?![\p{L}\p{N}])/gu;
const HAS_INNER_CAPITAL = /[^\p{Lu}]\p{Lu}/u;
const WORD_WITHIN = /(?<=\s["'`*(]{0,3})\p{L}{4,60}/gu;

/** Empty for a text that says nothing. */
export function wordingKey(text: string): string {
  const open = HYPHEN.test(text) ? text.split(" ").map(opened).join(" ") : text;
  const fact = factKey(open);
  if (fact.startsWith("\n") || SAYS_NOTHING.has(fact.toLowerCase())) return "";
  if (CJK.test(fact)) return fact;
  const names = HAS_INNER_CAPITAL.test(open) ? namesIn(open) : NO_NAMES;
  const tokens = fact.split(" ").map(quiet);
  const words: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (!EMPTY.has(token)) words.push(names.has(token) ? token : baseForm(token, tokens[at - 1]));
  }
  const key = words.join(" ");
  return SAYS_NOTHING.has(key) ? "" : key === "" ? fact : key;
}

const NO_NAMES: ReadonlySet<string> = new Set();

function opened(chunk: string): string {
  return HYPHEN.test(chunk) && COMPOUND.test(chunk) ? chunk.replace(/[-\u2010\u2011]/g, " ") : chunk;
}

function quiet(token: string): string {
  return LOUD.has(token) ? token.toLowerCase() : token;
}

/** In small letters. In a text that has capitals on all its words they tell nothing. */
function namesIn(text: string): ReadonlySet<string> {
  const found = [...text.matchAll(INNER_CAPITAL)].map(([name]) => name.toLowerCase());
  const isTitle = found.length > 1 && (text.match(WORD_WITHIN) ?? []).every((word) => /^\p{Lu}/u.test(word));
  return isTitle ? NO_NAMES : new Set(found);
}
