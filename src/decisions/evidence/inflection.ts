// One form for the forms of a word: "searches" and "searching" are "search". Of the known words only; all others lose no more
// than the s of a plural, and all on which a fact turns stay as they are.
import { cueOf } from "../../similarity/cues/cue-words.ts";
import { DOINGS, IRREGULAR_FORMS, THINGS, TWO_SIDED } from "./known-words.ts";

interface Form {
  readonly base: string;
  /** "-ed": done by, or done to. */
  readonly isPast: boolean;
}

/** Built when it is first asked for. */
let forms: ReadonlyMap<string, Form> | undefined;
let doings: ReadonlySet<string> | undefined;

/** Behind these a word in -ed says what was done to something, or of what kind it is. */
const NOT_BEFORE_A_VERB = new Set(
  `is are was were be been being get gets got has have had having by with of for on in at as and or but if than all any every each no some
  this that these those its their our your my only more most`.split(/\s+/u),
);

/** `before` is the word before it as written, undefined at the beginning of a text. */
export function baseForm(word: string, before: string | undefined): string {
  forms ??= allForms();
  const form = forms.get(word);
  if (form === undefined) return withoutS(word);
  return form.isPast && !mayBeVerb(before) ? word : form.base;
}

function mayBeVerb(before: string | undefined): boolean {
  if (before === undefined || before === "1st") return true;
  doings ??= new Set(`${DOINGS} ${TWO_SIDED}`.split(/\s+/u));
  return !NOT_BEFORE_A_VERB.has(before) && cueOf(before) === undefined && !doings.has(before);
}

/** "replicas" and "replica". Not "redis", "status", "class", "always". */
function withoutS(word: string): string {
  if (!PLURAL.test(word) || NAMES.has(word) || cueOf(word) !== undefined || cueOf(word.slice(0, -1)) !== undefined)
    return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.slice(0, /(?:ch|sh|ss|x|zz)es$/.test(word) ? -2 : -1);
}

const PLURAL = /^[a-z]{2,40}[^aious\W\d_]s$|^[a-z]{4,40}as$/;

function allForms(): ReadonlyMap<string, Form> {
  const all = new Map<string, Form>();
  const known = new Set(`${THINGS} ${DOINGS} ${TWO_SIDED}`.split(/\s+/u));
  const add = (word: string, base: string, isPast = false) => {
    // "needs" and "failed" turn a fact; "planed" is no form of a word that is known by itself.
    if (known.has(word) || NAMES.has(word) || cueOf(word) !== undefined || cueOf(base) !== undefined || all.has(word))
      return;
    all.set(word, { base, isPast });
  };
  for (const pair of IRREGULAR_FORMS.split(/\s+/u)) {
    const [word = "", base = ""] = pair.split("=");
    add(word, base);
  }
  for (const base of known) add(withS(base), base);
  const twoSided = new Set(TWO_SIDED.split(/\s+/u));
  for (const base of `${DOINGS} ${TWO_SIDED}`.split(/\s+/u)) {
    for (const stem of stemsOf(base)) add(`${stem}ing`, base);
    if (!twoSided.has(base)) for (const stem of stemsOf(base)) add(`${pastStem(base, stem)}ed`, base, true);
  }
  return all;
}

function withS(base: string): string {
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`;
  if (/(?:[^aeiou]o|s|x|z|ch|sh)$/.test(base)) return `${base}es`;
  return `${base}s`;
}

/** "cache" gives "cach", "stop" gives "stopp": what stands before -ing. */
function stemsOf(base: string): readonly string[] {
  if (/[^eoy]e$/.test(base)) return [base.slice(0, -1)];
  const isShort = /^[^aeiou]{0,3}[aeiou][bdglmnprt]$/.test(base) || DOUBLED.has(base);
  return isShort ? [`${base}${base.at(-1)}`] : [base];
}

/** Stressed on the end, or doubled by custom. */
const DOUBLED = new Set([
  "prefer",
  "commit",
  "submit",
  "omit",
  "emit",
  "infer",
  "format",
  "debug",
  "reset",
  "embed",
  "overlap",
]);
/** Names of places and times that look like forms of a word. */
const NAMES = new Set([
  "staging",
  "windows",
  "news",
  "series",
  "species",
  "always",
  "perhaps",
  "besides",
  "kubernetes",
  "postgres",
]);

function pastStem(base: string, stem: string): string {
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}i`;
  return base.endsWith("e") && stem === base ? base.slice(0, -1) : stem;
}
