// Replays a session step by step: one model call before each answer, with the prompt that a way of keeping it small
// leaves. The answers are those of the session, whatever the prompt.
import type { Format } from "../../src/providers/format.ts";
import { addCosts, type Cost, NO_COST, PromptCache } from "./prices.ts";

export interface Replayed {
  readonly cost: Cost;
  /** The list behind the last answer. */
  readonly left: readonly unknown[];
  /** Times that the list became smaller. */
  readonly rounds: number;
  readonly largestPrompt: number;
  /** Of all prompts. */
  readonly meanPrompt: number;
}

export interface ReplayInput {
  readonly messages: readonly unknown[];
  readonly format: Format;
  readonly systemTokens: number;
  readonly count: (message: unknown) => number;
  /** What a step finds before it: the list that was sent, which is the default, or all that was ever said. */
  readonly goesOnWith?: "what was sent" | "everything";
}

/** The list to send in place of the one that has grown. What it gives is what the session goes on with. */
export type KeepSmall = (messages: readonly unknown[]) => Promise<readonly unknown[]> | readonly unknown[];

export async function replay(input: ReplayInput, keepSmall: KeepSmall): Promise<Replayed> {
  const { messages, systemTokens, count } = input;
  const cache = new PromptCache(systemTokens, count);
  let cost: Cost = NO_COST;
  let rounds = 0;
  let largestPrompt = 0;
  let current: unknown[] = [];
  for (const { before, answer } of stepsOf(input)) {
    current.push(...before);
    const sent = await keepSmall(current);
    const isChanged = sent.length !== current.length || sent.some((message, at) => message !== current[at]);
    if (isChanged) rounds += 1;
    const prompt = [...sent];
    cost = addCosts(cost, cache.call(prompt, sum(answer, count)));
    largestPrompt = Math.max(largestPrompt, systemTokens + sum(prompt, count));
    const basis = input.goesOnWith === "everything" ? current : prompt;
    current = [...basis, ...answer];
  }
  current.push(...behindLastStep(messages, input.format));
  const meanPrompt = (cost.cachedRead + cost.cacheWrite) / Math.max(1, cost.calls);
  return { cost, left: current, rounds, largestPrompt, meanPrompt };
}

interface Step {
  readonly before: readonly unknown[];
  /** An answer is several items where its provider splits it. */
  readonly answer: readonly unknown[];
}

function stepsOf({ messages, format }: Pick<ReplayInput, "messages" | "format">): readonly Step[] {
  const steps: { before: unknown[]; answer: unknown[] }[] = [];
  let before: unknown[] = [];
  for (const message of messages) {
    if (format.view(message).role !== "assistant") {
      before.push(message);
      continue;
    }
    const last = steps.at(-1);
    if (before.length > 0 || last === undefined) steps.push({ before, answer: [message] });
    else last.answer.push(message);
    before = [];
  }
  return steps;
}

function behindLastStep(messages: readonly unknown[], format: Format): readonly unknown[] {
  return messages.slice(messages.findLastIndex((message) => format.view(message).role === "assistant") + 1);
}

function sum(messages: readonly unknown[], count: (message: unknown) => number): number {
  return messages.reduce<number>((total, message) => total + count(message), 0);
}
