// Takes out of an answer what it has from the examples of the instruction: they are about nobody's conversation, and
// their citations may name messages that exist.
import { exampleRecords } from "../../prompts/compose-prompt.ts";
import type { ReadAnswer } from "../statement.ts";

/** A shorter one (`Done: reproduce`) may be true of any work; it goes only in company. */
const LEAST_WORDS = 5;
const COMPARED_UNITS = 600;

let known: ReadonlySet<string> | undefined;

export function withoutExamples(answer: ReadAnswer): ReadAnswer {
  known ??= new Set(exampleRecords().flatMap((record) => record.split("\n").map(wordsOf).filter(Boolean)));
  const examples = known;
  const copied = answer.statements.filter(({ text }) => examples.has(wordsOf(text)));
  if (!copied.some(({ text }) => wordsOf(text).split(" ").length >= LEAST_WORDS)) return answer;
  return { ...answer, statements: answer.statements.filter((statement) => !copied.includes(statement)) };
}

/** Neither citations nor marks nor case tell two statements apart. */
function wordsOf(text: string): string {
  const plain = text.slice(0, COMPARED_UNITS).replace(/\[[^[\]\n]{1,120}\]/g, " ");
  return (plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}
