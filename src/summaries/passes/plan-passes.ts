// Deals passages out to requests of a given size, in order. A passage that is larger than a request is split in labelled
// parts; when it would take too many requests, passages are shortened harder first, tools' output before words.
import { cutAt } from "../../text/cut.ts";
import type { ShownPassage } from "../prompts/compose-prompt.ts";
import { createTurns } from "../turns.ts";
import { type PassageLimits, shortenText, TOOL_LIMITS } from "./shorten-passage.ts";

/** Requests for one summary, where shortening can bring it down to that. */
export const MOST_PASSES = 12;
/** Tokens of a passage besides its text: id, speaker, line breaks. */
const LABEL_TOKENS = 14;
const LEAST_UNITS = 40;
/** What people said is shortened further than this only when tools' output is as short as it gets. */
const GENEROUS_UNITS = 8_000;
/** Requests are seldom filled to the brim. */
const FILLED_SHARE = 0.85;

export interface SizedPassage extends ShownPassage {
  readonly tokens: number;
}

export interface PassPlan {
  /** Every passage stands in one of them, whole, shortened, or in parts. At least one, perhaps empty. */
  readonly chunks: readonly (readonly SizedPassage[])[];
}

/** More requests than `mostPasses` only where labels and a few words of each passage need them. */
export async function planPasses(
  passages: readonly ShownPassage[],
  chunkTokens: number,
  mostPasses: number,
  count: (text: string) => number,
): Promise<PassPlan> {
  const whole = chunkTokens * mostPasses;
  let sized: readonly SizedPassage[] = [];
  for (const tool of TOOL_LIMITS) {
    sized = await sizePassages(passages, { tool, other: Number.POSITIVE_INFINITY }, count, sized);
    if (sizeOf(sized) <= whole) {
      const chunks = pack(sized, chunkTokens, count);
      if (chunks.length <= mostPasses) return { chunks };
    }
    const isLast = tool === TOOL_LIMITS.at(-1);
    const other = lengthThatFits(sized, whole * FILLED_SHARE);
    if (other < GENEROUS_UNITS && !isLast) continue;
    const limits = { tool: Math.min(tool, other), other };
    const chunks = pack(await sizePassages(passages, limits, count, sized), chunkTokens, count);
    if (chunks.length <= mostPasses || isLast) return { chunks };
  }
  return { chunks: pack(sized, chunkTokens, count) };
}

/** The length to which passages have to come down so that all together have `room`: the longest give first. */
function lengthThatFits(passages: readonly SizedPassage[], room: number): number {
  const units = passages.reduce((sum, { text }) => sum + text.length, 0);
  const perToken = units / Math.max(1, sizeOf(passages) - LABEL_TOKENS * passages.length);
  const lengths = passages.map(({ text }) => text.length).sort((a, b) => a - b);
  let left = (room - LABEL_TOKENS * passages.length) * perToken;
  for (const [index, length] of lengths.entries()) {
    const share = left / (lengths.length - index);
    if (length > share) return Math.max(LEAST_UNITS, Math.floor(share));
    left -= length;
  }
  return Math.max(LEAST_UNITS, lengths.at(-1) ?? 0);
}

export function sizeOf(passages: readonly SizedPassage[]): number {
  return passages.reduce((sum, { tokens }) => sum + tokens, 0);
}

async function sizePassages(
  passages: readonly ShownPassage[],
  limits: PassageLimits,
  count: (text: string) => number,
  before: readonly SizedPassage[],
): Promise<readonly SizedPassage[]> {
  const turns = createTurns(1);
  const sized: SizedPassage[] = [];
  for (const [index, passage] of passages.entries()) {
    const text = shortenText(passage.text, passage.source, limits);
    const known = before[index];
    const lines = text.split("\n", 100_000).length;
    sized.push(known?.text === text ? known : { ...passage, text, tokens: count(text) + lines + LABEL_TOKENS });
    const pause = turns.tick();
    if (pause !== undefined) await pause;
  }
  return sized;
}

function pack(
  passages: readonly SizedPassage[],
  chunkTokens: number,
  count: (text: string) => number,
): readonly (readonly SizedPassage[])[] {
  const chunks: SizedPassage[][] = [[]];
  let left = chunkTokens;
  for (const piece of passages.flatMap((passage) => splitPassage(passage, chunkTokens, count))) {
    if (piece.tokens > left && (chunks.at(-1)?.length ?? 0) > 0) {
      chunks.push([]);
      left = chunkTokens;
    }
    chunks.at(-1)?.push(piece);
    left -= piece.tokens;
  }
  return chunks;
}

/** Parts of whole characters, each small enough for a request. */
function splitPassage(
  passage: SizedPassage,
  chunkTokens: number,
  count: (text: string) => number,
): readonly SizedPassage[] {
  if (passage.tokens <= chunkTokens) return [passage];
  const parts: { readonly text: string; readonly tokens: number }[] = [];
  let rest = passage.text;
  let units = Math.max(LEAST_UNITS, Math.floor((rest.length * chunkTokens * 0.9) / passage.tokens));
  while (rest !== "") {
    const text = cutAt(rest, units) || rest;
    const tokens = count(text) + text.split("\n").length + LABEL_TOKENS;
    if (tokens > chunkTokens && units > LEAST_UNITS && text.length > 1) {
      units = Math.max(LEAST_UNITS, Math.floor(units * 0.7));
      continue;
    }
    parts.push({ text, tokens });
    rest = rest.slice(text.length);
  }
  const { part } = passage;
  const prefix = part === undefined ? "" : `${part}, piece `;
  return parts.map((piece, index) => ({
    ...passage,
    ...piece,
    part: `${prefix}${index + 1} of ${parts.length}`,
  }));
}
