// Summarizes passages in as many passes as the model's window asks for: each gets the record so far and the next stretch,
// so every passage was read by a call whose answer was accepted.

import { type AcceptedPass, askUntilAccepted, type Job, type PassInput } from "../ladder/ask-until-accepted.ts";
import { MOST_CALLS } from "../ladder/model-calls.ts";
import { composePrompt, type ShownPassage } from "../prompts/compose-prompt.ts";
import type { SessionKind } from "../prompts/session-kind.ts";
import { SHAPES } from "../shapes.ts";
import type { Strategy } from "../summarizer.ts";
import { MOST_PASSES, planPasses, sizeOf } from "./plan-passes.ts";

/** Share of the window that is used: the model's tokenizer is not the one that counts here. */
const WINDOW_SHARE = 0.9;
/** The record so far may take this share of it. */
const RECORD_SHARE = 0.25;
const LEAST_CHUNK = 64;
/** In a smaller window the examples of the instruction would take the room of the transcript. */
const TERSE_WINDOW = 12_000;
/** Times that the model may find the input too long. */
const MOST_SPLITS = 4;

export interface PassesInput {
  readonly passages: readonly ShownPassage[];
  readonly kind: SessionKind;
  readonly previous: string | undefined;
  readonly note: string | undefined;
  readonly language: string | undefined;
  /** Input and output together, tokens. */
  readonly window: number;
}

export interface WrittenRecord {
  readonly statements: AcceptedPass["statements"];
  readonly strategy: Strategy;
  readonly doubts: AcceptedPass["doubts"];
  /** No pass said anything that holds on to the input. */
  readonly isThin: boolean;
}

export async function runPasses(input: PassesInput, job: Job): Promise<WrittenRecord> {
  const { note, language, kind } = input;
  const start = splitPrevious(input, job);
  const { count } = job.request;
  const fixed = fixedTokens(input, job);
  let recordTokens = start.record === undefined ? 0 : count(start.record);
  let chunkTokens = chunkSize(fixed, recordTokens, input.window, job);
  let waiting = (await planPasses(start.passages, chunkTokens, MOST_PASSES, count)).chunks;
  let record = start.record;
  let written: WrittenRecord = { statements: [], strategy: job.request.strategy, doubts: [], isThin: true };
  let done = 0;
  let splits = 0;
  for (;;) {
    giveUpAbove(MOST_CALLS, waiting.length, job);
    const [chunk = [], ...later] = waiting;
    const pass: PassInput = {
      passages: chunk,
      kind,
      language,
      record,
      note,
      isTerse: input.window < TERSE_WINDOW,
      tokens: fixed + recordTokens + sizeOf(chunk),
      pass: { number: done + 1, of: done + waiting.length },
    };
    const accepted = await askUntilAccepted(pass, written.strategy, job);
    if (accepted === undefined) {
      splits += 1;
      chunkTokens = Math.floor(Math.min(chunkTokens, sizeOf(chunk)) / 2);
      giveUpUnless(splits <= MOST_SPLITS && chunkTokens >= LEAST_CHUNK, job);
      waiting = (await planPasses(waiting.flat(), chunkTokens, Math.max(2, MOST_PASSES - done), count)).chunks;
      continue;
    }
    done += 1;
    waiting = later;
    written = join(written, accepted);
    if (waiting.length === 0) return written;
    if (accepted.isThin) continue;
    record = renderRecord(accepted);
    recordTokens = count(record);
  }
}

/** A pass that says nothing takes nothing away from what others said. */
function join(written: WrittenRecord, accepted: AcceptedPass): WrittenRecord {
  const doubts = [...written.doubts, ...accepted.doubts];
  const { statements, isThin } = accepted.isThin && !written.isThin ? written : accepted;
  return { statements, isThin, strategy: accepted.strategy, doubts };
}

function renderRecord({ statements, strategy }: AcceptedPass): string {
  const sections = SHAPES[strategy].sections.flatMap(([section, title]) => {
    const lines = statements.filter((statement) => statement.section === section).map(({ text }) => `- ${text}`);
    return lines.length === 0 ? [] : [`## ${title}`, ...lines, ""];
  });
  return sections.join("\n").trim();
}

/** An earlier summary that would take most of a request is read like the passages it stands for. */
function splitPrevious({ passages, previous, window }: PassesInput, { request }: Job) {
  if (previous === undefined || request.count(previous) <= window * RECORD_SHARE) return { passages, record: previous };
  return {
    passages: [{ id: "earlier record", source: "record" as const, text: previous }, ...passages],
    record: undefined,
  };
}

/** Tokens of a request besides its passages and the record so far. */
function fixedTokens({ note, language, kind, window }: PassesInput, { request, cap }: Job): number {
  const { system, prompt } = composePrompt({
    passages: [],
    kind,
    strategy: request.strategy,
    room: cap,
    language,
    note,
    record: "",
    pass: { number: 1, of: 2 },
    isSharper: true,
    isTerse: window < TERSE_WINDOW,
  });
  return request.count(system) + request.count(prompt);
}

/** What is left of the window for passages, once the answer, the instruction and a record have their room. */
function chunkSize(fixed: number, recordTokens: number, window: number, { request, cap }: Job): number {
  const recordRoom = Math.max(recordTokens, Math.min(request.maxTokens, window * RECORD_SHARE));
  return Math.max(LEAST_CHUNK, Math.floor(window * WINDOW_SHARE - cap - fixed - recordRoom));
}

function giveUpUnless(goesOn: boolean, { calls }: Job): void {
  const message = "The model finds the input too long.";
  const next = goesOn && !calls.isExhausted() ? "split-input" : "give-up";
  calls.setback("MODEL_INPUT_TOO_LONG", message, next);
  if (next === "give-up") {
    throw calls.failure("MODEL_INPUT_TOO_LONG", `${message} Smaller parts did not help.`);
  }
}

/** A window so small that even names and first words take more calls than anybody would wait for. */
function giveUpAbove(most: number, passes: number, { calls }: Job): void {
  if (passes <= most && !calls.isExhausted()) return;
  const message = `The passages would take more than ${most} calls.`;
  calls.setback("MODEL_INPUT_TOO_LONG", message, "give-up");
  throw calls.failure("MODEL_INPUT_TOO_LONG", `${message} Use a model with a larger window.`);
}
