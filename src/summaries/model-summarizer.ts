// The summarizer with a language model behind it. The model words; code asks, judges, checks, and adds what must not
// depend on a model. What the answer lacks comes from the ledger; an answer of no use is a failure, never a summary.

import { countFacts, type Ledger } from "../facts/ledger.ts";
import type { Model } from "../models/model.ts";
import type { Redactor } from "../redaction/redacted.ts";
import { oneLine } from "../text/quote.ts";
import { runInTurns } from "../tokens/turns/stepwise.ts";
import { createChecker } from "./answer/check-answer.ts";
import { collectSources } from "./answer/source-texts.ts";
import type { CheckedStatement } from "./answer/statement.ts";
import { headerOf } from "./extractive-summarizer.ts";
import type { Job } from "./ladder/ask-until-accepted.ts";
import { createModelCalls } from "./ladder/model-calls.ts";
import { mergeAnswer } from "./merge-answer.ts";
import { leaveOutBytes } from "./passes/leave-out-bytes.ts";
import { runPasses } from "./passes/run-passes.ts";
import { withoutRepeats } from "./passes/without-repeats.ts";
import type { ShownPassage } from "./prompts/compose-prompt.ts";
import { languageOf } from "./prompts/language-of.ts";
import { sessionKind } from "./prompts/session-kind.ts";
import { type GivenLine, writeRecord } from "./record.ts";
import type { Section } from "./shapes.ts";
import { writeShort } from "./short/write-short.ts";
import type { Doubt, Summarizer, Summary, SummaryRequest } from "./summarizer.ts";
import { createSummaryCache, type SummaryCache } from "./summary-cache.ts";
import { createTurns } from "./turns.ts";

export interface ModelSummarizerOptions {
  readonly model: Model;
  /** Everything that the model sees goes through it. */
  readonly redactor: Redactor;
  /** Writes the text when an answer is complete and says nothing. */
  readonly extractive: Summarizer;
  /** Default 0. */
  readonly temperature?: number;
  /** Default 42. */
  readonly seed?: number;
  /** Per call. Default 30,000. */
  readonly timeoutMs?: number;
  /** Calls at most for one request that fails for a passing reason. Default 3. */
  readonly attempts?: number;
  /** Window of the model, tokens; default the model's own, else 128,000. */
  readonly maxContextTokens?: number;
  /** Language to answer in, in English (`Portuguese`); default that of the conversation. */
  readonly language?: string;
  /** Waits between retries; for tests. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Jitter of the waits, 0 to 1; for tests. */
  readonly random?: () => number;
  /** Accepted answers of earlier requests. Default: one of this summarizer's own. */
  readonly cache?: SummaryCache;
}

const DEFAULT_WINDOW = 128_000;

/** `summarize` throws `SummarizationFailed` with `data.failures`, `calls` and tokens; an abort is thrown on as it is. */
export function createModelSummarizer(options: ModelSummarizerOptions): Summarizer {
  const cache = options.cache ?? createSummaryCache();
  return { kind: "model", summarize: (request) => summarize(request, options, cache) };
}

async function summarize(
  request: SummaryRequest,
  options: ModelSummarizerOptions,
  cache: SummaryCache,
): Promise<Summary> {
  const { model, redactor, extractive } = options;
  const window = options.maxContextTokens ?? model.maxContextTokens ?? DEFAULT_WINDOW;
  const job = await createJob(request, options, window, cache);
  const redact = (text: string) => leaveOutBytes(redactor.text(text));
  if (request.about === "decisions") {
    const language = options.language ?? languageOf(request.passages);
    return writeShort(request, { calls: job.calls, mostOutput: job.mostOutput, redact, language });
  }
  const { statements, strategy, doubts } = await runPasses(
    {
      passages: withoutRepeats(await showPassages(request, redact)),
      kind: sessionKind(request.ledger),
      previous: request.previous === undefined ? undefined : redact(request.previous),
      note: request.note === undefined ? undefined : redact(request.note),
      language: options.language ?? languageOf(request.passages),
      window,
    },
    job,
  );
  const written: SummaryRequest = { ...request, strategy };
  const summary: Summary =
    statements.length === 0
      ? { ...(await extractive.summarize(written)), source: "model+ledger" }
      : await completeAnswer(statements, written);
  const { doubts: later = [], ...text } = summary;
  const told = [...doubts, ...later];
  return {
    ...text,
    usage: job.calls.usage(),
    ...(strategy === request.strategy ? {} : { strategy }),
    ...(told.length === 0 ? {} : { doubts: told }),
  };
}

