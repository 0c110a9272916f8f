// Writes the texts of the levels over the shared summarizers. Code writes at once and for nothing; a model is asked only
// where its text can be shorter than what it stands for, and its answer stands only if the record bears it out.
import { CompactError } from "../../errors.ts";
import { cite } from "../../facts/ledger.ts";
import type { Strategy, Summarizer } from "../../summarizers/summarizer.ts";
import type { StoredDecision } from "../decision.ts";
import type { DecisionText } from "../decision-log.ts";
import { isFaithful } from "./checking/is-faithful.ts";
import { plainAnswer } from "./checking/plain-answer.ts";
import { extractiveSummary, SUMMARY_LENGTH } from "./extractive-summary.ts";
import { LINE_LENGTH, oneLine } from "./one-line.ts";
import { RECORD, recordFacts, recordText, replacedText } from "./record-text.ts";
import type { TextWriter } from "./text-writer.ts";

export interface TextWriterOptions {
  readonly summarizer: Summarizer;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
  /** Everything that a model sees goes through it. */
  readonly redact: (text: string) => string;
  /** Name of the model. Default: `extractive` for code, else `model`. */
  readonly model?: string | undefined;
  /** Default `brief`. */
  readonly strategy?: Strategy | undefined;
}

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

/** Of calls that came to nothing; all other failures are about one text. */
const DEAD_CODES = ["MODEL_UNAVAILABLE", "MODEL_TIMEOUT", "MODEL_REJECTED"];

export function createTextWriter(options: TextWriterOptions): TextWriter {
  const { summarizer, strategy = "brief" } = options;
  const isCode = summarizer.kind === "extractive";
  const model = options.model ?? (isCode ? "extractive" : "model");
  return {
    strategy,
    model,
    async write(decision, level, { signal } = {}) {
      const own = { text: textByCode(decision, level), source: "extractive" } as const;
      if (isCode || !isWorthwhile(decision, level, own.text)) return own;
      try {
        const text = await ask(decision, level, { ...options, strategy }, signal);
        return text === undefined ? { ...own, hasFailed: true } : { text, source: "llm" };
      } catch (error) {
        if (signal?.aborted) throw error;
        return { ...own, hasFailed: true, ...(isAnswered(error) ? {} : { hasFailedCall: true }) };
      }
    },
  };
}

/** The model was there: it gave an answer of no use, or declined this one text. Of anything else the next call dies, too. */
function isAnswered(error: unknown): boolean {
  if (!CompactError.isInstance(error)) return false;
  return error.kind === "SummarizationFailed" && !DEAD_CODES.includes(error.code);
}

function textByCode(decision: StoredDecision, level: Level): string {
  return level === "digest" ? oneLine(decision.text) : extractiveSummary(decision);
}

/**
 * Worth a model: a digest of a decision that does not fit its line; a summary where code could quote only a part of what
 * stands on record. Otherwise nothing that is shorter could say as much.
 */
function isWorthwhile(decision: StoredDecision, level: Level, byCode: string): boolean {
  if (level === "digest") return byCode !== decision.text.replace(/\s+/g, " ").trim();
  return replacedText(decision, level).length > SUMMARY_LENGTH;
}

/** Undefined for an answer that the record does not bear out, that is too long, or no shorter than what it stands for. */
async function ask(
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
