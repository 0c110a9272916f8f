// What of a session survives compaction, beside trimming to the same size. The messages before the last fifth are made
// smaller, in memory; the last fifth says what of them was needed. Nothing is written, and no model is asked.
import { withoutBinary } from "../conversation/passages.ts";
import { CompactManager } from "../conversation.ts";
import { CompactError } from "../errors.ts";
import type { ConversationConfig } from "../factories/conversation-config.ts";
import { extractFactsInTurns } from "../facts/extract-facts.ts";
import { type FactInput, readFactMessage } from "../facts/fact-message.ts";
import type { Format } from "../providers/format.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { sum } from "../text/figures.ts";
import { cutTail } from "../text/quote.ts";
import { createMessageCounter } from "../tokens/count-messages.ts";
import { counterFor } from "../tokens/create-token-counter.ts";
import { resolveModel } from "../tokens/models.ts";
import { mapInTurns, nextTurn, runInTurns } from "../tokens/stepwise.ts";
import { type Material, measureCoverage, namesUsedAgain, quote, textOf, textsToQuote } from "./evaluate-coverage.ts";
import type { SessionReport, TargetReport, WayReport } from "./evaluate-report.ts";

export interface EvaluatedInput {
  /** How reports name it. */
  readonly file: string;
  readonly format: Format;
  readonly messages: readonly unknown[];
}

/** What of a configuration makes a difference to what is left. */
export type EvaluationConfig = Pick<ConversationConfig, "model" | "models" | "policy" | "redaction">;

export interface EvaluateOptions {
  /** In percent of the tokens before the cut. */
  readonly targets: readonly number[];
  readonly config?: EvaluationConfig;
  readonly signal?: AbortSignal | undefined;
}

/** The texts behind the figures, all redacted, for whoever asks a model about them. */
export interface SessionTexts {
  readonly before: readonly string[];
  readonly rest: readonly string[];
  readonly left: readonly { readonly percent: number; readonly ours: string; readonly trimming: string }[];
}

export interface EvaluatedSession {
  readonly figures: SessionReport;
  readonly texts: SessionTexts;
}

/** The last fifth says what was needed. */
const CUT = 0.8;
/** 5 % are at least 4,000 tokens: below that a reader has no room for anything. */
const LEAST_TOKENS_A_PERCENT = 800;
/** No window decides, only the target. */
const WINDOW = 1_000_000;

export async function evaluateSession(input: EvaluatedInput, options: EvaluateOptions): Promise<EvaluatedSession> {
  const { targets, config = {}, signal } = options;
  const { format } = input;
  const { before, rest } = cutSession(input.messages);
  const { redact, inputOf, read } = readerOf(format, config, signal);
  const inputs = before.map(inputOf);
  const readBefore = await read(before);
  const readRest = await read(rest);
  const ledger = await extractFactsInTurns(inputs, redact);
  const quoted = textsToQuote(ledger);
  const quoteOne = stoppable(quote, signal);
  const material: Material = {
    ledger,
    names: await runInTurns(namesUsedAgain(readBefore, readRest)),
    users: await mapInTurns(quoted.users, quoteOne),
    conclusions: await mapInTurns(quoted.conclusions, quoteOne),
  };
  const counter = createMessageCounter(counterFor(resolveModel(config.model)));
  const sizeOf = stoppable((message: unknown) => counter.countMessage(message, format.view(message)), signal);
  const sizes = await mapInTurns(before, sizeOf);
  const tokens = sum(sizes);
  const measureAt = async (percent: number): Promise<TargetReport> => {
    signal?.throwIfAborted();
    const goal = Math.max(percent * LEAST_TOKENS_A_PERCENT, Math.floor((tokens * percent) / 100));
    if (tokens <= goal) return { percent, goal, status: "too_small" };
    const compacted = await compactInMemory(input, before, goal, config, signal);
    if ("reason" in compacted) return { percent, goal, status: "failed", reason: compacted.reason };
    const kept = new Set(compacted.messages);
    const text = (await read(compacted.messages)).map(textOf).join("\n");
    const ours: WayReport = {
      tokens: sum(await mapInTurns(compacted.messages, sizeOf)),
      milliseconds: compacted.milliseconds,
      ...measureCoverage(material, text, (number) => kept.has(before[number - 1])),
    };
    await nextTurn();
    signal?.throwIfAborted();
    const roles = inputs.map(({ view }) => view.role);
    const trimmed = trim(readBefore.map(textOf), sizes, roles, Math.max(goal, ours.tokens));
    const trimming: WayReport = {
      tokens: trimmed.tokens,
      milliseconds: trimmed.milliseconds,
      ...measureCoverage(material, trimmed.text, (number) => trimmed.kept.has(number - 1)),
    };
    left.push({ percent, ours: text, trimming: trimmed.text });
    return { percent, goal, status: "measured", ours, trimming };
  };
  const left: SessionTexts["left"][number][] = [];
  const figures: TargetReport[] = [];
  for (const percent of targets) figures.push(await measureAt(percent));
  return {
    figures: {
      file: input.file,
      format: format.name,
      messages_before: before.length,
      messages_rest: rest.length,
      tokens,
      targets: figures,
      models: [],
    },
    texts: { before: readBefore.map(textOf), rest: readRest.map(textOf), left },
  };
}

