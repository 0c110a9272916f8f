// What a decision says in favour of a principle or of a way to fail: its pattern, its lessons, its reasons, each with a key
// under which near-identical wordings meet. A lesson says what to do next time, so it is never what failed. Counting them is the store's, choosing among them wisdom/'s.
import { cueOf } from "../similarity/cue-words.ts";
import { factKey } from "../similarity/same-fact.ts";
import type { Decision } from "./decision.ts";

/** Stores keep keys; with another version they must make them anew. */
export const EVIDENCE_VERSION = 4;

export interface Evidence {
  readonly key: string;
  /** As written, without space around it. */
  readonly text: string;
  readonly isPattern: boolean;
  readonly isReason: boolean;
  /** What a failure is filed under: the pattern, or what was decided where there is none. */
  readonly isFailureMode: boolean;
  /** The place of the first of `RANKS` that it is; of none of them their number. */
  readonly rank: number;
}

/** What makes the better principle comes first. */
const RANKS = ["pattern", "lesson", "reason"] as const;
/** Of what confirms nothing. */
export const NO_RANK = RANKS.length;

export type Kinds = Omit<Evidence, "key" | "text">;
const NONE: Kinds = { isPattern: false, isReason: false, isFailureMode: false, rank: NO_RANK };

/** One entry a key: a decision that says the same twice says it once. */
export function evidenceOf({ text: decided, outcome, pattern, lessons, reasons }: Decision): readonly Evidence[] {
  const byKey = new Map<string, Evidence>();
  const add = (text: string | undefined, kind: (typeof RANKS)[number] | undefined, kinds: Partial<Kinds> = {}) => {
    const trimmed = text?.trim() ?? "";
    const key = wordingKey(trimmed);
    if (key === "") return;
    const known = byKey.get(key) ?? { key, text: trimmed, ...NONE };
    const rank = kind === undefined ? NO_RANK : RANKS.indexOf(kind);
    byKey.set(key, { ...known, ...kinds, rank: Math.min(known.rank, rank) });
  };
  add(pattern, "pattern", { isPattern: true, isFailureMode: true });
  // A pattern that says nothing counts as absent.
  if (outcome === "failure" && byKey.size === 0) add(decided, undefined, { isFailureMode: true });
  add(lessons, "lesson");
  for (const { text } of reasons) add(text, "reason", { isReason: true });
  return [...byKey.values()];
}

/** What a decision does for or against a wording that it has as evidence. */
export interface Stance {
  readonly confirms: boolean;
  readonly contradicts: boolean;
  readonly fails: boolean;
  /** Of the evidence, where it confirms; else `NO_RANK`. */
  readonly rank: number;
}

export function stanceOf(
  { outcome, supersededBy }: Pick<Decision, "outcome" | "supersededBy">,
  { isPattern, isReason, isFailureMode, rank }: Kinds,
): Stance {
  const confirms = outcome === "success" && supersededBy === undefined;
  return {
    confirms,
    contradicts: outcome === "failure" && (isPattern || isReason),
    fails: outcome === "failure" && isFailureMode,
    rank: confirms ? rank : NO_RANK,
  };
}

// The key under which near-identical wordings of one principle meet: what is equal for texts that say the same
// (similarity/same-fact.ts), without empty words and with one form for the forms of a word. The order of words counts, and
// so does every number, date, name, negation and whatever else a fact turns on. When in doubt two wordings stay two.

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const EMPTY = new Set("just simply really actually basically very quite also indeed we".split(" "));
/** Written in capitals for loudness, not as a name. */
const LOUD = new Set("NEVER NOT NO ALWAYS MUST SHOULD ONLY ALL EVERY BEFORE AFTER FIRST DO AND OR".split(" "));
/**
 * What people write where they have nothing to say: that it is done, that it is well, who wanted it and by when. A text of
 * these words alone has no subject.
 */
const SAYS_NOTHING = new Set(
  `none n/a na nil null nothing tbd todo unknown no not yes ok done closed fixed implemented resolved completed complete finished
  success successful failure lesson lessons pattern applicable learned yet new to add note notes comment comments far
  issue issues problem problems see above below context description discussion discussed agreed usual same before
  work works worked go goes went as expected planned intended designed well fine good great better best right nice
  simple simpler simplest easy easier easiest quick quicker quickest fast faster fastest cheap cheaper cheapest obvious
  necessary needed required requested asked wanted demanded suggested approved user users client customer customers team
  management boss deadline tight urgent time pressure short soon
  is was are were be been has had by for of on in at and or but so too very more most much everything all it this that they we us i me`.split(
    /\s+/u,
  ),
);
/** "It is robust", "this was more stable": what it is stands in the decision alone. */
const POINTING = /^(?:it|this|that) (?:is|was) (?:\S+ ){0,1}\S+$/;
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
  if (fact.startsWith("\n")) return "";
  if (CJK.test(fact)) return fact;
  const names = HAS_INNER_CAPITAL.test(open) ? namesIn(open) : NO_NAMES;
  const tokens = fact.split(" ").map(quiet);
  if (isFiller(tokens)) return "";
  const words: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (!EMPTY.has(token)) words.push(names.has(token) ? token : baseForm(token, tokens[at - 1]));
  }
  const key = words.join(" ");
  return key === "" ? fact : key;
}

