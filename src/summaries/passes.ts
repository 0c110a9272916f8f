// Summarizes passages in as many passes as the model's window asks for: each gets the record so far and the next stretch,
// so every passage was read by a call whose answer was accepted.
import { cutAt } from "../text/quote.ts";
import { mapInTurns } from "../tokens/stepwise.ts";
import { type AcceptedPass, askUntilAccepted, type Job, MOST_CALLS, type PassInput, TOO_LONG } from "./ask.ts";
import { composePrompt, type PromptInput, type ShownPassage, shortenText } from "./prompt/compose-prompt.ts";
import { SHAPES } from "./shapes.ts";

/** Requests for one summary, where shortening can bring it down to that. */
export const MOST_PASSES = 12;
/** Share of the window that is used: the model's tokenizer is not the one that counts here. */
const WINDOW_SHARE = 0.9;
/** The record so far may take this share of it. */
const RECORD_SHARE = 0.25;
const LEAST_CHUNK = 64;
/** In a smaller window the examples of the instruction would take the room of the transcript. */
const TERSE_WINDOW = 12_000;
/** Times that the model may find the input too long. */
const MOST_SPLITS = 4;

export interface PassesInput extends Pick<PromptInput, "passages" | "kind" | "language" | "note"> {
  readonly previous: string | undefined;
  /** Input and output together, tokens. */
  readonly window: number;
}

