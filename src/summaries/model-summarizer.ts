// The summarizer with a language model behind it. The model words; code asks, judges, checks, and adds what must not
// depend on a model. What the answer lacks comes from the ledger; an answer of no use is a failure, never a summary.
import { countFacts, type Ledger } from "../facts/ledger.ts";
import { oneLine } from "../text/quote.ts";
import { mapInTurns, runInTurns } from "../tokens/stepwise.ts";
import { createChecker } from "./answer/check-answer.ts";
import type { CheckedStatement } from "./answer/read-answer.ts";
import { collectSources } from "./answer/source-texts.ts";
import { type AnswerCache, type CallOptions, createCalls } from "./ask.ts";
import { mergeAnswer } from "./merge-answer.ts";
import { runPasses } from "./passes.ts";
import { leaveOutBytes, withoutRepeats } from "./prompt/compose-prompt.ts";
import { sessionKind } from "./prompt/strategy-prompts.ts";
import { headerOf, writeRecord } from "./record.ts";
import type { GivenLine, Section } from "./shapes.ts";
import { writeShort } from "./short-text.ts";
import type { Doubt, Summarizer, Summary, SummaryRequest } from "./summarizer.ts";

export interface ModelSummarizerOptions extends CallOptions {
  /** Writes the text when an answer is complete and says nothing. */
  readonly extractive: Summarizer;
  /** Window of the model, tokens; default the model's own, else 128,000. */
  readonly maxContextTokens?: number;
  /** Language to answer in, in English (`Portuguese`); default that of the conversation. */
  readonly language?: string;
}

const DEFAULT_WINDOW = 128_000;

/** `summarize` throws `SummarizationFailed` with `data.failures`, `calls` and tokens; an abort is thrown on as it is. */
export function createModelSummarizer(options: ModelSummarizerOptions): Summarizer {
  const cache: AnswerCache = new Map();
  return { kind: "model", summarize: (request) => summarize(request, options, cache) };
}

async function summarize(
  request: SummaryRequest,
  options: ModelSummarizerOptions,
  cache: AnswerCache,
): Promise<Summary> {
  const { model, redactor, extractive, language } = options;
  const { passages, ledger, previous, note, maxTokens, answerTokens = maxTokens } = request;
  const window = options.maxContextTokens ?? model.maxContextTokens ?? DEFAULT_WINDOW;
  const mostOutput = Math.max(1, Math.min(model.maxOutputTokens ?? window, Math.floor(window / 3)));
  const calls = createCalls(options, request);
  const redact = (text: string) => leaveOutBytes(redactor.text(text));
  if (request.about === "decisions") return writeShort(request, { calls, mostOutput, redact, language });
  // Redacted before anything is cut, so that no secret loses the words by which it is recognised.
  const shown = await mapInTurns(passages, ({ id, source, text }) => ({ id, source, text: redact(text) }));
  const { statements, strategy, doubts } = await runPasses(
    {
      passages: withoutRepeats(shown),
      kind: sessionKind(ledger),
      previous: previous === undefined ? undefined : redact(previous),
      note: note === undefined ? undefined : redact(note),
      language,
      window,
    },
    {
      request,
      checker: await createChecker(collectSources(request)),
      hasFacts: Object.keys(countFacts(ledger)).length > 0,
      calls,
      cache,
      cap: Math.max(1, Math.min(answerTokens, mostOutput)),
      mostOutput,
    },
  );
  const written: SummaryRequest = { ...request, strategy };
  const { doubts: later = [], ...summary }: Summary =
    statements.length === 0
      ? { ...(await extractive.summarize(written)), source: "model+ledger" }
      : await completeAnswer(statements, written);
  const told = [...doubts, ...later];
  return {
    ...summary,
    usage: calls.usage(),
    ...(strategy === request.strategy ? {} : { strategy }),
    ...(told.length === 0 ? {} : { doubts: told }),
  };
}

/** The answer in its sections, and beside it what it does not say, by the ranking that also writes a text without a model. */
async function completeAnswer(statements: readonly CheckedStatement[], request: SummaryRequest): Promise<Summary> {
  const { ledger, strategy, maxTokens, count } = request;
  const { lines, doubts } = mergeAnswer(statements, ledger);
  const said = lines.map(({ section, text }): GivenLine => ({ section, text: lineOf(section, text) }));
  const kept = new Set(said);
  const write = (header: readonly string[]) =>
    runInTurns(writeRecord({ ledger, strategy, room: maxTokens, count, header, given: [...kept] }));
  const queue = [...said].sort(
    (a, b) => LASTING.indexOf(b.section) - LASTING.indexOf(a.section) || placeOf(a.text) - placeOf(b.text),
  );
  const leaveOut = () => {
    const line = queue.shift();
    if (line !== undefined) kept.delete(line);
    return line;
  };
  const header = headerOf(request);
  const around = count(header.join("\n")) + TITLE_TOKENS * new Set(said.map(({ section }) => section)).size;
  const most = maxTokens - around - Math.min(usersTokens(ledger, count), Math.floor(maxTokens * USERS_SHARE));
  let size = count(said.map(({ text }) => text).join("\n"));
  while (size > most && kept.size > 1) size -= count(leaveOut()?.text ?? "");
  let written = await write(header);
  while (written.text === "" && kept.size > 1 && leaveOut()) written = await write(header);
  if (written.text === "") written = await write([]);
  if (written.text === "" && leaveOut()) written = await write([]);
  const told = said
    .filter((line) => !kept.has(line))
    .map(({ text }): Doubt => ({ kind: "claim", text: oneLine(text, 120), why: "left out for want of room" }));
  const source = written.units.kept === 0 ? "model" : "model+ledger";
  return { text: written.text, source, left: written.left, doubts: [...doubts, ...told] };
}

/** Of the message that a line rests on; lines without one are the oldest. */
function placeOf(line: string): number {
  const [, step = 0, message = 0] = /\[(\d{1,6})\.(\d{1,7})/u.exec(line) ?? [];
  return Number(step) * 1e7 + Number(message);
}

/** What users said stands beside the model's text, up to this share of the room. */
const USERS_SHARE = 1 / 3;
const MESSAGE_TOKENS = 8;
const TITLE_TOKENS = 16;

function usersTokens({ userMessages }: Ledger, count: (text: string) => number): number {
  const own = userMessages.filter(({ author }) => author === "user");
  return own.reduce((sum, { blocks }) => sum + count(blocks.join("\n")) + MESSAGE_TOKENS, 0);
}

/** Sections, those first whose lines stay longest; of a section the oldest lines go first. */
const LASTING: readonly Section[] = [
  "state",
  "requests",
  "rules",
  "decisions",
  "errors",
  "written",
  "talk",
  "commands",
  "names",
  "progress",
];

/** A decision opens with its message, as in the ledger of `decision_log`; everything else is a list item. */
function lineOf(section: Section, text: string): string {
  const indented = text.split("\n").join("\n  ");
  return section === "decisions" && indented.startsWith("[") ? indented : `- ${indented}`;
}