/** What compaction with a model as summarizer leaves, as a reader is given it. */
export async function compactedText(
  input: EvaluatedInput,
  { figures }: EvaluatedSession,
  percent: number,
  config: EvaluationConfig & Pick<ConversationConfig, "summarizer">,
  signal: AbortSignal | undefined,
): Promise<{ readonly text: string } | { readonly reason: string }> {
  const { before } = cutSession(input.messages);
  const goal = figures.targets.find((target) => target.percent === percent)?.goal ?? 0;
  const compacted = await compactInMemory(input, before, goal, config, signal);
  if ("reason" in compacted) return compacted;
  const { read } = readerOf(input.format, config, signal);
  return { text: (await read(compacted.messages)).map(textOf).join("\n") };
}

function cutSession(messages: readonly unknown[]) {
  const cut = Math.floor(messages.length * CUT);
  return { before: messages.slice(0, cut), rest: messages.slice(cut) };
}

/** A compactor of its own each time: nothing is known of what was done before. Throws only what a model or an abort throws. */
async function compactInMemory(
  { file, format }: EvaluatedInput,
  before: readonly unknown[],
  goal: number,
  config: EvaluationConfig & Pick<ConversationConfig, "summarizer">,
  signal: AbortSignal | undefined,
): Promise<{ readonly messages: readonly unknown[]; readonly milliseconds: number } | { readonly reason: string }> {
  const manager = new CompactManager({ ...config, archive: false });
  const start = performance.now();
  try {
    const { messages, report } = await manager.compact(file, before, {
      format: format.name,
      targetTokens: goal,
      maxContextTokens: WINDOW,
      ...(signal === undefined ? {} : { signal }),
    });
    if (report.status === "skipped")
      return { reason: `nothing could leave (${report.reason?.replaceAll("_", " ") ?? "no reason given"})` };
    if (report.summary.source === "none" && config.summarizer !== undefined) {
      return { reason: report.warnings.map(({ message }) => message).join(" ") || "the model gave no summary" };
    }
    return { messages, milliseconds: Math.round(performance.now() - start) };
  } catch (error) {
    signal?.throwIfAborted();
    if (!CompactError.isInstance(error)) throw error;
    return { reason: error.message };
  } finally {
    await manager.close();
  }
}

/** System messages, and the newest messages that fit. The one that no longer does keeps its end. */
function trim(texts: readonly string[], sizes: readonly number[], roles: readonly string[], room: number) {
  const start = performance.now();
  const isSystem = (index: number) => roles[index] === "system" || roles[index] === "developer";
  const kept = new Set([...texts.keys()].filter(isSystem));
  let tokens = sum([...kept].map((index) => sizes[index] ?? 0));
  const left = texts.map((text, index) => (kept.has(index) ? text : undefined));
  for (let index = texts.length - 1; index >= 0 && tokens < room; index -= 1) {
    if (kept.has(index)) continue;
    const [text = "", size = 0] = [texts[index], sizes[index]];
    if (tokens + size <= room) kept.add(index);
    left[index] = tokens + size <= room ? text : cutTail(text, Math.floor((text.length * (room - tokens)) / size));
    tokens = Math.min(room, tokens + size);
  }
  const text = left.filter((found) => found !== undefined).join("\n");
  return { text, tokens, kept, milliseconds: Math.round(performance.now() - start) };
}

/** Reads messages as the facts are read from them, redacted. Stops between two of them when it is told to. */
function readerOf(format: Format, config: EvaluationConfig, signal: AbortSignal | undefined) {
  const redactor = createRedactor(config.redaction);
  const redact = stoppable((text: string): string => redactor.text(text), signal);
  const inputOf = (message: unknown, index: number): FactInput => ({
    view: withoutBinary(format.view(message)),
    source: { step: 1, message: index + 1 },
  });
  const read = (messages: readonly unknown[]) =>
    mapInTurns(messages, (message, index) => readFactMessage(inputOf(message, index), redact));
  return { redact, inputOf, read };
}

/** Between two calls other work runs, a Ctrl-C for one. */
function stoppable<Given, Result>(work: (given: Given) => Result, signal: AbortSignal | undefined) {
  return (given: Given): Result => {
    signal?.throwIfAborted();
    return work(given);
  };
}
