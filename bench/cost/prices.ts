// What a model call costs in weighted tokens, by the weights that the report of a compaction uses.
import { COST_WEIGHTS } from "../../src/conversation/report.ts";

export interface Cost {
  readonly calls: number;
  /** Tokens by how they were charged. */
  readonly cachedRead: number;
  readonly cacheWrite: number;
  readonly input: number;
  readonly output: number;
}

export const NO_COST: Cost = { calls: 0, cachedRead: 0, cacheWrite: 0, input: 0, output: 0 };

export function weightOf({ cachedRead, cacheWrite, input, output }: Cost): number {
  const { cached_read, cache_write, input: plain, output: written } = COST_WEIGHTS;
  return cachedRead * cached_read + cacheWrite * cache_write + input * plain + output * written;
}

export function addCosts(left: Cost, right: Cost): Cost {
  return {
    calls: left.calls + right.calls,
    cachedRead: left.cachedRead + right.cachedRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    input: left.input + right.input,
    output: left.output + right.output,
  };
}

/** Remembers the last prompt: what the next one shares with it from the start, whole messages only, is read cheaply. */
export class PromptCache {
  readonly #count: (message: unknown) => number;
  readonly #systemTokens: number;
  #last: readonly unknown[] | undefined;

  constructor(systemTokens: number, count: (message: unknown) => number) {
    this.#systemTokens = systemTokens;
    this.#count = count;
  }

  call(prompt: readonly unknown[], outputTokens: number): Cost {
    const shared = this.#last === undefined ? -1 : sharedMessages(this.#last, prompt);
    const tokensOf = (messages: readonly unknown[]) => messages.reduce<number>((sum, one) => sum + this.#count(one), 0);
    const cachedRead = shared < 0 ? 0 : this.#systemTokens + tokensOf(prompt.slice(0, shared));
    const all = this.#systemTokens + tokensOf(prompt);
    this.#last = prompt;
    return { calls: 1, cachedRead, cacheWrite: all - cachedRead, input: 0, output: outputTokens };
  }
}

function sharedMessages(last: readonly unknown[], prompt: readonly unknown[]): number {
  const most = Math.min(last.length, prompt.length);
  let shared = 0;
  while (shared < most && last[shared] === prompt[shared]) shared += 1;
  return shared;
}
