// Does a record bear out what a model made of it? Strict on purpose: an answer that is turned down costs a text that code
// writes as well, one that is wrongly let through is a false memory.
import { subjectWords } from "../../../language/subject-words.ts";
import { locateDates } from "../../../summaries/answer/find-dates.ts";
import { locateNames } from "../../../summaries/answer/locate-names.ts";
import { nameStatement, strikeNames, UNVERIFIED } from "../../../summaries/answer/strike-names.ts";
import { keepsNegations } from "./negations.ts";
import { numbersOf } from "./numbers.ts";
import { holdsNames } from "./proper-names.ts";

/** Of what a text is about, so much must stand in the record: the rest is wording. */
const LEAST_SHARED = 0.5;
const STEM = 5;

/** Names, numbers and negations are the record's; and it is about what the record is about. */
export async function isFaithful(text: string, record: string): Promise<boolean> {
  if (text.includes(UNVERIFIED) || !isAbout(text, record)) return false;
  if (!isSubset(numbersOf(text), numbersOf(record))) return false;
  if (!holdsNames(text, record) || !keepsNegations(text, record)) return false;
  return (await countUnknown(text, record)) === 0;
}

/** Identifiers, addresses, dates and the like that the record lacks. */
async function countUnknown(text: string, record: string): Promise<number> {
  const named = nameStatement("progress", text, text);
  const readings = named.names.flatMap((name) => name.readings);
  const texts = [{ text: record, source: "record" }] as const;
  const located = {
    ...(await locateNames(
      new Set(readings.flatMap(({ names }) => names)),
      {
        numbers: new Set(readings.flatMap(({ numbers }) => numbers)),
        lines: new Set(readings.flatMap(({ lines = [] }) => lines)),
      },
      texts,
    )),
    dates: await locateDates(new Set(readings.flatMap(({ dates = [] }) => dates)), texts),
  };
  return strikeNames(named, located).struck;
}

function isAbout(text: string, record: string): boolean {
  const words = stemsOf(text);
  const known = stemsOf(record);
  const shared = [...words].filter((word) => known.has(word)).length;
  return words.size > 0 && shared >= words.size * LEAST_SHARED;
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(
    [...subjectWords(text)].map((word) => (/^\p{L}+$/u.test(word) ? word.slice(0, STEM) : word).toLowerCase()),
  );
}

function isSubset(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  for (const item of part) if (!whole.has(item)) return false;
  return true;
}