async function createJob(
  request: SummaryRequest,
  options: ModelSummarizerOptions,
  window: number,
  cache: SummaryCache,
): Promise<Job> {
  const { model, redactor, temperature = 0, seed = 42, timeoutMs = 30_000, attempts = 3, sleep, random } = options;
  const { ledger, maxTokens, answerTokens = maxTokens } = request;
  const mostOutput = Math.max(1, Math.min(model.maxOutputTokens ?? window, Math.floor(window / 3)));
  return {
    request,
    checker: await createChecker(collectSources(request)),
    hasFacts: hasFacts(ledger),
    calls: createModelCalls({ model, redactor, temperature, seed, timeoutMs, attempts, sleep, random }, request),
    cache,
    cacheName: JSON.stringify([model.name, temperature, seed]),
    cap: Math.max(1, Math.min(answerTokens, mostOutput)),
    mostOutput,
  };
}

/** Redacted before anything is cut, so that no secret loses the words by which it is recognised. */
async function showPassages(
  { passages }: SummaryRequest,
  redact: (text: string) => string,
): Promise<readonly ShownPassage[]> {
  const turns = createTurns(1);
  const shown: ShownPassage[] = [];
  for (const { id, source, text } of passages) {
    shown.push({ id, source, text: redact(text) });
    const pause = turns.tick();
    if (pause !== undefined) await pause;
  }
  return shown;
}

function hasFacts(ledger: Ledger): boolean {
  return Object.keys(countFacts(ledger)).length > 0;
}

/** The answer in its sections, and beside it what it does not say, by the ranking that also writes a text without a model. */
async function completeAnswer(statements: readonly CheckedStatement[], request: SummaryRequest): Promise<Summary> {
  const { ledger, strategy, maxTokens, count } = request;
  const { lines, doubts } = mergeAnswer(statements, ledger);
  const given = lines.map(({ section, text }): GivenLine => ({ section, text: lineOf(section, text) }));
  const answered = count(given.map(({ text }) => text).join("\n"));
  const header = headerOf(request);
  const isKept = new Set(given);
  let size = answered;
  const around = count(header.join("\n")) + TITLE_TOKENS * new Set(given.map(({ section }) => section)).size;
  const most = maxTokens - around - Math.min(usersTokens(ledger, count), Math.floor(maxTokens * USERS_SHARE));
  const write = (header: readonly string[]) =>
    runInTurns(
      writeRecord({
        ledger,
        strategy,
        room: maxTokens,
        count,
        header,
        given: given.filter((line) => isKept.has(line)),
      }),
    );
  const queue = [...given].sort(
    (a, b) => LASTING.indexOf(b.section) - LASTING.indexOf(a.section) || placeOf(a.text) - placeOf(b.text),
  );
  const leaveOut = () => {
    const line = queue.shift();
    if (line === undefined) return false;
    isKept.delete(line);
    size -= count(line.text);
    return true;
  };
  while (size > most && isKept.size > 1 && leaveOut());
  let written = await write(header);
  while (written.text === "" && isKept.size > 1 && leaveOut()) written = await write(header);
  if (written.text === "") written = await write([]);
  if (written.text === "" && leaveOut()) written = await write([]);
  const left = given.filter((line) => !isKept.has(line));
  const told = left.map(
    ({ text }): Doubt => ({ kind: "claim", text: oneLine(text, 120), why: "left out for want of room" }),
  );
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
