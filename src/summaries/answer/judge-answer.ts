// Decides whether an answer is a summary at all, by its structure: does it have the sections, does it hold on to
// anything of the input? What it then says is checked elsewhere; a code here names the step that comes next.
import type { ModelAnswer } from "../../models/model.ts";
import type { Strategy } from "../summarizer.ts";
import { actsOrChats, declines, reportsFailure } from "./answer-cues.ts";
import type { Checker } from "./check-answer.ts";
import { findNames, isNamed } from "./claims.ts";
import { isEcho, openEnvelope, readSections, type Statement } from "./read-answer.ts";
import { checkCitations, isCitable } from "./source-texts.ts";

export type FaultCode =
  | "EMPTY_ANSWER"
  | "TRUNCATED_ANSWER"
  | "TOO_LONG_ANSWER"
  | "REFUSED"
  | "NO_SUMMARY"
  | "UNCLOSED_SCRATCH";

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
/** No text within a cap has so many UTF-16 units per token; spares reading megabytes. */
const MOST_UNITS_PER_TOKEN = 200;
const LOOKED_AT = 24_000;

/** What an answer says, without what stands around it; or why it is of no use whatever it says. */
export function openAnswer({ text, finish }: ModelAnswer, maxTokens: number): { readonly body: string } | FaultCode {
  if (finish === "refusal") return "REFUSED";
  if (finish === "calls") return "NO_SUMMARY";
  if (text.trim() === "") return "EMPTY_ANSWER";
  if (finish === "length") return "TRUNCATED_ANSWER";
  if (text.length > maxTokens * MOST_UNITS_PER_TOKEN + LOOKED_AT) return "TOO_LONG_ANSWER";
  const body = openEnvelope(text);
  if (body === undefined) return "UNCLOSED_SCRATCH";
  return body === "" ? "EMPTY_ANSWER" : { body };
}

/** `isThin`: complete, and holds on to nothing of the input; the ledger has to say all. */
export function judgeAnswer(
  given: ModelAnswer,
  { strategy, maxTokens, count, checker, hasFacts }: JudgeOptions,
): { readonly statements: readonly Statement[]; readonly isThin: boolean } | FaultCode {
  const opened = openAnswer(given, maxTokens);
  if (typeof opened === "string") return opened;
  const { body } = opened;
  if (isEcho(body)) return "NO_SUMMARY";
  const { statements, isTitled } = readSections(body, strategy);
  const isSectioned = isTitled && statements.length > 0;
  const isKnown = (id: string) => isCitable(id, checker.sources);
  const cited = new Set(statements.flatMap(({ text }) => checkCitations(text, isKnown).ids)).size;
  if (declines(body) && !(isSectioned && cited > 0)) return "REFUSED";
  if (count(body) > maxTokens) return "TOO_LONG_ANSWER";
  if (isSectioned) return { statements, isThin: false };
  if (cited < RECORDED_MESSAGES && (actsOrChats(body) || reportsFailure(body))) return "NO_SUMMARY";
  const words = countWords(body);
  if (cited > 0 || countKnownNames(body, checker) > Math.floor(words / WORDS_PER_NAME))
    return { statements, isThin: false };
  if (words > THIN_WORDS) return "REFUSED";
  // Whoever speaks here, in whatever language: nothing of it is about the input.
  return hasFacts ? { statements: [], isThin: true } : "NO_SUMMARY";
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