/** Says nothing to whoever does not know the decision. */
function isFiller(tokens: readonly string[]): boolean {
  return tokens.every((token) => SAYS_NOTHING.has(token.toLowerCase())) || POINTING.test(tokens.join(" "));
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

// One form for the forms of a word: "searches" and "searching" are "search". Of the known words only; all others lose no more
// than the s of a plural, and all on which a fact turns stay as they are.

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
function baseForm(word: string, before: string | undefined): string {
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
    if (base.endsWith("ize")) all.set(word.replace(/iz(?=e[sd]?$|ing$)/, "is"), { base, isPast });
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
const DOUBLED = new Set("prefer commit submit omit emit infer format debug reset embed overlap".split(" "));
/** Names of places and times that look like forms of a word. */
const NAMES = new Set("staging windows news series species always perhaps besides kubernetes postgres".split(" "));

function pastStem(base: string, stem: string): string {
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}i`;
  return base.endsWith("e") && stem === base ? base.slice(0, -1) : stem;
}

// English words of which the other forms are known to mean the same in a principle. Only these are ever inflected: a rule
// on endings alone would take a police for a policy and one family's name for another's.

/** Things: one or several of them. */
const THINGS = `action adapter agent alert alias annotation answer approach argument artifact aspect assertion assumption author
backup batch benchmark bias boundary branch bug bundle callback candidate capability case category cause certificate
challenge check checklist checkpoint child class client cluster column comment commit comparison component concern condition conflict
connection consequence consideration constraint consumer container context contract convention correlation cost counter
credential criterion customer cycle dashboard database deadline deadlock decision default defect delay deliverable dependency
deployment description design detail developer difference directory discussion document domain draft duplicate duplication
edge effect effort email endpoint engineer entity entry enum environment error estimate event example exception expectation
experiment expert explanation export expression extension failover feature field file filter finding fix fixture flag flow
folder fork format framework function gap gate goal graph group guard guideline guess handler hash header hint hook hypothesis
idea identifier image import incident index input insight instance instruction integration interface interval invariant
investigation issue item iteration job join key label language latency layer lesson level library limit limitation line link
list listener loop machine maintainer measurement merge message method metric microservice migration milestone mistake
mock mode model module monitor name namespace node note object observation operation operator opinion option order outage
outcome output override owner package page parameter parser patch path pattern permission person phase pipeline
plan platform plugin pointer policy pool port practice prediction principle priority probe problem procedure
process product project prompt property proposal protocol prototype provider proxy query question queue race rate
reason recommendation record refactor reference region regression relation release report repository request
requirement resolution resolver resource response restriction result retry review reviewer revision risk role rollback
rollout root round route router row rule runner schedule schema scope script secret section server service session
shard side signal signature single size skill snapshot solution source spec specification spike sprint stage
stakeholder standard statement step store story strategy stream structure style subject suite summary symptom
system table tag target task technique template tenant test theory thread threat threshold ticket timeout token tool
topic trace tradeoff transaction transition trigger type unit update upgrade user utility validation validator value variable
variant vendor version view violation volume vulnerability warning website word workaround worker workflow
workload workspace wrapper`;

/** Doings: to do it, doing it, who does it. Having done it, where that is the verb of a sentence. */
export const DOINGS = `add adjust agree align analyze announce answer apply approve archive arrange ask assert assess assume audit
automate back backfill balance batch benchmark bisect bump bundle cache calculate capture cause change check choose clarify
clean cleanup clear clone code collect combine commit communicate compare compile compose compute
configure confirm confuse connect consider consolidate consult convert copy correct cost count cover create debug decide
declare decouple define delay delegate delete deliver deploy describe design detect develop diagnose
discover discuss document drop duplicate eliminate embed emit encode encourage encrypt enforce enrich ensure escape
escalate establish estimate evaluate examine execute expand expect explain explore expose express extend extract
favor fetch fix focus force format gather generate group guard guess handle help hide identify ignore
implement improve index infer inform inject inline insert inspect install instrument integrate
introduce investigate invest isolate iterate join judge jump justify label lead learn let limit link list listen
log look maintain make map match matter measure mention merge migrate minimize mirror mitigate mock model monitor move
name narrow normalize note notice notify observe offer omit optimize order organize outperform outweigh overlap
overlook pack pair parse pass patch pay persist pick pin plan point postpone prefer prepare prevent prioritize
profile promote propose protect prototype prove provide publish pull push query question queue quote
rank rate reach read rebase rebuild record recover reduce refactor refine refresh release rely remove rename render
reorder repair repeat report reproduce request research reserve reset resolve respect restart restore restructure
retry return reuse reveal revert review revise rewrite rotate route run sample sanitize save scale scan schedule
scope score search select send separate serialize serve ship shorten show simplify sketch skip slice solve sort
spawn specify speed spend split stage standardize start state store stream streamline strip structure
study submit suggest summarize surface survey switch sync synchronize tag take talk think tighten throttle
track trade train transform translate treat trim try tune underestimate understand unify update upgrade use
validate verify version visualize vote warn waste watch weigh win work wrap write yield`;

/** Doings of which the one who does and the one it is done to are easily mistaken: "blocking calls" are no "blocked calls". */
export const TWO_SIDED = `block break bring call charge control crash depend drive export fall follow import include inherit invoke keep kill load
lock manage merge own poll replace require share support test trigger trust wait`;

/** Forms that no rule makes; the word itself last. */
const IRREGULAR_FORMS = `children=child people=person criteria=criterion hypotheses=hypothesis analyses=analysis indices=index
indexes=index schemata=schema matrices=matrix vertices=vertex statuses=status viruses=virus halves=half
written=write wrote=write chose=choose made=make kept=keep led=lead won=win paid=pay sent=send spent=spend took=take
brought=bring caught=catch catches=catch catching=catch beats=beat beating=beat costs=cost built=build builds=build
building=build controlling=control`;
