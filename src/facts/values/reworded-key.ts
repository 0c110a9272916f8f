// A change often names its subject in other words than the value did: "the gateway listens on port 8443", later "the
// gateway port is 9443 now". Finds the value that is meant, if it can only be one.
import type { ValueFact } from "../ledger.ts";
import { WRITTEN_DATE } from "./month-names.ts";

/** Words by which a person says that something is different from now on. */
const SAYS_NOW =
  /\b(?:now|instead|actually|correction|from (?:now|today|here) on|no longer|as of|starting|make (?:that|it|the)|has (?:been )?(?:moved|changed)|got (?:moved|pushed|changed)|moved?|pushed|postponed|renamed?|switch(?:ed)?|bump(?:ed)?|raise[d]?|lower(?:ed)?|changed?|updated?|jetzt|nun|stattdessen|verschoben|geändert|ahora|en lugar|cambi\p{L}{1,4}|agora|em vez|mudou|désormais|maintenant|plutôt)\b|改|换成|现在|今は|変更/iu;

/** Kinds of value that one may replace another of: a date never replaces a port. */
const SHAPES: readonly (readonly [string, RegExp])[] = [
  ["date", new RegExp(`^(?:\\d{4}-\\d{2}-\\d{2}|${WRITTEN_DATE})`, "iu")],
  ["address", /^[a-z]{2,10}:\/\/|^[\w.-]{2,80}:\d{2,5}$|^[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}$/i],
  ["version", /^v?\d{1,4}(?:\.\d{1,6}){1,3}$|^v\d{1,4}$/i],
  ["number", /^[-+]?[$€£]?\d[\d.,_]{0,20}(?: ?[\p{L}%°]{1,14})?$/u],
  ["name", /^[\w@/-]{0,80}[_@/-][\w@/-]{1,80}$|^[a-z]{1,40}[A-Z]\w{0,40}$/],
];

/** Only the newest are looked through: a change follows what it changes within a session's memory. */
const MOST_CANDIDATES = 400;
const WORDS = /[\p{L}\p{N}]{2,40}/gu;
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  "the our my your its their for and with from that this are was has have of in on at to is de la el los las der die das den des du le les do da".split(
    " ",
  ),
);

/** The one standing value that `fact` replaces in other words; undefined when none or several fit. */
export function findReworded(fact: ValueFact, standing: Iterable<ValueFact>): ValueFact | undefined {
  if (fact.by !== "user" || !SAYS_NOW.test(fact.text)) return undefined;
  const shape = shapeOf(fact.value);
  const key = wordsOf(fact.key);
  if (shape === undefined || key.length === 0) return undefined;
  const candidates = [...standing].slice(-MOST_CANDIDATES).filter((known) => isMeant(known, fact, key, shape));
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Same kind of value, a word of the key in common, and no word of the new key that the old sentence lacks. */
function isMeant(known: ValueFact, fact: ValueFact, key: readonly string[], shape: string): boolean {
  if (known.by !== "user" || known.value === fact.value || shapeOf(known.value) !== shape) return false;
  const named = new Set(wordsOf(known.key));
  if (!key.some((word) => named.has(word))) return false;
  const said = new Set([...named, ...wordsOf(known.text)]);
  return key.every((word) => said.has(word));
}

function shapeOf(value: string): string | undefined {
  return SHAPES.find(([, pattern]) => pattern.test(value))?.[0];
}

/** In lower case, without a plural's s. */
function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(WORDS) ?? [];
  return words.filter((word) => !EMPTY_WORDS.has(word)).map((word) => word.replace(/(?<=\p{L}{3})s$/u, ""));
}
