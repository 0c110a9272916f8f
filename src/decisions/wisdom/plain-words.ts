// The words of a wording's key as the plainest of its rewordings would have them: "avoids" is "prevents", "measure first,
// then optimize" is "measure before optimize", "before the migration" is "before migrating". Every step puts one
// construction in the place of another that says the same; what it does not know stays as it is, so two wordings meet only
// where all their words do.
import { cueOf } from "../../similarity/cue-words.ts";
import { DOINGS, TWO_SIDED } from "../evidence.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

const ONE_WORD: ReadonlyMap<string, string> = new Map(
  `avoid=prevent avoids=prevent avoided=prevent avoiding=prevent >=beat over=beat outperform=beat outweigh=beat
  single=1 write=prepare`
    .split(/\s+/u)
    .map((pair) => pair.split("=") as [string, string]),
);
/** To do these is to begin. */
const BEGINNINGS = words("act acting start begin beginning decide proceed proceeding anything everything else");
/** "Take a measurement": the thing is what is done. */
const CARRIERS = words("take do make perform perform performs performing");
const DETERMINERS = words("each every any");
/** A rollback is one as a script, too. */
const FORMS_OF_IT = words("script plan");
const FUNCTION_WORDS = words("have has with of for on in at by and or its our your their");
/** Words that "have the rollback ready" has at most between its ends. */
const LONGEST_HELD = 3;

const MAY_BE_PLAINER = new RegExp(
  `(?:^| )(?:you|always|then|before|after|ready|${[...ONE_WORD.keys(), ...CARRIERS, ...FORMS_OF_IT].join("|")})(?: |$)`,
);
const ONE_SIDED = words(DOINGS);
const BOTH_SIDED = words(TWO_SIDED);

function isDoing(word: string): boolean {
  return ONE_SIDED.has(word) || BOTH_SIDED.has(word);
}

export function plainWords(key: string): readonly string[] {
  // Most have no word that any step knows.
  if (!MAY_BE_PLAINER.test(key)) return key.split(" ");
  const given = key.split(" ").filter((word) => word !== "you");
  const imperative = given[0] === "always" && given.length > 1 ? given.slice(1) : given;
  const plain = withoutCarriers(inOrder(withoutForms(imperative))).map((word) => ONE_WORD.get(word) ?? word);
  return beginnings(
    prepared(plain.flatMap((word, at) => (isBareEach(plain, at) ? [] : [doingOf(word, plain[at - 1])]))),
  );
}

/** "1st measure then optimize", "measure 1st then optimize". */
function inOrder(given: readonly string[]): readonly string[] {
  const then = given.indexOf("then");
  if (then < 1) return given;
  const isFirst = given[0] === "1st" || given[then - 1] === "1st";
  if (!isFirst) return given;
  const before = given[0] === "1st" ? given.slice(1, then) : given.slice(0, then - 1);
  return [...before, "before", ...given.slice(then + 1)];
}

/** "Search before deciding" is "search first", where nothing says what is decided. */
function beginnings(given: readonly string[]): readonly string[] {
  return given.flatMap((word, at) => {
    const [next = "", after] = [given[at + 1], given[at + 2]];
    if (word === "before" && BEGINNINGS.has(next) && (after === undefined || after === "prevent")) return ["1st"];
    return given[at - 1] === "before" && BEGINNINGS.has(word) && (next === "" || next === "prevent") ? [] : [word];
  });
}

/** "Before each migration". */
function isBareEach(given: readonly string[], at: number): boolean {
  return DETERMINERS.has(given[at] ?? "") && (given[at - 1] === "before" || given[at - 1] === "after");
}

function withoutCarriers(given: readonly string[]): readonly string[] {
  const [carrier = "", thing = "", next] = given;
  const doing = verbOf(thing) ?? (next === "of" && isDoing(thing) ? thing : undefined);
  if (!CARRIERS.has(carrier) || doing === undefined) return given;
  return [doing, ...given.slice(next === "of" ? 3 : 2)];
}

/** "Rollback script": a thing in one of its forms. Behind a doing it is what is done to it. */
function withoutForms(given: readonly string[]): readonly string[] {
  return given.filter((word, at) => {
    const before = given[at - 1] ?? "";
    const isForm = FORMS_OF_IT.has(word) && at > 1;
    return !isForm || isDoing(before) || FUNCTION_WORDS.has(before) || cueOf(before) !== undefined;
  });
}

/** "Have a rollback ready". */
function prepared(given: readonly string[]): readonly string[] {
  const ready = given.indexOf("ready");
  if (given[0] !== "have" || ready < 2 || ready > LONGEST_HELD + 1) return given;
  return ["prepare", ...given.slice(1, ready), ...given.slice(ready + 1)];
}

/** Behind "before" and "after" the name of a doing is the doing; behind "beat" a word in -ed says of what kind it is. */
function doingOf(word: string, before = ""): string {
  if (before === "beat") return doneOf(word) ?? word;
  const follows = before === "before" || before === "after" || DETERMINERS.has(before);
  return follows ? (verbOf(word) ?? word) : word;
}

/** The key of a text has it with or without its ending, by what stood before it. */
function doneOf(kind: string): string | undefined {
  const [, stem = ""] = /^([a-z]{3,30})ed$/.exec(kind) ?? [];
  return [`${stem}e`, stem].find((verb) => verb.length > 3 && ONE_SIDED.has(verb));
}

/** "Migration" of "migrate", "measurement" of "measure"; of known doings alone. */
function verbOf(thing: string): string | undefined {
  const [, stem = ""] = /^([a-z]{3,30}?)(?:ation|ion|ment)$/.exec(thing) ?? [];
  const [, short = ""] = /^([a-z]{3,30})(?:ion|ment)$/.exec(thing) ?? [];
  return [`${stem}ate`, `${stem}e`, stem, `${short}e`, short].find((verb) => verb.length > 3 && isDoing(verb));
}
