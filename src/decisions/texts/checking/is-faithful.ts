// Does a record bear out what a model made of it? Strict on purpose: an answer that is turned down costs a text that code
// writes as well, one that is wrongly let through is a false memory. What is checked how is the summaries' own.
import { isAmong } from "../../../language/figures.ts";
import { subjectWords } from "../../../language/subject-words.ts";
import { UNVERIFIED } from "../../../summaries/answer/check-answer.ts";
import { evidenceOf, findClaims, findNames, isNamed } from "../../../summaries/answer/claims.ts";
import { contradicting } from "../../../summaries/answer/contradictions.ts";
import { createFinder } from "../../../summaries/answer/source-texts.ts";
import { holdsNames } from "./proper-names.ts";

/** Of what a text is about, so much must stand in the record: the rest is wording. */
const LEAST_SHARED = 0.5;
const STEM = 5;

/** Names, figures and negations are the record's; and it is about what the record is about. */
export async function isFaithful(text: string, record: string): Promise<boolean> {
  if (text.includes(UNVERIFIED) || !isAbout(text, record) || !holdsNames(text, record)) return false;
  if (contradicting(text, [{ text: record, source: "record" }]) !== undefined) return false;
  const finder = await createFinder([{ text: record, source: "record" }]);
  const names = findNames(text);
  const { figures, days } = findClaims(text, names);
  const said = new Set(findClaims(record, findNames(record)).figures.map(({ value }) => value));
  const evidence = evidenceOf([{ text: record }]);
  return (
    names.every((name) => isNamed(name, finder) && name.lines.every((line) => evidence.values.has(line))) &&
    figures.every((figure) => isAmong({ ...figure, isRough: false, margin: 0 }, said)) &&
    days.every((day) => finder.days.has(day.day))
  );
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
