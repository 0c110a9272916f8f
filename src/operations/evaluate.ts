// What of a session survives compaction, beside trimming to the same size. The messages before the last fifth are made
// smaller, in memory; the last fifth says what of them was needed. Nothing is written, and no model is asked.
import { withoutBinary } from "../conversation/passages.ts";
import { CompactManager } from "../conversation.ts";
import { CompactError } from "../errors.ts";
import type { ConversationConfig } from "../factories/conversation-config.ts";
import { extractFactsInTurns } from "../facts/extract-facts.ts";
import { type FactMessage, readFactMessage } from "../facts/fact-message.ts";
import type { Format } from "../providers/format.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { cutTail } from "../text/quote.ts";
import { createMessageCounter } from "../tokens/count-messages.ts";
import { counterFor } from "../tokens/create-token-counter.ts";
import { resolveModel } from "../tokens/models.ts";
import { mapInTurns, nextTurn, runInTurns } from "../tokens/stepwise.ts";
import {
  type Material,
  type Measured,
  measureCoverage,
  namesUsedAgain,
  quote,
  textOf,
  textsToQuote,
} from "./evaluate-coverage.ts";

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

/** What is left in one way. */
export interface WayFigures extends Measured {
  readonly tokens: number;
  readonly milliseconds: number;
}

export type TargetFigures =
  | { readonly percent: number; readonly goal: number; readonly status: "too_small" }
  | { readonly percent: number; readonly goal: number; readonly status: "failed"; readonly reason: string }
  | {
      readonly percent: number;
      readonly goal: number;
      readonly status: "measured";
      readonly ours: WayFigures;
      readonly trimming: WayFigures;
    };

export interface SessionFigures {
  readonly file: string;
  readonly format: string;
  /** Messages before and behind the cut. */
  readonly messages: { readonly before: number; readonly rest: number };
  /** Of the messages before the cut. */
  readonly tokens: number;
  readonly targets: readonly TargetFigures[];
}

/** The texts behind the figures, all redacted, for whoever asks a model about them. */
export interface SessionTexts {
  readonly before: readonly string[];
  readonly rest: readonly string[];
  readonly left: readonly { readonly percent: number; readonly ours: string; readonly trimming: string }[];
}

