// Values said in a sentence: "the port is 8443", "set workers to 3", "changed the limit from 10 to 25", in English
// and, with the plainest cues, in six more languages. Questions and conditions state nothing.
import { cutAt } from "../../text/cut.ts";
import type { Stepwise } from "../../tokens/turns/stepwise.ts";
import { LOOSE_PHRASES } from "./loose-phrases.ts";
import { MONTHS } from "./month-names.ts";
import type { Phrase } from "./phrase.ts";
import { PHRASES, WORDED } from "./phrases.ts";
import { isValueLike, readKey, readValue, type SaidValue } from "./said-value.ts";

/** The plainer wording first: what it has read is not read again. */
const ALL_PHRASES: readonly Phrase[] = [...PHRASES, ...LOOSE_PHRASES];
const NUMERIC = /\d|^["'`“«]?(?:true|false|on|off|enabled|disabled|null|none)\b/i;
const HEDGED =
  /^(?!at (?:least|most) |up to |not? more than )(?:not|no|being|already|also|what|where|how|that|very|too|only|just|still|gone|wrong|missing|probably|maybe|likely|ready|done|broken|empty|full|fine|ok|okay|good|unclear|unknown|used|needed|based|in|on|at|to|from|the|a|an|this|it|by|for|with|as|so|up|down)\b/i;
/** Directly before a phrase: "never set the port to 80" gives the port no value. */
const NEGATION =
  /(?:(?<![\p{L}])(?:not|never|no|nor|cannot|without|avoid|nicht|nie|niemals|nunca|não|nem|jamais|ne)|n['’]t)(?: [\p{L}]{1,12})?\s?$|(?:不要|不能|别|禁止|切勿|勿)[^，。]{0,4}$/iu;
const CONDITION =
  /(?:^|[\s,(])(?:if|whether|suppose|assuming|imagine|wenn|falls|ob|si|caso|unless)(?: [\p{L}']{1,12})?\s?$|(?:^|[,;] )se(?: [oa]s?)?\s?$|(?:如果|假如|若|もし)[^，、]{0,6}$/iu;
/** "The run is 5% slower" states no setting. */
const COMPARED =
  /^ ?(?:slower|faster|more|less|times|out of|of|bigger|smaller|larger|longer|shorter|away|older|newer|ahead|behind|lines?|files?|tests?|commits?|different|separate|and counting)\b/i;
/** A number, something quoted, a name of code, or one of the words that introduce a plain value. */
const SAYS_VALUE = /\d|["'`“«「]|\w[_/@:-]\w|[a-z][A-Z]|[A-Z]{3}|\b[Ss]et(?:s|ting)? |\b(?:the|our|The|Our) /;
/** "12. Mai" is one date, not the end of a sentence. */
const SENTENCE_END = new RegExp(`(?<=[.!?;])(?<!\\d\\.(?=\\s+${MONTHS}))\\s+|(?<=[。！？；])|\\n`, "iu");
const LONGEST_SENTENCE = 400;
const LONGEST_TEXT = 200;

/** Values that the sentences of `text` state, in order. Put down between two phrases that are looked for. */
export function* findStatements(text: string, isUsers = true): Stepwise<readonly SaidValue[]> {
  const found: SaidValue[] = [];
  for (const sentence of text.split(SENTENCE_END)) {
    const trimmed = sentence.trim();
    const isShort = trimmed.length >= 4 && trimmed.length <= LONGEST_SENTENCE;
    if (!isShort || !SAYS_VALUE.test(trimmed) || /[?？]["”)]?$/.test(trimmed)) continue;
    found.push(...(yield* statementsIn(trimmed, isUsers)));
  }
  return found;
}

function* statementsIn(sentence: string, isUsers: boolean): Stepwise<readonly SaidValue[]> {
  const found: SaidValue[] = [];
  const add = (match: RegExpExecArray, rawKey: string | undefined, rawValue: string | undefined) => {
    const key = readKey(lastClause(rawKey ?? ""));
    const value = readValue(rawValue);
    const before = sentence.slice(0, match.index);
    if (key === undefined || value === undefined || CONDITION.test(before) || NEGATION.test(before)) return;
    // "The max retry is 17" also reads as "retry is 17": the first phrase that matched knows best.
    const isKnown = found.some(
      (said) => said.key === key || (said.value === value && (said.key.endsWith(key) || key.endsWith(said.key))),
    );
    if (!isKnown) found.push({ key, value, text: cutAt(sentence, LONGEST_TEXT) });
  };
  for (const phrase of ALL_PHRASES) {
    if (phrase.isUsers === true && !isUsers) continue;
    if (!phrase.cues.some((cue) => sentence.includes(cue))) continue;
    yield;
    phrase.expression.lastIndex = 0;
    for (let match = phrase.expression.exec(sentence); match !== null; match = phrase.expression.exec(sentence)) {
      const [key, value = ""] = phrase.isReversed ? [match[2], match[1]] : [match[1], match[2]];
      if (isStated(value, phrase, sentence.slice(match.index + match[0].length))) add(match, key, value);
    }
  }
  for (const match of sentence.matchAll(WORDED)) if (isWord(match[2] ?? "")) add(match, match[1], match[2]);
  return found;
}

/** "The branch is merged" names no branch. */
function isWord(value: string): boolean {
  return !HEDGED.test(value) && !/^(?:set|kept|[a-z]{1,20}(?:ed|ing))\b/.test(value);
}

/** Is what stands in the value's place one, by what the phrase asks for? */
function isStated(value: string, { isPlain = false, isNumeric = false }: Phrase, rest: string): boolean {
  if (HEDGED.test(value) || COMPARED.test(rest)) return false;
  if (isNumeric) return NUMERIC.test(value);
  return isPlain || isValueLike(value);
}

/** "it failed until I set the pool size": what stands before the verb of a change is no part of the key. */
function lastClause(key: string): string {
  return key
    .replace(
      /^.{0,200}\b(?:set|changed?|rais(?:ed?|ing)|lower(?:ed|ing)|bump(?:ed|ing)|increas(?:ed?|ing)|decreas(?:ed?|ing)|reduc(?:ed?|ing)|updat(?:ed?|ing)|switched|moved|that|because|and|but|then|so|with|when|until|nachdem|weil|dass|bis|aber|und|tras|hasta que|que|pero)\b /i,
      "",
    )
    .replace(/ (?:from|von) [^ ]{1,80}(?: [^ ]{1,20})?$/i, "")
    .replace(/ (?:is|are|was|were|has been|have been|had been|at|to|back|again|down|up|from)$/i, "");
}