/** Throws `SummarizationFailed` when a pass fails, or when there would be more than anybody waits for. */
export async function runPasses(input: PassesInput, job: Job): Promise<AcceptedPass> {
  const { kind, language, note, previous, window } = input;
  const { calls, request } = job;
  const { count, strategy } = request;
  const isTerse = window < TERSE_WINDOW;
  const shared = { kind, language, note, isTerse };
  const fixed = fixedTokens(shared, job);
  // An earlier summary that would take most of a request is read like the passages it stands for.
  const isLong = previous !== undefined && count(previous) > window * RECORD_SHARE;
  const passages = isLong
    ? [{ id: "earlier record", source: "record" as const, text: previous }, ...input.passages]
    : input.passages;
  let record = isLong ? undefined : previous;
  let recordTokens = record === undefined ? 0 : count(record);
  // What is left of the window once the answer, the instruction and a record have their room.
  const recordRoom = Math.max(recordTokens, Math.min(request.maxTokens, window * RECORD_SHARE));
  let chunkTokens = Math.max(LEAST_CHUNK, Math.floor(window * WINDOW_SHARE - job.cap - fixed - recordRoom));
  let waiting = await planPasses(passages, chunkTokens, MOST_PASSES, count);
  let written: AcceptedPass = { statements: [], strategy, doubts: [], isThin: true };
  for (let done = 0, splits = 0; ; ) {
    if (waiting.length > MOST_CALLS || calls.isExhausted())
      calls.giveUp(
        "MODEL_INPUT_TOO_LONG",
        `The passages would take more than ${MOST_CALLS} calls. Use a model with a larger window.`,
      );
    const [chunk = [], ...later] = waiting;
    const pass: PassInput = {
      ...shared,
      passages: chunk,
      record,
      tokens: fixed + recordTokens + sizeOf(chunk),
      pass: { number: done + 1, of: done + waiting.length },
    };
    const accepted = await askUntilAccepted(pass, written.strategy, job);
    if (accepted === undefined) {
      splits += 1;
      chunkTokens = Math.floor(Math.min(chunkTokens, sizeOf(chunk)) / 2);
      const isHopeless = splits > MOST_SPLITS || chunkTokens < LEAST_CHUNK;
      calls.setback("MODEL_INPUT_TOO_LONG", TOO_LONG, isHopeless ? "give-up" : "split-input");
      waiting = await planPasses(waiting.flat(), chunkTokens, Math.max(2, MOST_PASSES - done), count);
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

/** Of a request besides its passages and the record so far. */
function fixedTokens(
  shared: Pick<PromptInput, "kind" | "language" | "note" | "isTerse">,
  { request, cap }: Job,
): number {
  const { strategy, count } = request;
  const pass = { number: 1, of: 2 };
  const asked = composePrompt({ ...shared, passages: [], strategy, room: cap, record: "", pass, isSharper: true });
  return count(asked.system) + count(asked.prompt);
}

/** A pass that says nothing takes nothing away from what others said. */
function join(written: AcceptedPass, accepted: AcceptedPass): AcceptedPass {
  const { statements, isThin } = accepted.isThin && !written.isThin ? written : accepted;
  return { statements, isThin, strategy: accepted.strategy, doubts: [...written.doubts, ...accepted.doubts] };
}

function renderRecord({ statements, strategy }: AcceptedPass): string {
  const sections = SHAPES[strategy].sections.flatMap(([section, title]) => {
    const lines = statements.filter((statement) => statement.section === section).map(({ text }) => `- ${text}`);
    return lines.length === 0 ? [] : [[`## ${title}`, ...lines].join("\n")];
  });
  return sections.join("\n\n");
}

/** Tokens of a passage besides its text: id, speaker, line breaks. */
const LABEL_TOKENS = 14;
/** Lengths in UTF-16 units: of tools' output, from gentle to hard, and of what people said, by steps. */
const TOOL_UNITS = [3000, 1000, 400, 160] as const;
const SHORTER = 0.7;
/** What people said is shortened further than this only when tools' output is as short as it gets. */
const GENEROUS_UNITS = 8_000;
const LEAST_UNITS = 40;

interface SizedPassage extends ShownPassage {
  readonly tokens: number;
}
type Chunk = readonly SizedPassage[];

function sizeOf(passages: Chunk): number {
  return passages.reduce((sum, { tokens }) => sum + tokens, 0);
}

/**
 * Deals passages out to requests, in order: every passage stands in one, whole, shortened, or in parts. More requests than
 * `mostPasses` only where labels and a few words of each need them. At least one, perhaps empty.
 */
async function planPasses(
  passages: readonly ShownPassage[],
  chunkTokens: number,
  mostPasses: number,
  count: (text: string) => number,
): Promise<readonly Chunk[]> {
  const sizes = new Map<string, number>();
  let sized: Chunk = [];
  for (const { tool, other } of limitsFor(passages)) {
    sized = await mapInTurns(passages, (passage): SizedPassage => {
      const text = shortenText(passage.text, passage.source === "tool" ? Math.min(tool, other) : other);
      const tokens = sizes.get(text) ?? tokensOf(text, count);
      sizes.set(text, tokens);
      return { ...passage, text, tokens };
    });
    if (sizeOf(sized) > chunkTokens * mostPasses) continue;
    const chunks = pack(sized, chunkTokens, count);
    if (chunks.length <= mostPasses) return chunks;
  }
  return pack(sized, chunkTokens, count);
}

/** The longest give first, tools' output before words. */
function* limitsFor(passages: readonly ShownPassage[]) {
  const longest = passages.reduce((most, { text }) => Math.max(most, text.length), LEAST_UNITS);
  for (const tool of TOOL_UNITS) {
    const least = tool === TOOL_UNITS.at(-1) ? LEAST_UNITS : Math.min(longest, GENEROUS_UNITS);
    for (let other = longest; other >= least; other = Math.floor(other * SHORTER)) yield { tool, other };
  }
}

/** Quoted: each line has a mark. */
function tokensOf(text: string, count: (text: string) => number): number {
  return count(text) + text.split("\n", 100_000).length + LABEL_TOKENS;
}

function pack(passages: Chunk, chunkTokens: number, count: (text: string) => number): readonly Chunk[] {
  const chunks: SizedPassage[][] = [[]];
  let left = chunkTokens;
  for (const piece of passages.flatMap((passage) => splitPassage(passage, chunkTokens, count))) {
    if (piece.tokens > left && left < chunkTokens) {
      chunks.push([]);
      left = chunkTokens;
    }
    chunks.at(-1)?.push(piece);
    left -= piece.tokens;
  }
  return chunks;
}

/** Parts of whole characters, each small enough for a request. */
function splitPassage(passage: SizedPassage, chunkTokens: number, count: (text: string) => number): Chunk {
  if (passage.tokens <= chunkTokens) return [passage];
  const parts: { readonly text: string; readonly tokens: number }[] = [];
  let rest = passage.text;
  let units = Math.max(LEAST_UNITS, Math.floor((rest.length * chunkTokens * 0.9) / passage.tokens));
  while (rest !== "") {
    const text = cutAt(rest, units) || rest;
    const tokens = tokensOf(text, count);
    if (tokens > chunkTokens && units > LEAST_UNITS && text.length > 1) {
      units = Math.max(LEAST_UNITS, Math.floor(units * 0.7));
      continue;
    }
    parts.push({ text, tokens });
    rest = rest.slice(text.length);
  }
  const prefix = passage.part === undefined ? "" : `${passage.part}, piece `;
  return parts.map((part, index) => ({ ...passage, ...part, part: `${prefix}${index + 1} of ${parts.length}` }));
}
