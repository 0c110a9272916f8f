// Who is what: a sentence that ties a name to a role or a duty, as a value whose key is the sentence without the name.
// So a later person in the same role replaces the earlier one. Which words tie one is decided in ../identifiers/.
import { cutAt } from "../../text/cut.ts";
import { matchPattern } from "../identifiers/identifier.ts";
import { PERSON_PATTERNS } from "../identifiers/person-patterns.ts";
import { readKey, type SaidValue } from "./said-value.ts";

const SENTENCE_END = /(?<=[.!?;])\s+|(?<=[。！？；])|\n/;
const LONGEST_SENTENCE = 160;
const LONGEST_TEXT = 200;
/** Two words with capitals, or a short name in Chinese characters. */
const NAMED = /\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}|[\u4e00-\u9fff]/u;
const MARKS = /^[\s>*#•|-]{1,20}|[\s.!:,;。]{1,6}$/g;

export function findPeople(text: string): readonly SaidValue[] {
  if (!NAMED.test(text)) return [];
  return text.split(SENTENCE_END).flatMap((sentence) => {
    const trimmed = sentence.replace(MARKS, "");
    if (trimmed.length > LONGEST_SENTENCE || /[?？]$/.test(trimmed) || !NAMED.test(trimmed)) return [];
    const said = readPerson(trimmed);
    return said === undefined ? [] : [said];
  });
}

function readPerson(sentence: string): SaidValue | undefined {
  for (const pattern of PERSON_PATTERNS) {
    const name = matchPattern(sentence, pattern, "spoken")[0];
    if (name === undefined) continue;
    const before = sentence.slice(0, name.index).trim();
    const after = sentence.slice(name.index + name.value.length).trim();
    const key = readKey(before === "" || after === "" ? before || after : `${before} … ${after}`);
    return key === undefined ? undefined : { key, value: name.value, text: cutAt(sentence, LONGEST_TEXT) };
  }
  return undefined;
}
