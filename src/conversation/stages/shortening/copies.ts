// The copies of messages that had to give something, while it is being decided what gives: what they weigh now, and
// what was won by them.
import type { LayersInput } from "../layers.ts";

export class Copies {
  readonly #choice: Pick<LayersInput, "read" | "parts">;
  readonly #copies = new Map<number, unknown>();
  #tokensWon = 0;

  constructor(choice: Pick<LayersInput, "read" | "parts">) {
    this.#choice = choice;
  }

  /** Tokens that the copies are smaller by. */
  get tokensWon(): number {
    return this.#tokensWon;
  }

  /** The message as it would be sent now. */
  current(index: number): unknown {
    return this.#copies.has(index) ? this.#copies.get(index) : this.#choice.read.messages[index];
  }

  /** Tokens of `message`, which stands in the place of the one at `index`. */
  tokensOf(index: number, message: unknown): number {
    const { read, parts } = this.#choice;
    if (message === read.messages[index]) return read.tokens[index] ?? 0;
    return parts.counter.countMessage(message, read.format.view(message));
  }

  replace(index: number, copy: unknown): void {
    const before = this.current(index);
    if (copy === before) return;
    this.#tokensWon += this.tokensOf(index, before) - this.tokensOf(index, copy);
    this.#copies.set(index, copy);
  }

  /** Copies by original. */
  byOriginal(): ReadonlyMap<unknown, unknown> {
    return new Map([...this.#copies].map(([index, copy]) => [this.#choice.read.messages[index], copy]));
  }
}