export interface EvaluatedSession {
  readonly figures: SessionFigures;
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
  const redactor = createRedactor(config.redaction);
  const redact = stoppable((text: string): string => redactor.text(text), signal);
  const { before, rest } = cutSession(input.messages);
  const inputs = before.map((message, index) => ({
    view: withoutBinary(format.view(message)),
    source: { step: 1, message: index + 1 },
  }));
  const read = readerOf(format, redact);
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
  const measureAt = async (percent: number): Promise<TargetFigures> => {
    signal?.throwIfAborted();
    const goal = Math.max(percent * LEAST_TOKENS_A_PERCENT, Math.floor((tokens * percent) / 100));
    if (tokens <= goal) return { percent, goal, status: "too_small" };
    const compacted = await compactInMemory(input, before, goal, config, signal);
    if ("reason" in compacted) return { percent, goal, status: "failed", reason: compacted.reason };
    const kept = new Set(compacted.messages);
    const text = (await read(compacted.messages)).map(textOf).join("\n");
    const ours: WayFigures = {
      ...measureCoverage(material, { text, isKept: (number) => kept.has(before[number - 1]) }),
      tokens: sum(await mapInTurns(compacted.messages, sizeOf)),
      milliseconds: compacted.milliseconds,
    };
    await nextTurn();
    signal?.throwIfAborted();
    const roles = inputs.map(({ view }) => view.role);
    const trimmed = trim({ messages: readBefore, sizes, roles }, Math.max(goal, ours.tokens));
    const trimming: WayFigures = {
      ...measureCoverage(material, { text: trimmed.text, isKept: (number) => trimmed.kept.has(number - 1) }),
      tokens: trimmed.tokens,
      milliseconds: trimmed.milliseconds,
    };
    left.push({ percent, ours: text, trimming: trimmed.text });
    return { percent, goal, status: "measured", ours, trimming };
  };
  const left: SessionTexts["left"][number][] = [];
  const figures: TargetFigures[] = [];
  for (const percent of targets) figures.push(await measureAt(percent));
  return {
    figures: {
      file: input.file,
      format: format.name,
      messages: { before: before.length, rest: rest.length },
      tokens,
      targets: figures,
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
  const redactor = createRedactor(config.redaction);
  const read = readerOf(
    input.format,
    stoppable((text: string): string => redactor.text(text), signal),
  );
  return { text: (await read(compacted.messages)).map(textOf).join("\n") };
}

function cutSession(messages: readonly unknown[]): {
  readonly before: readonly unknown[];
  readonly rest: readonly unknown[];
} {
  const cut = Math.floor(messages.length * CUT);
  return { before: messages.slice(0, cut), rest: messages.slice(cut) };
}

interface Compacted {
  readonly messages: readonly unknown[];
  readonly milliseconds: number;
}

/** A compactor of its own each time: nothing is known of what was done before. Throws only what a model or an abort throws. */
async function compactInMemory(
  { file, format }: EvaluatedInput,
  before: readonly unknown[],
  goal: number,
  config: EvaluationConfig & Pick<ConversationConfig, "summarizer">,
  signal: AbortSignal | undefined,
): Promise<Compacted | { readonly reason: string }> {
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
    return { messages, milliseconds: performance.now() - start };
  } catch (error) {
    signal?.throwIfAborted();
    if (!CompactError.isInstance(error)) throw error;
    return { reason: error.message };
  } finally {
    await manager.close();
  }
}

interface Trimmed {
  readonly text: string;
  readonly tokens: number;
  readonly kept: ReadonlySet<number>;
  readonly milliseconds: number;
}

interface Measurable {
  readonly messages: readonly FactMessage[];
  readonly sizes: readonly number[];
  readonly roles: readonly string[];
}

/** System messages, and the newest messages that fit. The one that no longer does keeps its end. */
function trim({ messages, sizes, roles }: Measurable, room: number): Trimmed {
  const start = performance.now();
  const kept = new Set<number>();
  for (const [index, role] of roles.entries()) if (role === "system" || role === "developer") kept.add(index);
  const sizeOf = (index: number) => sizes[index] ?? 0;
  let tokens = sum([...kept].map(sizeOf));
  let cut = "";
  let border = -1;
  for (let index = messages.length - 1; index >= 0 && tokens < room; index -= 1) {
    if (kept.has(index)) continue;
    if (tokens + sizeOf(index) > room) {
      const whole = textOf(messages[index] as FactMessage);
      cut = cutTail(whole, Math.floor((whole.length * (room - tokens)) / sizeOf(index)));
      border = index;
      tokens = room;
      break;
    }
    kept.add(index);
    tokens += sizeOf(index);
  }
  const text = messages.flatMap((message, index) =>
    kept.has(index) ? [textOf(message)] : index === border ? [cut] : [],
  );
  return { text: text.join("\n"), tokens, kept, milliseconds: performance.now() - start };
}

/** Reads a list of messages, redacted. */
function readerOf(format: Format, redact: (text: string) => string) {
  return (messages: readonly unknown[]): Promise<readonly FactMessage[]> =>
    mapInTurns(messages, (message, index) => {
      const source = { step: 1, message: index + 1 };
      return readFactMessage({ view: withoutBinary(format.view(message)), source }, redact);
    });
}

/** Between two calls other work runs, a Ctrl-C for one. */
function stoppable<Given, Result>(work: (given: Given) => Result, signal: AbortSignal | undefined) {
  return (given: Given): Result => {
    signal?.throwIfAborted();
    return work(given);
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
