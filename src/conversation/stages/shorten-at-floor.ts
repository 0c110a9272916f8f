// Shortens tool results when even the floor is too big, or says exactly what cannot shrink.
import { CompactError } from "../../errors.ts";
import { expandCommand } from "../summary/summary-frame.ts";
import { layersOf } from "./describe-removal.ts";
import type { Fit } from "./fit.ts";
import type { LayersInput } from "./layers.ts";
import { shortenResults } from "./shorten.ts";

export interface Shortened {
  readonly shortened: ReadonlyMap<unknown, unknown>;
  readonly tokensWon: number;
}

/** For the budget, or for a size the caller asked for by name. Throws `InsufficientBudget`. */
export function shortenAtFloor(choice: LayersInput, chosen: Fit, summaryTokens: number, target: number): Shortened {
  const { input, read, parts, step } = choice;
  const limit = input.targetTokens === undefined ? parts.budget : target;
  const excess = chosen.tokens + summaryTokens - limit;
  if (excess <= 0) return { shortened: new Map(), tokensWon: 0 };
  const candidates = layersOf(read, chosen).recent.flatMap((index) => {
    const view = read.views[index];
    const reference = expandCommand(`${step}.${read.numbers[index]}`, input.sessionId);
    return view?.parts.some((part) => part.kind === "result")
      ? [{ index, view, message: read.messages[index], reference }]
      : [];
  });
  const shortened = parts.policy.shortenToolResults
    ? shortenResults({
        format: read.format,
        messages: candidates,
        excess,
        count: (text) => parts.counter.countText(text),
      })
    : new Map<unknown, unknown>();
  const tokensWon = candidates.reduce(
    (sum, { index, message }) => sum + wonBy(shortened.get(message), index, choice),
    0,
  );
  if (chosen.tokens + summaryTokens - tokensWon > parts.budget) throw insufficientBudget(choice, chosen, summaryTokens);
  return { shortened, tokensWon };
}

function wonBy(shorter: unknown, index: number, { read, parts }: LayersInput): number {
  return shorter === undefined
    ? 0
    : (read.tokens[index] ?? 0) - parts.counter.countMessage(shorter, read.format.view(shorter));
}

function insufficientBudget({ read, parts }: LayersInput, chosen: Fit, summaryTokens: number): CompactError {
  const staying = read.units.filter((_, position) => chosen.stays[position]);
  const sizes = staying.map((unit) => ({
    messages: unit.messages.map((index) => read.numbers[index]),
    tokens: unit.tokens,
    why: unit.why,
  }));
  const pinned = staying.filter(({ standing }) => standing === "pinned").reduce((sum, { tokens }) => sum + tokens, 0);
  const recent = chosen.tokens - pinned - read.fixedTokens;
  const largest = [...sizes]
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, 3)
    .map((unit) => `message ${unit.messages[0]} (${unit.why}): ${unit.tokens}`);
  return new CompactError(
    "InsufficientBudget",
    `What cannot shrink takes ${chosen.tokens + summaryTokens} tokens, the budget is ${parts.budget}: protected memory ${pinned}, recent layer ${recent}, system prompt and tools beside the messages ${read.fixedTokens}, summary ${summaryTokens}. Largest: ${largest.join("; ")}.`,
    {
      hint: "Reduce protected memory, or raise the context limit (max_context_tokens) of the model.",
      data: { budget: parts.budget, pinned, recent, fixed: read.fixedTokens, summary: summaryTokens, units: sizes },
    },
  );
}
