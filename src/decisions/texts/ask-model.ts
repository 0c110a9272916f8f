// Asks a model for the text of a decision at a level: only where its text can be shorter than what it stands for, and its
// answer stands only if the record bears it out.
import { cite } from "../../facts/ledger.ts";
import type { Strategy } from "../../summaries/summarizer.ts";
import type { StoredDecision } from "../decision.ts";
import type { DecisionText } from "../decision-log.ts";
import { isFaithful } from "./checking/is-faithful.ts";
import { plainAnswer } from "./checking/plain-answer.ts";
import type { TextWriterOptions } from "./decision-text-writer.ts";
import { SUMMARY_LENGTH } from "./extractive-summary.ts";
import { LINE_LENGTH } from "./one-line.ts";
import { RECORD, recordFacts, recordText, replacedText } from "./record-text.ts";

type Level = DecisionText["level"];

interface Form {
  /** Code points. */
  readonly most: number;
  /** Tokens. A text of Chinese has about one for each code point. */
  readonly maxTokens: number;
  readonly note: string;
}

const FORMS: Readonly<Record<Level, Form>> = {
  summary: {
    most: SUMMARY_LENGTH,
    maxTokens: 260,
    note: "One to three sentences, at most 60 words: what came of it, what was learned, the strongest reason. Do not repeat the decision itself, its outcome or its pattern: they stand beside the text.",
  },
  digest: {
    most: LINE_LENGTH,
    maxTokens: 90,
    note: "The decision itself in one line of at most 80 characters, without a full stop. No reason, no result.",
  },
};

/**
 * Worth a model: a digest of a decision that does not fit its line; a summary where code could quote only a part of what
 * stands on record. Otherwise nothing that is shorter could say as much.
 */
export function isWorthwhile(decision: StoredDecision, level: Level, byCode: string): boolean {
  if (level === "digest") return byCode !== decision.text.replace(/\s+/g, " ").trim();
  return replacedText(decision, level).length > SUMMARY_LENGTH;
}

/** Undefined for an answer that the record does not bear out, that is too long, or no shorter than what it stands for. */
export async function ask(
  decision: StoredDecision,
  level: Level,
  { summarizer, count, redact, strategy }: TextWriterOptions & { readonly strategy: Strategy },
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { most, maxTokens, note } = FORMS[level];
  const record = redact(recordText(decision));
  const summary = await summarizer.summarize({
    passages: [{ id: cite(RECORD), source: "record", text: record }],
    about: "decisions",
    ledger: await recordFacts(record),
    strategy,
    maxTokens,
    note,
    count,
    ...(signal === undefined ? {} : { signal }),
  });
  if (summary.source === "extractive") return undefined;
  const text = plainAnswer(summary.text);
  const isShort = text !== "" && [...text].length <= most && count(text) < count(redact(replacedText(decision, level)));
  return isShort && (await isFaithful(text, record)) ? text : undefined;
}
