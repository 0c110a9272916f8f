// Decides whether an answer is a summary at all, by its structure: does it have the sections, does it hold on to
// anything of the input? What it then says is checked elsewhere; a code here names the step that comes next.
import type { ModelAnswer } from "../../models/model.ts";
import type { Strategy } from "../summarizer.ts";
import { actsOrChats, declines, reportsFailure } from "./answer-cues.ts";
import type { Checker } from "./check-answer.ts";
import { findNames, isNamed } from "./claims.ts";
import { isEcho, openEnvelope, type ReadAnswer, readSections } from "./read-answer.ts";
import { checkCitations, isCitable, type Sources } from "./source-texts.ts";

export type FaultCode =
  | "EMPTY_ANSWER"
  | "TRUNCATED_ANSWER"
  | "TOO_LONG_ANSWER"
  | "REFUSED"
  | "NO_SUMMARY"
  | "UNCLOSED_SCRATCH";

export type Judgement =
  | { readonly isAccepted: false; readonly code: FaultCode }
  /** `isThin`: complete, and holds on to nothing of the input; the ledger has to say all. */
  | { readonly isAccepted: true; readonly answer: ReadAnswer; readonly isThin: boolean };

export interface JudgeOptions {
  readonly strategy: Strategy;
  readonly maxTokens: number;
  readonly count: (text: string) => number;
  readonly checker: Checker;
  /** Whether code has facts of its own to say; without, a thin answer is none. */
  readonly hasFacts: boolean;
}

/** Words that may pass between two names of the input before a text counts as holding on to nothing. */
const WORDS_PER_NAME = 150;
/** Up to here a text without any name may be a complete, poor summary; a longer one is a speech. */
const THIN_WORDS = 120;
/** Who cites so many messages records them, however it opens: with a "Done:", a quoted "I will", the name of an error. */
const RECORDED_MESSAGES = 2;
const NOTHING_SAID: ReadAnswer = { statements: [], titled: new Set() };
/** No text within a cap has so many UTF-16 units per token; spares reading megabytes. */
const MOST_UNITS_PER_TOKEN = 200;
const LOOKED_AT = 24_000;

export function judgeAnswer({ text, finish }: ModelAnswer, options: JudgeOptions): Judgement {
  const { sources } = options.checker;
  if (finish === "refusal") return refused("REFUSED");
  if (finish === "calls") return refused("NO_SUMMARY");
  if (text.trim() === "") return refused("EMPTY_ANSWER");
  if (finish === "length") return refused("TRUNCATED_ANSWER");
  if (text.length > options.maxTokens * MOST_UNITS_PER_TOKEN + LOOKED_AT) return refused("TOO_LONG_ANSWER");
  const body = openEnvelope(text);
  if (body === undefined) return refused("UNCLOSED_SCRATCH");
  if (body === "") return refused("EMPTY_ANSWER");
  if (isEcho(body)) return refused("NO_SUMMARY");
  const answer = readSections(body, options.strategy);
  const cited = countCited(answer, sources);
  if (declines(body) && !(isSectioned(answer) && cited > 0)) return refused("REFUSED");
  if (options.count(body) > options.maxTokens) return refused("TOO_LONG_ANSWER");
  return judgeStructure(body, answer, cited, options);
}

function refused(code: FaultCode): Judgement {
  return { isAccepted: false, code };
}

function countCited({ statements }: ReadAnswer, sources: Sources): number {
  return new Set(statements.flatMap(({ text }) => checkCitations(text, (id) => isCitable(id, sources)).ids)).size;
}

function isSectioned({ titled, statements }: ReadAnswer): boolean {
  return titled.size > 0 && statements.length > 0;
}

function judgeStructure(
  body: string,
  answer: ReadAnswer,
  cited: number,
  { checker, hasFacts }: JudgeOptions,
): Judgement {
  if (isSectioned(answer)) return { isAccepted: true, answer, isThin: false };
  const isRecord = cited >= RECORDED_MESSAGES;
  if (!isRecord && (actsOrChats(body) || reportsFailure(body))) return refused("NO_SUMMARY");
  if (cited > 0) return { isAccepted: true, answer, isThin: false };
  const words = countWords(body);
  if (countKnownNames(body, checker) > Math.floor(words / WORDS_PER_NAME)) {
    return { isAccepted: true, answer, isThin: false };
  }
  if (words > THIN_WORDS) return refused("REFUSED");
  if (!hasFacts) return refused("NO_SUMMARY");
  // Whoever speaks here, in whatever language: nothing of it is about the input.
  return { isAccepted: true, answer: NOTHING_SAID, isThin: true };
}

/** Two characters of a script without spaces count as a word. */
function countWords(text: string): number {
  const short = text.slice(0, LOOKED_AT);
  const dense = short.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return (short.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) + Math.floor(dense / 2);
}

function countKnownNames(text: string, { finder }: Checker): number {
  return findNames(text.slice(0, LOOKED_AT)).filter((name) => isNamed(name, finder)).length;
}
